import type { ModelFamily } from '../facts/facts.ts';
import { gpt2 } from './gpt2.ts';
import { llama } from './llama.ts';
import type { FamilyTemplate } from './template.ts';

export const familyTemplates: Readonly<Record<ModelFamily, FamilyTemplate>> = { gpt2, llama };
