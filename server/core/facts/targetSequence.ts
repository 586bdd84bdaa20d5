import { configClasses } from '../families/configClass.ts';
import type { RunReading } from './batch.ts';
import type { ModelFacts } from './facts.ts';
import { isSize } from './modelReading.ts';
import { settingNamed } from './settings.ts';
import { factOf, lastName, type Source } from './source.ts';
import { type TrainerArguments, trainerNumber } from './trainer.ts';

/** Names of the decoder's length in the scripts of transformers and peft. */
const settings = [
  'max_target_length',
  'target_max_length',
  'max_target_len',
  'target_max_len',
  'max_output_length',
  'tgt_len',
  'decoder_max_length',
];

/** Tokens of the decoder's sequence, for a model that has an encoder too. */
export function readTargetSequence(
  source: Source,
  trainer: TrainerArguments | undefined,
  model: ModelFacts | undefined,
): RunReading<number> | undefined {
  if (model === undefined || !hasDecoderBeside(model)) return undefined;
  for (const { call } of source.calls) {
    if (!isTargetTokenizer(source, call)) continue;
    const length = source.givenTo(call).fields.get('max_length')?.value;
    const read = length && source.read(length);
    if (read !== undefined && isSize(read.value))
      return { fact: factOf(source, read, read.value), options: read.options, notes: [] };
  }
  const setting = settingNamed(source, settings);
  if (setting !== undefined && isSize(setting.value))
    return { fact: factOf(source, setting, setting.value), options: setting.options, notes: [] };
  const generated = trainer && trainerNumber(source, trainer, 'generation_max_length');
  return generated && { fact: generated, options: [], notes: [] };
}

/** Encoder-decoder families count their decoder's layers in a setting of their own. */
function hasDecoderBeside({ family }: ModelFacts): boolean {
  return configClasses().some(
    (config) =>
      config.family === family.value &&
      Object.keys(config.settings ?? {}).some((name) => /^(num_)?decoder_layers$/.test(name)),
  );
}

/** `labels = tokenizer(targets, max_length=…)` and `tokenizer(text_target=…, max_length=…)` are the decoder's. */
export function isTargetTokenizer(source: Source, call: Source['calls'][number]['call']): boolean {
  if (!/tokeni[sz]er$|^tok$/i.test(lastName(call.callee))) return false;
  const [first] = call.arguments;
  const isTarget = (name: string): boolean =>
    /^(labels?|targets?|target_text|summar(y|ies)|decoder_inputs?|answers?)$/i.test(name);
  return (
    call.arguments.some((argument) => argument.kind === 'keyword' && argument.name.name === 'text_target') ||
    isTarget(source.assignedName(call) ?? '') ||
    (first?.kind === 'positional' && isTarget(lastName(first.value)))
  );
}
