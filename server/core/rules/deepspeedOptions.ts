import { type GivenArgument, keywordNamed } from '../python/arguments.ts';
import type { Call } from '../python/ast.ts';
import type { CallIndex } from '../python/calls.ts';
import { constantOf } from '../python/constants.ts';
import type { Names } from '../python/names.ts';
import type { Span } from '../text/span.ts';

/** The options of DeepSpeed's activation checkpointing that a call in Python gives, with nothing else to add to them. */
export interface DeepSpeedOptions {
  readonly call: Call;
  readonly caller: 'configure' | 'lightning';
  readonly partition: Option;
  readonly contiguous: Option;
  /** Lightning never hands a number on. */
  readonly hasNumber: boolean;
  /** No object that says how the model is split among devices: it counts as whole. */
  readonly isWhole: boolean;
}

/** `is` is undefined where the value is not known. */
export interface Option {
  readonly is: boolean | undefined;
  readonly at: Span;
}

const configureNames = [
  'deepspeed.checkpointing.configure',
  'deepspeed.runtime.activation_checkpointing.checkpointing.configure',
];
const strategyNames = [
  'lightning.pytorch.strategies.DeepSpeedStrategy',
  'lightning.fabric.strategies.DeepSpeedStrategy',
  'pytorch_lightning.strategies.DeepSpeedStrategy',
  'lightning_fabric.strategies.DeepSpeedStrategy',
];

/** Calls whose options are all in view. Source: DeepSpeed's `configure`, Lightning's `DeepSpeedStrategy`. */
export function deepspeedOptions(calls: CallIndex, names: Names): DeepSpeedOptions[] {
  const found: DeepSpeedOptions[] = [];
  for (const { call, given } of calls.to(...configureNames)) {
    if (given.openKeywords || given.openPositional) continue;
    const argument = (name: string, position: number): GivenArgument | undefined =>
      keywordNamed(given, name) ?? given.positional[position];
    if (isGiven(argument('deepspeed_config', 1), names)) continue;
    found.push({
      call,
      caller: 'configure',
      partition: optionOf(argument('partition_activations', 2), call, names),
      contiguous: optionOf(argument('contiguous_checkpointing', 3), call, names),
      hasNumber: isGiven(argument('num_checkpoints', 4), names),
      isWhole: !isGiven(argument('mpu_', 0), names),
    });
  }
  for (const { call, given } of calls.to(...strategyNames)) {
    if (given.openKeywords || given.openPositional || isGiven(keywordNamed(given, 'config'), names)) continue;
    found.push({
      call,
      caller: 'lightning',
      partition: optionOf(keywordNamed(given, 'partition_activations'), call, names),
      contiguous: optionOf(keywordNamed(given, 'contiguous_memory_optimization'), call, names),
      hasNumber: false,
      isWhole: true,
    });
  }
  return found;
}

/** Given, and not for certain None. */
const isGiven = (argument: GivenArgument | undefined, names: Names): boolean =>
  argument !== undefined && constantOf(argument.value, names) !== null;

function optionOf(argument: GivenArgument | undefined, call: Call, names: Names): Option {
  if (argument === undefined) return { is: false, at: call.callee };
  const value = constantOf(argument.value, names);
  const at = 'argument' in argument ? (argument.argument as Span) : argument.value;
  return { is: typeof value === 'boolean' ? value : value === null ? false : undefined, at };
}
