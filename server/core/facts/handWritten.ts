import type { Call, ClassDefinition, Expression } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import { type BlockEvidence, blockEvidence, spansOf } from './blockEvidence.ts';
import type { Fact } from './facts.ts';
import { instanceFields } from './fields.ts';
import { readHandWritten, sizeNamed } from './handWrittenModel.ts';
import { type ConfigMaker, copiesWeights } from './modelCandidates.ts';
import type { ModelCandidate } from './modelReading.ts';
import { type Field, type Fields, lastName, type Source } from './source.ts';

/**
 * Configurations of models that are written out by hand: a class of sizes in this file (nanoGPT's `GPTConfig`, Llama's
 * `ModelArgs`), a call of such a class from another file, and nanoGPT's module-level settings.
 */
export function handWrittenConfigs(source: Source): {
  readonly makers: readonly ConfigMaker[];
  readonly declared: readonly ModelCandidate[];
} {
  let evidence: BlockEvidence | undefined;
  const seen = (): BlockEvidence => {
    evidence ??= blockEvidence(source);
    return evidence;
  };
  const classes = source.classes.filter((owner) => looksLikeModel(instanceFields(source, owner, undefined)));
  const makers: ConfigMaker[] = [];
  const called = new Set<ClassDefinition>();
  for (const { call, definition, qualified, around } of source.calls) {
    const isOwn = definition?.kind === 'class' && classes.includes(definition);
    if (isOwn && around.function?.name.name !== copiesWeights) called.add(definition);
    const name = lastName(call.callee);
    const file =
      isOwn || definition !== undefined || !/(Config|Args|Params|Arguments)$/.test(name)
        ? undefined
        : outsideFile(source, call);
    if (!isOwn && file === undefined && !isFromAnotherFile(source, call, qualified, definition)) continue;
    const seenThere = file === undefined ? seen : file.evidence;
    const layersIn = isOwn || file?.evidence().hasLayers === true ? 'this file' : 'another file';
    makers.push({
      call,
      name,
      rankAlone: 2,
      read: (use) =>
        readHandWritten(
          source,
          nameFact(source, name, call.callee),
          source.fieldsOf(call, use) ?? source.givenTo(call),
          seenThere(),
          layersIn,
        ),
    });
  }
  makers.push(...dictionaries(source, seen));
  const declared = classes
    .filter((owner) => !called.has(owner))
    .map((owner) => ({
      name: owner.name.name,
      span: owner.name,
      isNamed: true,
      rank: 1,
      read: () =>
        readHandWritten(
          source,
          nameFact(source, owner.name.name, owner.name),
          instanceFields(source, owner, undefined),
          seen(),
          'this file',
        ),
    }));
  const settings = makers.length > 0 || declared.length > 0 ? [] : moduleSettings(source, seen);
  return { makers, declared: [...declared, ...settings] };
}

const nameFact = (source: Source, value: string, at: Span): Fact<string> => ({
  value,
  origin: { kind: 'literal', place: source.placeOf(at) },
});

/** The file that a class of sizes is imported from, where it has a decoder's sizes; its layers are often written there too. */
function outsideFile(source: Source, call: Call): { readonly evidence: () => BlockEvidence } | undefined {
  const outside = source.outside(call.callee);
  if (outside === undefined || !('definition' in outside) || outside.definition.kind !== 'class') return undefined;
  const there = outside.source;
  if (!looksLikeModel(instanceFields(there, outside.definition, undefined))) return undefined;
  let found: BlockEvidence | undefined;
  return {
    evidence() {
      if (found === undefined) {
        found = blockEvidence(there);
        source.belongsTo(there, spansOf(found));
      }
      return found;
    },
  };
}

/** The layers of the file from which the class is imported that is built with these sizes. */
function evidenceOfImported(source: Source, sizes: Expression): BlockEvidence | undefined {
  for (const { call, definition } of source.calls) {
    const [first] = call.arguments;
    if (definition !== undefined || first?.kind !== 'positional' || !source.rootsOf(first.value).includes(sizes))
      continue;
    const outside = source.outside(call.callee);
    if (outside === undefined || !('definition' in outside) || outside.definition.kind !== 'class') continue;
    const evidence = blockEvidence(outside.source);
    source.belongsTo(outside.source, spansOf(evidence));
    return evidence;
  }
  return undefined;
}

