import { addKeyword } from '../../lint/addKeyword.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { type GivenKeyword, keywordNamed, literalEntries } from '../../python/arguments.ts';
import type { Expression } from '../../python/ast.ts';
import type { ResolvedCall } from '../../python/calls.ts';
import { constantOf } from '../../python/constants.ts';
import type { Names } from '../../python/names.ts';
import type { TextEdit } from '../../text/edit.ts';
import { literalBehind, trainerConfigs } from '../trainingArguments.ts';

export const rule: Rule = {
  code: 'AC604',
  name: 'hf-fsdp-both',
  severity: 'error',
  summary: '`gradient_checkpointing` of the Trainer beside FSDP, or beside the checkpointing FSDP does itself',
  *check(context): Generator<Finding> {
    const { calls, names } = context;
    for (const config of trainerConfigs(calls)) {
      const keyword = keywordNamed(config.given, 'gradient_checkpointing');
      if (keyword === undefined || keyword.preset || constantOf(keyword.value, names) !== true) continue;
      const modes = fsdpModes(config, names);
      if (modes.length === 0) continue;
      const own = fsdpCheckpointing(config, names);
      const toFalse = { span: { start: keyword.value.start, end: keyword.value.end }, text: 'False' };
      const base = { at: keyword.argument, about: config.call };
      if (own === true) {
        const message =
          'raises ValueError: activation_checkpointing in the FSDP config and gradient_checkpointing exclude each other';
        yield {
          ...base,
          message,
          fixes: [{ title: "Leave checkpointing to FSDP's own", preferred: true, edits: [toFalse] }],
        };
      } else if (own === false && modes.includes('full_shard') && isReentrant(context, config)) {
        const message =
          "reentrant regions around sharded layers gather each layer's parameters once more in backward; FSDP's own activation_checkpointing does not";
        yield { ...base, severity: 'warning', message, fixes: fixesFor(context, config, toFalse, modes) };
      }
    }
  },
};

/** The words of `fsdp="full_shard auto_wrap"`, or of the list form. */
function fsdpModes(config: ResolvedCall, names: Names): readonly string[] {
  const keyword = keywordNamed(config.given, 'fsdp');
  if (keyword === undefined) return [];
  const value = literalBehind(keyword.value, names);
  const parts = value.kind === 'list' ? value.elements : [value];
  return parts.flatMap((part) => {
    const constant = constantOf(part, names);
    return typeof constant === 'string' ? constant.split(/\s+/).filter((word) => word !== '') : [];
  });
}

/** What `fsdp_config` says about checkpointing; undefined where it is a file or otherwise not in view. */
function fsdpCheckpointing(config: ResolvedCall, names: Names): boolean | undefined {
  const given = keywordNamed(config.given, 'fsdp_config');
  if (given === undefined) return config.given.openKeywords ? undefined : false;
  if (literalEntries(literalBehind(given.value, names)) === undefined) return undefined;
  const value = entryOf(config, names, 'activation_checkpointing');
  if (value === undefined) return false;
  const constant = constantOf(value, names);
  if (typeof constant === 'boolean') return constant;
  // The Trainer does not look at the word: every text that is not empty counts as true.
  return typeof constant === 'string' ? constant !== '' : undefined;
}

/** transformers strips `fsdp_` from keys that begin with it. */
function entryOf(config: ResolvedCall, names: Names, name: string): Expression | undefined {
  const given = keywordNamed(config.given, 'fsdp_config');
  const entries = given === undefined ? undefined : literalEntries(literalBehind(given.value, names));
  return entries?.find((entry) => entry.name === name || entry.name === `fsdp_${name}`)?.value;
}

/**
 * The variant the Trainer's regions certainly have. Measured on torch 2.13: around FSDP modules the reentrant one gathers
 * three times a step, the other one twice, as without checkpointing; so does either one under FSDP2.
 */
function isReentrant({ names, versions }: LintContext, config: ResolvedCall): boolean {
  if (entryOf(config, names, 'version') !== undefined) return false;
  const given = keywordNamed(config.given, 'gradient_checkpointing_kwargs');
  if (given === undefined) return !config.given.openKeywords && versions.transformers?.major === 4;
  const entries = literalEntries(literalBehind(given.value, names));
  const chosen = entries?.find(({ name }) => name === 'use_reentrant');
  return chosen !== undefined && constantOf(chosen.value, names) === true;
}

function fixesFor({ module }: LintContext, config: ResolvedCall, toFalse: TextEdit, modes: readonly string[]): Fix[] {
  const given: GivenKeyword | undefined = keywordNamed(config.given, 'fsdp_config');
  // Without a wrap policy FSDP has no layers to checkpoint.
  if (given !== undefined || !modes.includes('auto_wrap')) return [];
  const added = addKeyword(module, config.call, 'fsdp_config={"activation_checkpointing": True}');
  return added === undefined
    ? []
    : [{ title: 'Let FSDP do the checkpointing', preferred: false, edits: [toFalse, ...added] }];
}
