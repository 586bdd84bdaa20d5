// Written by `npm run gen`.
import type { Family } from '../family.ts';
import { family as bert } from '../models/bert.ts';
import { family as distilbert } from '../models/distilbert.ts';
import { family as gemma } from '../models/gemma.ts';
import { family as gemma2 } from '../models/gemma2.ts';
import { family as gpt2 } from '../models/gpt2.ts';
import { family as llama } from '../models/llama.ts';
import { family as mixtral } from '../models/mixtral.ts';
import { family as qwen2Moe } from '../models/qwen2-moe.ts';
import { family as qwen3 } from '../models/qwen3.ts';
import { family as qwen3Moe } from '../models/qwen3-moe.ts';
import { family as roberta } from '../models/roberta.ts';

export const families: readonly Family[] = [bert, distilbert, gemma, gemma2, gpt2, llama, mixtral, qwen2Moe, qwen3, qwen3Moe, roberta];

export const familyNamed = (name: string): Family | undefined => families.find((family) => family.name === name);