/** Dictionaries of sizes that are bound to a name, and those that wait in a table for their key. */
function dictionaries(source: Source, seen: () => BlockEvidence): ConfigMaker[] {
  return [...source.assignments].flatMap(([name, all]) =>
    all.flatMap(({ value }) => {
      if (value === undefined || !isDictionary(value)) return [];
      const fields = source.fieldsOf(value);
      const rows = [...(fields?.fields ?? [])].flatMap(([key, row]) =>
        row.value !== undefined && isDictionary(row.value)
          ? maker(row.value, `${name}[${JSON.stringify(key)}]`, -1)
          : [],
      );
      // Alone it may be anything: arguments for another call, a table for a report.
      return [...maker(value, name, 0.9), ...rows];
    }),
  );

  function maker(value: Expression, name: string, rankAlone: number): ConfigMaker[] {
    const fields = source.fieldsOf(value);
    if (fields === undefined || !looksLikeModel(fields)) return [];
    const read: ConfigMaker['read'] = (use) => {
      const own = seen();
      const evidence = own.hasLayers ? own : (evidenceOfImported(source, value) ?? own);
      const sizes = source.fieldsOf(value, use) ?? fields;
      const layersIn = evidence.hasLayers ? 'this file' : 'another file';
      return readHandWritten(source, nameFact(source, name, value), sizes, evidence, layersIn);
    };
    return [{ call: value, name, rankAlone, read }];
  }
}

const isDictionary = (value: Expression): boolean =>
  value.kind === 'dictionary' || (value.kind === 'call' && lastName(value.callee) === 'dict');

/** Layers, width, heads and a vocabulary: a decoder's sizes. Classes of image models have other fields besides. */
function looksLikeModel({ fields }: Fields): boolean {
  const has = (size: Parameters<typeof sizeNamed>[1]): boolean => sizeNamed(fields, size) !== undefined;
  if (!has('layers') || !has('hidden') || !has('heads') || !has('vocabulary')) return false;
  return ![...fields.keys()].some((name) =>
    /^(image_size|img_size|patch_size|num_classes|n_mels|n_audio_ctx)$/.test(name),
  );
}

/** `GPTConfig(**model_args)` and `ModelArgs(dim=…)` with nanoGPT's or Llama's own field names. */
function isFromAnotherFile(
  source: Source,
  call: Call,
  qualified: string | undefined,
  definition: ClassDefinition | unknown,
): boolean {
  if (definition !== undefined || qualified === undefined || /^(transformers|trl|peft|torch)\./.test(qualified))
    return false;
  if (!/(^|\.)(GPTConfig|ModelArgs|TransformerArgs|LlamaArgs)$/.test(qualified)) return false;
  const { fields } = source.givenTo(call);
  return ['layers', 'hidden', 'heads'].every((size) => sizeNamed(fields, size as 'layers') !== undefined);
}

const settingNames = ['n_layer', 'n_head', 'n_embd', 'block_size', 'vocab_size', 'dropout', 'bias'] as const;

/** nanoGPT's configuration files and lecture scripts: `n_layer = 12` and its companions at the top of the file. */
function moduleSettings(source: Source, seen: () => BlockEvidence): ModelCandidate[] {
  const fields = new Map<string, Field>();
  for (const name of settingNames) {
    const all = source.assignments.get(name) ?? [];
    const [only] = all;
    if (all.length === 0) continue;
    if (all.length > 1 || only?.around.function !== undefined) return [];
    const value: Expression | undefined = only?.value;
    const at = value ?? { start: 0, end: 0 };
    fields.set(name, { value, at, unless: undefined, option: undefined });
  }
  const first = fields.get('n_layer');
  if (first === undefined || !fields.has('n_embd') || !fields.has('n_head')) return [];
  const name: Fact<string> = {
    value: 'GPT',
    origin: {
      kind: 'derived',
      from: 'n_layer, n_head and n_embd at the top of the file',
      place: source.placeOf(first.at),
    },
  };
  return [
    {
      name: 'GPT',
      span: first.at,
      isNamed: true,
      rank: 1,
      read: () => {
        const evidence = seen();
        return readHandWritten(
          source,
          name,
          { fields, open: undefined },
          evidence,
          evidence.hasLayers ? 'this file' : 'another file',
        );
      },
    },
  ];
}
