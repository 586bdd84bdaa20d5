import type { SourceFile } from '../../workspace/workspace.ts';
import type { DataType } from '../facts.ts';
import { openSource } from '../openSource.ts';
import { givenInTree } from './given.ts';
import { modelOfId } from './models.ts';
import { baseName, folderOf, type RunsAround } from './nearbyFiles.ts';
import { treeOfAssignments } from './pythonTree.ts';
import { alsoSays, present, type SaidRun } from './said.ts';
import type { ChangedSizes } from './statedModel.ts';
import { choiceGiven, numberGiven, shareGiven, switchGiven, textGiven } from './values.ts';
import { dataTypeWords } from './words.ts';

/** What a file of plain assignments sets in the script that runs it over its own, as nanoGPT's configurator does. */
export interface OverSettings {
  readonly said: SaidRun;
  readonly sizes: ChangedSizes;
}

export function nanoGptSource(file: SourceFile, { placeName }: RunsAround): OverSettings {
  const source = openSource(file.module, file.names, placeName(file.path));
  const given = givenInTree(baseName(file.path), treeOfAssignments(source), file.text, (span) => source.placeOf(span));
  const sequence = numberGiven(given, 1024, 'block_size');
  const type = choiceGiven<DataType>(given, dataTypeWords, 'dtype');
  const settings = present({
    batch: numberGiven(given, 1, 'batch_size'),
    sequence,
    gradientAccumulation: numberGiven(given, 1, 'gradient_accumulation_steps'),
    dataType: type,
    autocast: type && alsoSays(type.value !== 'fp32', type),
    dropout: shareGiven(given, 0, 'dropout'),
  });
  const sizes: ChangedSizes = {
    layers: numberGiven(given, 1, 'n_layer'),
    hidden: numberGiven(given, 1, 'n_embd'),
    heads: numberGiven(given, 1, 'n_head'),
    vocabulary: numberGiven(given, 1, 'vocab_size'),
    maximumSequence: sequence,
    bias: switchGiven(given, true, 'bias'),
  };
  // `init_from = 'gpt2-xl'` starts from published weights, in their sizes.
  const start = textGiven(given, 'init_from');
  const model = start?.value.startsWith('gpt2') === true ? { model: modelOfId(start) } : {};
  return { said: { ...model, settings, defaults: {}, notes: given.notes }, sizes };
}

/** The script that runs such a file over its own settings: beside it, or in the folder above. */
export function scriptOver(file: SourceFile, { workspace }: RunsAround): SourceFile | undefined {
  if (workspace === undefined || !isOnlySettings(file)) return undefined;
  const folder = folderOf(file.path);
  for (const base of [folder, folderOf(folder)]) {
    const script = workspace.file(`${base}/train.py`);
    if (script !== undefined && script.path !== file.path && /\bexec\(\s*open\(/.test(script.text)) return script;
  }
  return undefined;
}

/** Assignments and nothing that does work; two names of nanoGPT tell it from other such files. */
function isOnlySettings(file: SourceFile): boolean {
  const known = file.text.match(settingPattern) ?? [];
  if (known.length < 2) return false;
  return file.module.body.every(
    (statement) =>
      ['assign', 'import', 'importFrom'].includes(statement.kind) ||
      (statement.kind === 'expression' && statement.value.kind !== 'call'),
  );
}

const settingPattern =
  /^(batch_size|block_size|n_layer|n_head|n_embd|dropout|gradient_accumulation_steps|init_from) *=/gm;
