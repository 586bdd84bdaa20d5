import { type ConfigClass, configClass, configClassOfModelType } from '../families/configClass.ts';
import type { Fact } from './facts.ts';
import { readLibraryConfig } from './libraryConfig.ts';
import type { ConfigMaker } from './modelCandidates.ts';
import { noModel, onlyNamed } from './modelReading.ts';
import type { CallHere, Fields, Source, Use } from './source.ts';

/** Calls of transformers' configuration classes: `GPT2Config(n_layer=24)`, `AutoConfig.for_model("llama", …)`. */
export function configCalls(source: Source): readonly ConfigMaker[] {
  return source.calls.flatMap((here): ConfigMaker[] => {
    const name = configClassName(here);
    if (name === undefined) return [];
    const config = name === 'AutoConfig' ? classForModel(source, here) : configClass(name);
    if (config === undefined || config.library !== 'transformers') {
      const said = name === 'AutoConfig' ? 'this model type' : name;
      return [
        {
          call: here.call,
          rankAlone: 2,
          name,
          read: () =>
            onlyNamed(
              { value: name, origin: { kind: 'literal', place: source.placeOf(here.call.callee) } },
              `no PyTorch account for transformers ${said} yet`,
            ),
        },
      ];
    }
    return [{ call: here.call, rankAlone: 2, name: config.name, read: (use) => read(source, config, here, use) }];
  });
}

function read(source: Source, config: ConfigClass, here: CallHere, use: Use) {
  const name: Fact<string> = {
    value: config.name,
    origin: { kind: 'literal', place: source.placeOf(here.call.callee) },
  };
  const positional = here.call.arguments.find((argument) => argument.kind === 'positional');
  if (positional !== undefined && here.qualified?.endsWith('.for_model') !== true)
    return noModel(
      `${config.name} on line ${source.lineOf(here.call)} is given values by position, which are not read`,
    );
  const fields: Fields = source.fieldsOf(here.call, use) ?? source.givenTo(here.call);
  return readLibraryConfig(source, config, name, fields, undefined);
}

/** Configurations of something else than a model, or of parts of one. */
const notModels =
  /^(Generation|BitsAndBytes|GPTQ|Awq|TorchAo|Quanto|Hqq|Compile|Watermarking|Aqlm|Eetq|FbgemmFp8|Higgs|Vptq|Spqr|BitNet|FineGrainedFP8|Mxfp4|CompressedTensors|Quark|AutoRound|Pretrained|PreTrained|Onnx|Peft|Deepspeed|HfDeepSpeed|HfTrainerDeepSpeed|SynthIDTextWatermarking|Accelerator|Rope|ContinuousBatching)\w*Config$|^(PretrainedConfig|PreTrainedConfig)$/;

/** `transformers.GPT2Config`, `transformers.models.gpt2.configuration_gpt2.GPT2Config`, `transformers.AutoConfig.for_model`. */
function configClassName({ qualified }: CallHere): string | undefined {
  if (qualified === undefined || !qualified.startsWith('transformers.')) return undefined;
  const parts = qualified.split('.');
  const last = parts.at(-1) ?? '';
  if (last === 'for_model' && parts.at(-2) === 'AutoConfig') return 'AutoConfig';
  return /^[A-Z]\w*Config$/.test(last) && last !== 'AutoConfig' && !notModels.test(last) ? last : undefined;
}

function classForModel(source: Source, { call }: CallHere): ConfigClass | undefined {
  const [first] = call.arguments;
  const read = first?.kind === 'positional' ? source.read(first.value) : undefined;
  return typeof read?.value === 'string' ? configClassOfModelType(read.value) : undefined;
}
