import type { FlagList } from '../../config/flags.ts';
import type { ConfigMapping } from '../../config/tree.ts';
import type { Call, Collection, Expression, FunctionDefinition } from '../../python/ast.ts';
import { expressionsOf } from '../../python/walk.ts';
import type { SourceFile } from '../../workspace/workspace.ts';
import type { Fact, Place } from '../facts.ts';
import { openSource } from '../openSource.ts';
import type { Source } from '../source.ts';
import { type Given, givenInFlags, givenInTree } from './given.ts';
import { hydraSettings } from './hydra.ts';
import { isMegatron, readMegatron } from './megatron.ts';
import { isMmengine, readMmengine } from './mmengine.ts';
import { baseName, folderOf, type RunsAround } from './nearbyFiles.ts';
import { treeOfAssignments, treeOfExpression } from './pythonTree.ts';
import { present, type SaidRun } from './said.ts';
import { readSections } from './sections.ts';
import { readTorchtitan, titanModel } from './torchtitan.ts';

/** A run that Python code describes as settings, in one of the shapes that frameworks have for it. */
export interface PythonRun {
  readonly name: string;
  readonly said: SaidRun;
  readonly place: Place;
}

const mayDescribe =
  /hydra\.main|Trainer\.Config\(|TransformerConfig\(|--num-layers|^(model|train_dataloader|optim_wrapper|training_args|data) *= *dict\(/m;

/** torchtitan's registry, Megatron's configuration class and lists of its flags, mmengine's and xtuner's settings. */
export function pythonRuns(file: SourceFile, around: RunsAround): readonly PythonRun[] {
  if (!mayDescribe.test(file.text)) return [];
  const source = openSource(file.module, file.names, around.placeName(file.path));
  const givenOf = (tree: ConfigMapping): Given =>
    givenInTree(baseName(file.path), tree, file.text, (span) => source.placeOf(span));
  return [
    ...titanRuns(source, file, givenOf),
    ...transformerConfigs(source, givenOf),
    ...flagLists(source, file),
    ...mmengineRun(source, givenOf),
    ...hydraRun(source, file, around),
  ];
}

/** `def llama3_8b(): return Trainer.Config(model_spec=model_registry("8B"), …)`, each function a run of its own. */
function titanRuns(source: Source, file: SourceFile, givenOf: (tree: ConfigMapping) => Given): PythonRun[] {
  if (!file.text.includes('Trainer.Config(')) return [];
  return file.module.body.flatMap((statement): PythonRun[] => {
    const call = statement.kind === 'function' ? returnedConfig(source, statement) : undefined;
    const tree = call && treeOfExpression(source, call);
    if (statement.kind !== 'function' || call === undefined || tree?.kind !== 'mapping') return [];
    const given = givenOf(tree);
    const name = statement.name.name;
    return [
      { name, said: readTorchtitan(given, titanModelOf(source, call, file)), place: source.placeOf(statement.name) },
    ];
  });
}

/** A function's `return Trainer.Config(…)`; one that changes another's configuration first is left out. */
function returnedConfig(source: Source, { body }: FunctionDefinition): Call | undefined {
  const last = body.at(-1);
  const value = last?.kind === 'return' ? last.value : undefined;
  if (value?.kind !== 'call') return undefined;
  const { callee } = value;
  const written = source.module.text.slice(callee.start, callee.end);
  return /(^|\.)\w*Trainer\.Config$/.test(written) ? value : undefined;
}

/** The registry's key is the flavour; the package it stands in is the model. */
function titanModelOf(source: Source, call: Call, file: SourceFile) {
  const spec = call.arguments.find((one) => one.kind === 'keyword' && one.name.name === 'model_spec')?.value;
  const [root] = spec === undefined ? [] : source.rootsOf(spec);
  const flavor = root?.kind === 'call' ? root.arguments[0]?.value : undefined;
  const read = flavor && source.read(flavor);
  if (read === undefined || typeof read.value !== 'string') return undefined;
  const origin = { kind: 'literal', place: source.placeOf(read.at) } as const;
  const model: Fact<string> = { value: baseName(folderOf(file.path)), origin };
  return titanModel(model, { value: read.value, origin });
}

/** `TransformerConfig(num_layers=…, hidden_size=…, recompute_granularity="selective")` has the names of the flags. */
function transformerConfigs(source: Source, givenOf: (tree: ConfigMapping) => Given): PythonRun[] {
  return source.calls.flatMap(({ call }): PythonRun[] => {
    const { callee } = call;
    const name = callee.kind === 'attribute' ? callee.attribute.name : callee.kind === 'name' ? callee.name : '';
    if (!/^(MLA)?TransformerConfig$/.test(name)) return [];
    const tree = treeOfExpression(source, call);
    if (tree.kind !== 'mapping') return [];
    const given = givenOf(tree);
    return isMegatron(given) ? [{ name, said: readMegatron(given), place: source.placeOf(callee) }] : [];
  });
}

/** Lists of words for Megatron's command line: `["--num-layers", "32", …]`, or one text of them all. */
function flagLists(source: Source, file: SourceFile): PythonRun[] {
  if (!file.text.includes('--num-layers')) return [];
  const lists = [...expressionsOf(file.module)].filter(
    (expression): expression is Collection => expression.kind === 'list' || expression.kind === 'tuple',
  );
  return lists.flatMap((list): PythonRun[] => {
    const given = givenInFlags(baseName(file.path), wordsOf(source, list), (span) => source.placeOf(span));
    return isMegatron(given) ? [{ name: 'Megatron-LM', said: readMegatron(given), place: source.placeOf(list) }] : [];
  });
}

function wordsOf(source: Source, { elements }: Collection): FlagList {
  const words = elements.map((element) => {
    const value = source.read(textOf(element))?.value;
    const isPlain = typeof value === 'string' || typeof value === 'number';
    return { text: isPlain ? String(value) : undefined, at: { start: element.start, end: element.end } };
  });
  return { words, complete: elements.every(({ kind }) => kind !== 'starred') };
}

/** `str(layers)` is the number as a word. */
function textOf(element: Expression): Expression {
  const isText = element.kind === 'call' && element.callee.kind === 'name' && element.callee.name === 'str';
  return isText ? (element.arguments[0]?.value ?? element) : element;
}

function mmengineRun(source: Source, givenOf: (tree: ConfigMapping) => Given): PythonRun[] {
  const tree = treeOfAssignments(source);
  if (!isMmengine(tree)) return [];
  const said = readMmengine(givenOf(tree));
  const isTold = said.model !== undefined || Object.keys(present(said.settings)).length > 0;
  return isTold ? [{ name: 'mmengine', said, place: source.placeOf({ start: 0, end: 0 }) }] : [];
}

/** The settings that Hydra composes for the file's main function. */
function hydraRun(source: Source, file: SourceFile, around: RunsAround): PythonRun[] {
  const given = hydraSettings(source, file, around);
  const said = given && readSections(given);
  if (said === undefined || (said.model === undefined && said.settings.batch === undefined)) return [];
  return [{ name: 'Hydra', said, place: source.placeOf({ start: 0, end: 0 }) }];
}
