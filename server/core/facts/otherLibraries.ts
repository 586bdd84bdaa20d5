import { configClass } from '../families/configClass.ts';
import { timmModel, torchvisionModel } from '../families/visionModels.ts';
import type { Call, Expression } from '../python/ast.ts';
import type { Fact } from './facts.ts';
import { withImageSize } from './imageSize.ts';
import { readLibraryConfig } from './libraryConfig.ts';
import { type ModelCandidate, type ModelReading, noModel, onlyNamed } from './modelReading.ts';
import { type CallHere, type Fields, factOf, lastName, type Source, writtenAs } from './source.ts';
import { isAside } from './standing.ts';

/** Models that other libraries make by name; of those without an account the name is what is known. */
export function modelsOfOtherLibraries(source: Source): readonly ModelCandidate[] {
  return source.calls.flatMap((here): readonly ModelCandidate[] => {
    const found = isAside(source, here) ? undefined : named(source, here);
    if (found === undefined) return [];
    const { library, expression } = found;
    const read = source.read(expression);
    const isText = typeof read?.value === 'string';
    const value = isText ? String(read.value) : className(here);
    if (!isText && makers.test(value)) return [unnamed(source, here, expression)];
    const name =
      read !== undefined && isText
        ? factOf(source, read, value)
        : ({ value, origin: { kind: 'literal', place: source.placeOf(here.call.callee) } } as const);
    return [
      {
        name: value,
        span: here.call,
        isNamed: true,
        rank: 3.5,
        read: () => {
          const reading =
            readVision(source, here, library, name) ??
            onlyNamed(name, `no PyTorch account for ${library}'s ${value} yet`);
          return { ...reading, options: [...(isText ? (read?.options ?? []) : []), ...reading.options] };
        },
      },
    ];
  });
}

/** Functions that make whichever model they are given the name of. */
const makers = /^(create_model(_and_transforms)?|get_model)$/;

function unnamed(source: Source, { call }: CallHere, expression: Expression): ModelCandidate {
  const what = expression === call ? '' : `, ${writtenAs(source, expression)},`;
  const note = `the model that line ${source.lineOf(call)} makes${what} could not be read`;
  return { name: lastName(call.callee), span: call, isNamed: false, rank: 3.5, read: () => noModel(note) };
}

/** A model of images whose maker is known by name, with what the call gives beside it (`num_classes`, `img_size`). */
function readVision(source: Source, { call }: CallHere, library: string, name: Fact<string>): ModelReading | undefined {
  const given = source.givenTo(call);
  const fields = library === 'timm' ? withoutNone(source, given) : given;
  const vision =
    library === 'timm'
      ? timmModel(name.value, fields.fields.has('num_classes'))
      : library === 'torchvision'
        ? torchvisionModel(name.value)
        : undefined;
  const config = vision && configClass(vision.configClass);
  if (vision === undefined || config === undefined) return undefined;
  const place = 'place' in name.origin ? name.origin.place : undefined;
  const origin = { kind: 'registry', model: name.value, ...(place && { place }) } as const;
  const reading = readLibraryConfig(source, config, name, fields, { values: vision.arguments, origin });
  // Both libraries call torch's scaled_dot_product_attention, whatever transformers would do.
  const attention = { value: 'sdpa', origin: { kind: 'default', library, what: 'attention' } } as const;
  const setting = anySize[vision.configClass];
  const sized = setting === undefined || fields.fields.has(setting) ? reading : withImageSize(source, reading, setting);
  return { ...sized, attention };
}

/** Convolutional networks take images of any size; the others are made for one. */
const anySize: Readonly<Record<string, 'image_size' | 'img_size'>> = { ResNet: 'image_size', ConvNeXt: 'img_size' };

/** timm passes over what is `None`, so that scripts hand on options that nobody gave. */
const withoutNone = (source: Source, { fields, open }: Fields): Fields => ({
  fields: new Map([...fields].filter(([, { value }]) => value === undefined || source.read(value)?.value !== null)),
  open,
});

/** `torchvision.models.__dict__[args.arch]()` */
function tableOfModels(source: Source, { callee }: Call): Expression | undefined {
  if (callee.kind !== 'subscript' || callee.object.kind !== 'attribute') return undefined;
  const { object, attribute } = callee.object;
  const isTable = attribute.name === '__dict__' && source.names.qualifiedName(object) === 'torchvision.models';
  return isTable ? callee.indices[0] : undefined;
}

/** `UNet2DConditionModel.from_pretrained` is the class. */
function className({ call, qualified }: CallHere): string {
  const name = lastName(call.callee);
  return /^from_/.test(name) ? (qualified?.split('.').at(-2) ?? name) : name;
}

interface Named {
  readonly library: string;
  /** What says which model it is; a text, or the call itself. */
  readonly expression: Expression;
}

function named(source: Source, { qualified, call }: CallHere): Named | undefined {
  const byName = tableOfModels(source, call);
  if (byName !== undefined) return { library: 'torchvision', expression: byName };
  if (qualified === undefined) return undefined;
  const given = (name: string): Expression | undefined => {
    const [first] = call.arguments;
    return source.givenTo(call).fields.get(name)?.value ?? (first?.kind === 'positional' ? first.value : undefined);
  };
  if (/^timm\.(models\.)?(\w+\.)?create_model$/.test(qualified))
    return { library: 'timm', expression: given('model_name') ?? call };
  if (/^open_clip\.(\w+\.)*create_model(_and_transforms)?$/.test(qualified))
    return { library: 'OpenCLIP', expression: given('model_name') ?? call };
  if (
    /^torchvision\.models\.(\w+\.)*[a-z]\w*$/.test(qualified) &&
    !/\.(get_model_weights|get_weight|list_models)$/.test(qualified)
  )
    return { library: 'torchvision', expression: qualified.endsWith('.get_model') ? (given('name') ?? call) : call };
  if (
    /^diffusers\.(\w+\.)*\w*(Transformer|UNet)\w*\.(from_pretrained|from_config)$/.test(qualified) ||
    /^diffusers\.(\w+\.)*(UNet2D|\w+Transformer2D)\w*Model$/.test(qualified)
  )
    return { library: 'diffusers', expression: given('pretrained_model_name_or_path') ?? call };
  if (/^mamba_ssm\.(\w+\.)*(MambaLMHeadModel|Mamba2?)(\.from_pretrained)?$/.test(qualified))
    return {
      library: 'mamba_ssm',
      expression: qualified.endsWith('from_pretrained') ? (given('pretrained_model_name') ?? call) : call,
    };
  return undefined;
}
