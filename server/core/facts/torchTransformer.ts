import { type ConfigClass, configClass } from '../families/configClass.ts';
import type { Call, Expression } from '../python/ast.ts';
import type { Fact } from './facts.ts';
import { readLibraryConfig } from './libraryConfig.ts';
import { type ModelCandidate, type ModelReading, noModel } from './modelReading.ts';
import type { CallHere, Field, Fields, Source } from './source.ts';
import { isAside } from './standing.ts';

/**
 * torch's own transformer: `nn.TransformerEncoder(nn.TransformerEncoderLayer(…), num_layers=6)`, its decoder, and
 * `nn.Transformer`. A layer that is handed to no encoder is one layer.
 */
export function torchTransformers(source: Source): readonly ModelCandidate[] {
  const found = source.calls.flatMap((here): readonly Part[] => {
    const name = partName(here);
    return name === undefined || isAside(source, here) ? [] : [{ here, name }];
  });
  const stacked = new Set<Expression>();
  const stacks = found.flatMap((part) => {
    const layer = layerOf(source, part, found);
    if (layer !== undefined) stacked.add(layer.here.call);
    return part.name.endsWith('Layer') ? [] : [{ part, layer }];
  });
  const alone = found.filter(({ here, name }) => name.endsWith('Layer') && !stacked.has(here.call));
  return [...stacks, ...alone.map((layer) => ({ part: layer, layer }))].map(({ part, layer }) => ({
    name: `nn.${part.name}`,
    span: part.here.call,
    isNamed: true,
    rank: part === layer ? 1 : 3,
    read: () => read(source, part, layer),
  }));
}

interface Part {
  readonly here: CallHere;
  readonly name: PartName;
}

type PartName = keyof typeof positions;

const layerPositions = [
  'd_model',
  'nhead',
  'dim_feedforward',
  'dropout',
  'activation',
  'layer_norm_eps',
  'batch_first',
  'norm_first',
  'bias',
];
/** The parameters of torch's constructors in their order. */
const positions = {
  TransformerEncoderLayer: layerPositions,
  TransformerDecoderLayer: layerPositions,
  TransformerEncoder: ['encoder_layer', 'num_layers', 'norm'],
  TransformerDecoder: ['decoder_layer', 'num_layers', 'norm'],
  Transformer: [
    'd_model',
    'nhead',
    'num_encoder_layers',
    'num_decoder_layers',
    'dim_feedforward',
    'dropout',
    'activation',
    'custom_encoder',
    'custom_decoder',
    'layer_norm_eps',
    'batch_first',
    'norm_first',
    'bias',
  ],
} as const;

function partName({ qualified }: CallHere): PartName | undefined {
  const name = /^torch\.nn\.(?:modules\.(?:transformer\.)?)?(Transformer\w*)$/.exec(qualified ?? '')?.[1];
  return name !== undefined && Object.hasOwn(positions, name) ? (name as PartName) : undefined;
}

/** The layer that an encoder is given. */
function layerOf(source: Source, { here, name }: Part, parts: readonly Part[]): Part | undefined {
  if (name !== 'TransformerEncoder' && name !== 'TransformerDecoder') return undefined;
  const layer = named(here.call, name).get(`${name === 'TransformerEncoder' ? 'en' : 'de'}coder_layer`);
  const roots = layer === undefined ? [] : source.rootsOf(layer);
  return parts.find((part) => roots.length === 1 && part.here.call === roots[0]);
}

function read(source: Source, part: Part, layer: Part | undefined): ModelReading {
  const line = source.lineOf(part.here.call);
  const isStack = part.name !== 'Transformer' && !part.name.endsWith('Layer');
  if (isStack && layer === undefined)
    return noModel(`the layer that nn.${part.name} on line ${line} is given is not known`);
  const name: Fact<string> = {
    value: `nn.${part.name}`,
    origin: { kind: 'literal', place: source.placeOf(part.here.call.callee) },
  };
  const config: ConfigClass | undefined = configClass(layer?.name ?? part.name);
  if (config === undefined) return noModel(`no PyTorch account for nn.${part.name} yet`);
  const fields = new Map<string, Field>();
  for (const each of layer === undefined || layer === part ? [part] : [layer, part])
    for (const [key, value] of named(each.here.call, each.name))
      fields.set(key, { value, at: value, unless: undefined, option: undefined });
  if (fields.has('norm')) fields.set('final_norm', switchedOn(fields.get('norm')));
  const open = [part, layer].map((each) => each?.here.call.arguments.find(({ kind }) => kind === 'splat'));
  const given: Fields = { fields, open: open.find((each) => each !== undefined) };
  return readLibraryConfig(source, config, name, given, undefined);
}

/** A norm is given, or `None`. */
function switchedOn(field: Field | undefined): Field {
  const at = field?.value ?? { start: 0, end: 0 };
  const isNone = field?.value?.kind === 'constant' && field.value.value === null;
  const value: Expression = { kind: 'constant', value: !isNone, start: at.start, end: at.end };
  return { value, at, unless: undefined, option: undefined };
}

function named(call: Call, name: PartName): ReadonlyMap<string, Expression> {
  const given = new Map<string, Expression>();
  let position = 0;
  for (const argument of call.arguments) {
    if (argument.kind === 'keyword') given.set(argument.name.name, argument.value);
    const parameter = argument.kind === 'positional' ? positions[name][position++] : undefined;
    if (parameter !== undefined && argument.kind === 'positional') given.set(parameter, argument.value);
  }
  return given;
}
