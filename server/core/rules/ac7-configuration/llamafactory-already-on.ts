import type { SettingsFile } from '../../config/configFile.ts';
import { removeLines } from '../../config/setEntry.ts';
import { type ConfigEntry, entryAt, isMissing, switchAt } from '../../config/tree.ts';
import type { Finding, Fix, Rule } from '../../lint/rule.ts';
import { axolotlProblems } from '../axolotlSettings.ts';
import type { SettingProblem } from '../settingProblem.ts';
import { torchtitanProblems } from '../torchtitanSettings.ts';
import { torchtuneProblems } from '../torchtuneSettings.ts';

export const rule: Rule = {
  code: 'AC707',
  name: 'llamafactory-already-on',
  severity: 'information',
  summary: 'checkpointing settings that LLaMA-Factory, axolotl, torchtune or torchtitan ignore or refuse',
  *checkConfig({ file }): Generator<Finding> {
    if (file.format === 'shell') return;
    if (file.kind === 'llamafactory') yield* inLlamaFactory(file);
    for (const { entry, severity, message } of problemsIn(file))
      yield { ...place(entry), severity, message, fixes: [] };
  },
};

function problemsIn({ kind, root }: SettingsFile): readonly SettingProblem[] {
  switch (kind) {
    case 'axolotl':
      return axolotlProblems(root);
    case 'torchtune':
      return torchtuneProblems(root);
    case 'torchtitan':
      return torchtitanProblems(root);
    default:
      return [];
  }
}

/** It checkpoints unless its own switch says otherwise; the Trainer's switch comes on top of that. */
function* inLlamaFactory({ text, root }: SettingsFile): Generator<Finding> {
  const entry = entryAt(root, 'gradient_checkpointing');
  const given = switchAt(root, 'gradient_checkpointing');
  if (entry === undefined || given === undefined) return;
  const isDisabled = switchAt(root, 'disable_gradient_checkpointing') === true;
  if (given && isDisabled) {
    const message =
      'turns checkpointing on in spite of disable_gradient_checkpointing: the Trainer follows this switch';
    yield { ...place(entry), severity: 'warning', message, fixes: [] };
    // With arguments of its own the Trainer's switch chooses the variant.
  } else if (given && isMissing(root, 'gradient_checkpointing_kwargs')) {
    const edits = removeLines(text, entry);
    const fixes: Fix[] = edits === undefined ? [] : [{ title: 'Remove the line', preferred: false, edits }];
    yield {
      ...place(entry),
      message: 'is on already: LLaMA-Factory checkpoints unless disable_gradient_checkpointing is true',
      fixes,
    };
  } else if (!given && !isDisabled) {
    const message = 'does not turn checkpointing off: in LLaMA-Factory only disable_gradient_checkpointing: true does';
    yield { ...place(entry), severity: 'warning', message, fixes: turnOff(entry, root.layout) };
  }
}

function turnOff({ start, keyAt, value, shared }: ConfigEntry, layout: 'block' | 'braces'): Fix[] {
  if (shared || layout !== 'block') return [];
  const edits = [
    { span: { start, end: Math.max(keyAt.end, value.end) }, text: 'disable_gradient_checkpointing: true' },
  ];
  return [{ title: 'Turn checkpointing off with disable_gradient_checkpointing', preferred: false, edits }];
}

function place({ keyAt, value, shared }: ConfigEntry): Pick<Finding, 'at' | 'about'> {
  const isOnOneLine = !shared && value.kind === 'scalar';
  const at = { start: keyAt.start, end: isOnOneLine ? Math.max(keyAt.end, value.end) : keyAt.end };
  return { at, about: at };
}
