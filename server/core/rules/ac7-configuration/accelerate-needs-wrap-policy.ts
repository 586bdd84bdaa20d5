import { type FlagList, flagGiven, type GivenFlag } from '../../config/flags.ts';
import { type ConfigMapping, entryAt, isMissing, mappingAt, scalarAt, switchAt } from '../../config/tree.ts';
import type { ConfigContext, Finding, Rule } from '../../lint/rule.ts';
import { namedConfig } from '../configPaths.ts';

const switchName = 'fsdp_activation_checkpointing';

export const rule: Rule = {
  code: 'AC706',
  name: 'accelerate-needs-wrap-policy',
  severity: 'error',
  summary: "Accelerate's FSDP activation checkpointing without layers to wrap, or beside the script's own switch",
  *checkConfig(context): Generator<Finding> {
    const { file } = context;
    if (file.kind === 'accelerate') yield* inAccelerate(file.root);
    if (file.format === 'shell') {
      for (const flags of file.flags) yield* inCommand(flags, context);
    }
  },
};

function* inAccelerate(root: ConfigMapping): Generator<Finding> {
  const fsdp = mappingAt(root, 'fsdp_config');
  const enabled = entryAt(fsdp, switchName);
  if (fsdp === undefined || enabled === undefined || switchAt(fsdp, switchName) !== true) return;
  const policy = scalarAt(fsdp, 'fsdp_auto_wrap_policy')?.value;
  const isAbsent = isMissing(fsdp, 'fsdp_auto_wrap_policy');
  if (!isAbsent && !(typeof policy === 'string' && policy.toUpperCase() === 'NO_WRAP')) return;
  const version = scalarAt(fsdp, 'fsdp_version')?.value;
  const isSecond = version === 2 || version === '2';
  const what = isSecond
    ? "raises TypeError: 'NoneType' object is not callable"
    : 'wraps every submodule on its own, so nested checkpoints recompute again and again and save little';
  const message = isAbsent
    ? `${what}, unless the script sets a wrap policy: fsdp_auto_wrap_policy is missing`
    : `${what}: fsdp_auto_wrap_policy is NO_WRAP`;
  const at = { start: enabled.keyAt.start, end: enabled.value.end };
  const severity = isSecond && !isAbsent ? 'error' : 'warning';
  yield { at, about: at, severity, message, fixes: [] };
}

/** `accelerate launch` with checkpointing in its configuration, and a script that is told to checkpoint as well. */
function* inCommand(flags: FlagList, { file, workspace }: ConfigContext): Generator<Finding> {
  const launch = flags.words.findIndex(({ text }) => text === 'accelerate' || text?.endsWith('/accelerate') === true);
  if (launch < 0 || flags.words[launch + 1]?.text !== 'launch') return;
  const own = flagGiven(flags, '--gradient_checkpointing');
  if (own === undefined || !isOn(own)) return;
  const given = flagGiven(flags, `--${switchName}`);
  const named = flagGiven(flags, '--config_file')?.value;
  const config = named === undefined ? undefined : namedConfig(named, file.path, workspace);
  const inFile = config?.kind === 'accelerate' && switchAt(config.root, 'fsdp_config', switchName) === true;
  if (given === undefined ? !inFile : !isOn(given)) return;
  const where = given === undefined ? `${named} turns on ${switchName}` : `--${switchName} is on`;
  const message = `checkpoints twice: ${where} as well, and the Transformers Trainer raises ValueError for both`;
  yield { at: own.at, about: own.at, severity: 'warning', message, fixes: [] };
}

/** `--flag`, `--flag True`; a value that is not known is none. */
const isOn = ({ value, hasValue }: GivenFlag): boolean => !hasValue || /^(true|1|yes)$/i.test(value ?? '');
