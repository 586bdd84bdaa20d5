import type { ModelShape } from '../budget/account.ts';
import { type ConfigClass, configClasses, configClassOfModelType } from './configClass.ts';
import { type ConfigReadings, readConfig, shapeOfReadings } from './readConfig.ts';

/** What a Hugging Face `config.json` says about a model. */
export interface HfConfig {
  /** Undefined where the model has no account; `problems` says why. */
  readonly shape: ModelShape | undefined;
  readonly configClass: ConfigClass | undefined;
  readonly readings: ConfigReadings | undefined;
  readonly modelType: string | undefined;
  readonly problems: readonly string[];
  /** Those of the problems that are about values which cannot be meant: a default stands in for each. */
  readonly refused: readonly string[];
}

/**
 * Reads a parsed `config.json` (any JSON value) as transformers would: `model_type` decides the class, absent keys take
 * that class's defaults. A multimodal file is read through its `text_config`.
 */
export function readHfConfig(json: unknown): HfConfig {
  if (!isRecord(json)) return unread(undefined, ['not a JSON object']);
  const text = json.text_config;
  const source = isRecord(text) && typeof text.model_type === 'string' ? text : json;
  const problems = source === json ? [] : ['only the language model (text_config) is counted'];
  const modelType = source.model_type;
  if (typeof modelType !== 'string') return unread(undefined, ['model_type is missing, so the model is not known']);
  const config = configClassOfModelType(modelType);
  if (config === undefined) {
    return unread(modelType, [`no PyTorch account for model_type ${modelType} yet (there is one for ${known()})`]);
  }
  const { readings, problems: more } = readConfig(config, source);
  return {
    shape: shapeOfReadings(config, readings),
    configClass: config,
    readings,
    modelType,
    problems: [...problems, ...more, ...unaccounted(source)],
    refused: more,
  };
}

const unread = (modelType: string | undefined, problems: readonly string[]): HfConfig => ({
  shape: undefined,
  configClass: undefined,
  readings: undefined,
  modelType,
  problems,
  refused: [],
});

const known = (): string =>
  configClasses()
    .flatMap((each) => each.modelType ?? [])
    .join(', ');

/** Settings that change what autograd keeps and that the account does not follow. */
function unaccounted(source: Readonly<Record<string, unknown>>): string[] {
  const problems: string[] = [];
  if (source.add_cross_attention === true)
    problems.push('cross-attention layers (add_cross_attention) are not counted');
  if (source.reorder_and_upcast_attn === true) problems.push('reorder_and_upcast_attn keeps fp32 scores; not counted');
  if (source.quantization_config !== undefined) problems.push('quantised weights are counted as full weights');
  return problems;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
