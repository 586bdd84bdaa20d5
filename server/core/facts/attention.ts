import type { AttentionImplementation, Fact } from './facts.ts';
import { type Fields, factOf, type Source } from './source.ts';

/** transformers' names for attention implementations. Flex attention has no account and is left out. */
const implementations: Readonly<Record<string, AttentionImplementation>> = {
  eager: 'eager',
  sdpa: 'sdpa',
  flash_attention_2: 'flash',
  flash_attention_3: 'flash',
  'kernels-community/flash-attn': 'flash',
  'kernels-community/flash-attn2': 'flash',
  'kernels-community/flash-attn3': 'flash',
  'kernels-community/vllm-flash-attn3': 'flash',
};

/** What `attn_implementation=` (or the older `use_flash_attention_2=True`) asks for. */
export function attentionNamed(source: Source, fields: Fields): Fact<AttentionImplementation> | undefined {
  const asked = fields.fields.get('attn_implementation') ?? fields.fields.get('_attn_implementation');
  const read = asked?.value && source.read(asked.value);
  const value = typeof read?.value === 'string' ? implementations[read.value] : undefined;
  if (read !== undefined && value !== undefined) return factOf(source, read, value);
  const older = fields.fields.get('use_flash_attention_2');
  const flag = older?.value && source.read(older.value);
  return flag?.value === true ? factOf(source, flag, 'flash') : undefined;
}

/** An implementation that is asked for and has no account, or could not be read. */
export function attentionProblem(source: Source, fields: Fields): string | undefined {
  const asked = fields.fields.get('attn_implementation') ?? fields.fields.get('_attn_implementation');
  if (asked === undefined || attentionNamed(source, fields) !== undefined) return undefined;
  const read = asked.value && source.read(asked.value);
  if (read?.value === null) return undefined;
  return read === undefined
    ? `attn_implementation on line ${source.lineOf(asked.at)} could not be read`
    : `attn_implementation ${JSON.stringify(read.value)} on line ${source.lineOf(asked.at)} has no account; sdpa is counted`;
}
