// Written by `npm run gen`.
import type { Family } from '../family.ts';
import { family as gpt2 } from '../models/gpt2.ts';
import { family as llama } from '../models/llama.ts';

export const families: readonly Family[] = [gpt2, llama];

export const familyNamed = (name: string): Family | undefined => families.find((family) => family.name === name);
