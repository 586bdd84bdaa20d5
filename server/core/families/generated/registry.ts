// Written by `npm run gen`.
import type { Family } from '../family.ts';
import { family as bert } from '../models/bert.ts';
import { family as bloom } from '../models/bloom.ts';
import { family as deepseek } from '../models/deepseek.ts';
import { family as distilbert } from '../models/distilbert.ts';
import { family as falcon } from '../models/falcon.ts';
import { family as gemma } from '../models/gemma.ts';
import { family as gemma2 } from '../models/gemma2.ts';
import { family as gemma3 } from '../models/gemma3.ts';
import { family as gptBigcode } from '../models/gpt-bigcode.ts';
import { family as gptNeox } from '../models/gpt-neox.ts';
import { family as gpt2 } from '../models/gpt2.ts';
import { family as gptj } from '../models/gptj.ts';
import { family as llama } from '../models/llama.ts';
import { family as mixtral } from '../models/mixtral.ts';
import { family as olmo } from '../models/olmo.ts';
import { family as olmo2 } from '../models/olmo2.ts';
import { family as opt } from '../models/opt.ts';
import { family as phi } from '../models/phi.ts';
import { family as phi3 } from '../models/phi3.ts';
import { family as qwen2Moe } from '../models/qwen2-moe.ts';
import { family as qwen3 } from '../models/qwen3.ts';
import { family as qwen3Moe } from '../models/qwen3-moe.ts';
import { family as roberta } from '../models/roberta.ts';
import { family as smollm3 } from '../models/smollm3.ts';
import { family as starcoder2 } from '../models/starcoder2.ts';
import { family as t5 } from '../models/t5.ts';
import { family as transformer } from '../models/transformer.ts';
import { family as transformerDecoder } from '../models/transformer-decoder.ts';
import { family as transformerEncoder } from '../models/transformer-encoder.ts';
import { family as whisper } from '../models/whisper.ts';

export const families: readonly Family[] = [bert, bloom, deepseek, distilbert, falcon, gemma, gemma2, gemma3, gptBigcode, gptNeox, gpt2, gptj, llama, mixtral, olmo, olmo2, opt, phi, phi3, qwen2Moe, qwen3, qwen3Moe, roberta, smollm3, starcoder2, t5, transformer, transformerDecoder, transformerEncoder, whisper];

export const familyNamed = (name: string): Family | undefined => families.find((family) => family.name === name);
