import { type ConfigEntry, mappingAt } from '../../config/tree.ts';
import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import {
  activationKeys,
  blockName,
  blockOf,
  type DeepSpeedConfig,
  deepspeedDictionaries,
  deepspeedFile,
} from '../deepspeedConfigs.ts';

export const rule: Rule = {
  code: 'AC703',
  name: 'deepspeed-misplaced-key',
  severity: 'warning',
  summary: "a key of DeepSpeed's activation checkpointing where DeepSpeed does not read it",
  *check(context): Generator<Finding> {
    for (const config of deepspeedDictionaries(context)) yield* inConfig(config);
  },
  *checkConfig(context): Generator<Finding> {
    const config = deepspeedFile(context);
    if (config !== undefined) yield* inConfig(config);
  },
};

/** What people take for keys of the block: parameters of `configure`, and a word from DeepSpeed's own error text. */
const meant: Readonly<Record<string, string>> = {
  partitioned_activations: 'partition_activations',
  checkpoint_in_cpu: 'cpu_checkpointing',
  contiguous_checkpointing: 'contiguous_memory_optimization',
  num_checkpoints: 'number_checkpoints',
  synchronize: 'synchronize_checkpoint_boundary',
};

const known: readonly string[] = activationKeys;
/** `profile` may be anyone's key; the others are nobody else's. */
const unmistakable = known.filter((key) => key !== 'profile');

function* inConfig(config: DeepSpeedConfig): Generator<Finding> {
  for (const entry of blockOf(config)?.entries ?? []) {
    if (!known.includes(entry.key) && !entry.shared) yield unknownKey(config, entry);
  }
  for (const entry of config.root.entries) {
    if (unmistakable.includes(entry.key)) {
      yield finding(entry, `is ignored at the top level: DeepSpeed reads ${entry.key} inside ${blockName}`);
    }
    if (entry.key === blockName) continue;
    const inner = mappingAt(config.root, entry.key)?.entries.find((one) => one.key === blockName);
    if (inner?.value.kind === 'mapping') yield finding(inner, misplaced(entry.key));
    else if (isBlock(entry)) {
      yield finding(entry, `is ignored: DeepSpeed reads the block under the name ${blockName}`);
    }
  }
}

/** The sections of pydantic models forbid what they do not know; DeepSpeed before 0.9 passed over it. */
const misplaced = (section: string): string =>
  section === 'zero_optimization'
    ? `is refused inside zero_optimization (extra fields are not permitted): DeepSpeed reads ${blockName} at the top level`
    : `is not read inside ${section}: DeepSpeed reads ${blockName} at the top level`;

const isBlock = ({ value }: ConfigEntry): boolean =>
  value.kind === 'mapping' && value.entries.some(({ key }) => unmistakable.includes(key));

function unknownKey({ text }: DeepSpeedConfig, entry: ConfigEntry): Finding {
  const right = Object.hasOwn(meant, entry.key) ? meant[entry.key] : undefined;
  if (right === undefined) return finding(entry, `is ignored: DeepSpeed knows no ${entry.key} in ${blockName}`);
  const { start, end } = entry.keyAt;
  const quote = /["']/.exec(text[start] ?? '')?.[0] ?? '';
  const edits = [{ span: { start, end }, text: `${quote}${right}${quote}` }];
  const fixes: Fix[] = [{ title: `Rename to ${right} (which turns it on)`, preferred: false, edits }];
  return { ...finding(entry, `is ignored: DeepSpeed calls it ${right}`), fixes };
}

const finding = ({ keyAt }: ConfigEntry, message: string): Finding => ({ at: keyAt, about: keyAt, message, fixes: [] });
