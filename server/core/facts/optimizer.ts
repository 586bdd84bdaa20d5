import { optimizerWords } from './configFiles/words.ts';
import type { Fact, OptimizerImplementation, OptimizerName } from './facts.ts';
import { implementationByDefault, implementationNamed, implementationOf } from './optimizerImplementation.ts';
import { optionNamed, optionNumber } from './settings.ts';
import { type CallHere, factOf, lastName, type Source } from './source.ts';
import { isAside } from './standing.ts';
import { type TrainerArguments, trainerValue } from './trainer.ts';

export interface OptimizerReading {
  readonly fact: Fact<OptimizerName> | undefined;
  readonly implementation?: Fact<OptimizerImplementation> | undefined;
  readonly options: readonly string[];
  readonly notes: readonly string[];
}

/** The optimizer: the trainer's `optim`, else the class that the file makes one of. Several that differ are none. */
export function readOptimizer(source: Source, trainer: TrainerArguments | undefined): OptimizerReading {
  const asked = trainer && trainerValue(source, trainer, 'optim');
  if (asked !== undefined && typeof asked.value === 'string') {
    const name = wordFor(asked.value);
    return name === undefined
      ? { ...nothing, notes: [withoutAccount(asked.value, source.lineOf(asked.at))] }
      : {
          fact: factOf(source, asked, name),
          implementation: implementationNamed(source, asked),
          options: asked.options,
          notes: [],
        };
  }
  const made = source.calls.flatMap((here): readonly Made[] => {
    const written = optimizerClass(here);
    if (written === undefined || isAside(source, here)) return [];
    return [{ here, written, name: classes[written] ?? sgd(source, here, written) }];
  });
  const [first] = made;
  if (first === undefined)
    return trainer === undefined
      ? ofOption(source)
      : { ...ofOption(source), implementation: implementationByDefault(source, trainer) };
  if (new Set(made.map(({ name, written }) => name ?? written)).size > 1) {
    const places = made.map(({ here, written }) => `${written} on line ${source.lineOf(here.call)}`);
    return { ...nothing, notes: [`which optimizer trains is not known: ${places.join(', ')}`] };
  }
  if (first.name === undefined)
    return { ...nothing, notes: [withoutAccount(first.written, source.lineOf(first.here.call))] };
  const place = source.placeOf(first.here.call.callee);
  return {
    fact: { value: first.name, origin: { kind: 'literal', place } },
    implementation: implementationOf(source, first.here),
    options: [],
    notes: [],
  };
}

/** Scripts that hand the choice on: `create_optimizer_v2(model, opt=args.opt)`. timm's SGD has momentum. */
function ofOption(source: Source): OptimizerReading {
  const read = optionNamed(source, ['optim', 'optimizer', 'opt', 'optimizer_name', 'optimizer_type']);
  const name = read && wordFor(String(read.value));
  if (read === undefined || name === undefined) return nothing;
  const momentum = optionNumber(source, 'momentum') ?? 0;
  const fact = factOf(source, read, name === 'sgd' && momentum > 0 ? 'sgd-momentum' : name);
  return { fact, options: read.options, notes: [] };
}

interface Made {
  readonly here: CallHere;
  readonly written: string;
  readonly name: OptimizerName | undefined;
}

const nothing: OptimizerReading = { fact: undefined, options: [], notes: [] };

const withoutAccount = (name: string, line: number): string =>
  `the optimizer ${name} (line ${line}) has no account of its own; AdamW's states are counted`;

const wordFor = (word: string): OptimizerName | undefined => {
  const small = word.toLowerCase();
  return Object.hasOwn(optimizerWords, small) ? optimizerWords[small] : undefined;
};

/** Optimizer classes of the libraries people train with, by their own names; Adam keeps what AdamW keeps. */
const classes: Readonly<Record<string, OptimizerName>> = {
  Adam: 'adamw',
  AdamW: 'adamw',
  FusedAdam: 'adamw',
  DeepSpeedCPUAdam: 'adamw',
  Adam8bit: 'adamw-8bit',
  AdamW8bit: 'adamw-8bit',
  PagedAdam: 'paged-adamw',
  PagedAdamW: 'paged-adamw',
  PagedAdam32bit: 'paged-adamw',
  PagedAdamW32bit: 'paged-adamw',
  PagedAdam8bit: 'paged-adamw-8bit',
  PagedAdamW8bit: 'paged-adamw-8bit',
  Adafactor: 'adafactor',
  Lion: 'lion',
  Lion8bit: 'lion-8bit',
  Muon: 'muon',
  SingleDeviceMuon: 'muon',
  MuonWithAuxAdam: 'muon',
};

const libraries =
  /^(torch\.optim|transformers|bitsandbytes|bnb|apex\.optimizers|deepspeed\.ops|lion_pytorch|muon|torchao|timm\.optim|optimi|accelerate\.utils)(\.|$)/;
const others =
  /^(Adadelta|Adagrad|Adamax|ASGD|LBFGS|NAdam|RAdam|RMSprop|Rprop|SparseAdam|LAMB|FusedLAMB|DummyOptim|AdEMAMix|AdEMAMix8bit|SOAP|Shampoo)$/;

function optimizerClass({ qualified, call }: CallHere): string | undefined {
  if (qualified === undefined || !libraries.test(qualified)) return undefined;
  const name = lastName(call.callee);
  const own = qualified.slice(qualified.lastIndexOf('.') + 1);
  if (own === 'DummyOptim') return undefined;
  return own === 'SGD' || Object.hasOwn(classes, own) || others.test(own) ? own : classes[name] && name;
}

/** Plain SGD keeps nothing; a momentum keeps one tensor for each parameter. */
function sgd(source: Source, { call }: CallHere, written: string): OptimizerName | undefined {
  if (written !== 'SGD') return undefined;
  const third = call.arguments[2];
  const given = source.givenTo(call);
  const momentum = given.fields.get('momentum')?.value ?? (third?.kind === 'positional' ? third.value : undefined);
  if (momentum === undefined) return given.open === undefined ? 'sgd' : undefined;
  const value = source.read(momentum)?.value;
  return value === 0 ? 'sgd' : 'sgd-momentum';
}
