import { isDeepSpeed } from '../config/kind.ts';
import { configOfExpression } from '../config/pythonDictionary.ts';
import { type ConfigEntry, type ConfigMapping, entryAt, mappingAt } from '../config/tree.ts';
import type { ConfigContext, LintContext } from '../lint/rule.ts';
import { mentions } from '../python/mentions.ts';
import { expressionsOf } from '../python/walk.ts';

/** A DeepSpeed configuration, from a file or from a dictionary in Python. */
export interface DeepSpeedConfig {
  readonly root: ConfigMapping;
  /** The text it stands in, and how that text writes true. */
  readonly text: string;
  readonly trueLiteral: string;
}

/** The six keys DeepSpeed reads in `activation_checkpointing`. */
export const activationKeys = [
  'partition_activations',
  'cpu_checkpointing',
  'contiguous_memory_optimization',
  'number_checkpoints',
  'synchronize_checkpoint_boundary',
  'profile',
] as const;

export const blockName = 'activation_checkpointing';

export const blockOf = ({ root }: DeepSpeedConfig): ConfigMapping | undefined => mappingAt(root, blockName);

/** DeepSpeed's own file: what a framework hands on from settings of its own is for that framework to read. */
export function deepspeedFile({ file }: ConfigContext): DeepSpeedConfig | undefined {
  if (file.kind !== 'deepspeed' || describesModel(file.root)) return undefined;
  return { root: file.root, text: file.text, trueLiteral: 'true' };
}

/** GPT-NeoX writes the model, DeepSpeed's keys and others that are called like DeepSpeed's into one mapping. */
const describesModel = ({ entries }: ConfigMapping): boolean =>
  entries.some(({ key }) =>
    /^(num[-_]layers|hidden[-_]size|num[-_]attention[-_]heads|checkpoint[-_]activations)$/.test(key),
  );

/** Dictionaries of a Python file that are DeepSpeed configurations as they stand. */
export function deepspeedDictionaries({ module, names }: LintContext): DeepSpeedConfig[] {
  const { text } = module;
  if (!mentions(module, blockName) || laterChange.test(text)) return [];
  const found: DeepSpeedConfig[] = [];
  for (const expression of expressionsOf(module)) {
    if (expression.kind !== 'dictionary') continue;
    const root = configOfExpression(expression, names);
    if (
      root.kind === 'mapping' &&
      entryAt(root, blockName) !== undefined &&
      isDeepSpeed(root) &&
      !describesModel(root)
    ) {
      found.push({ root, text, trueLiteral: 'True' });
    }
  }
  return found;
}

/** `config["activation_checkpointing"]["partition_activations"] = …`: then a literal is only where it begins. */
const laterChange = new RegExp(
  `\\[\\s*["'](${[blockName, ...activationKeys].join('|')})["']\\s*\\]\\s*(=[^=]|\\[|\\.)`,
);

/** Anything in the block that asks for something; a block of nothing but false is written for the reader. */
export const asksForSomething = (block: ConfigMapping): boolean =>
  block.entries.some(
    ({ value }: ConfigEntry) => value.kind !== 'scalar' || (value.value !== false && value.value !== null),
  );
