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
  const { readings, problems: more } = readConfig(config, withNumberOfLabels(withRotaryParameters(source)));
  return {
    shape: shapeOfReadings(config, readings),
    configClass: config,
    readings,
    modelType,
    problems: [...problems, ...more, ...unaccounted(source, config)],
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

/** transformers 5 writes what is said about rotary positions into a dictionary of its own. */
function withRotaryParameters(source: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const rotary = source.rope_parameters;
  const part = isRecord(rotary) ? rotary.partial_rotary_factor : undefined;
  return part === undefined ? source : { partial_rotary_factor: part, ...source };
}

/** A classifier's file lists the names of its labels and leaves their number to the class. */
function withNumberOfLabels(source: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isRecord(source.id2label) ? { num_labels: Object.keys(source.id2label).length, ...source } : source;
}

/** Settings that change what autograd keeps and that the account does not follow. */
function unaccounted(source: Readonly<Record<string, unknown>>, config: ConfigClass): string[] {
  const problems: string[] = [];
  if (source.add_cross_attention === true)
    problems.push('cross-attention layers (add_cross_attention) are not counted');
  if (source.reorder_and_upcast_attn === true) problems.push('reorder_and_upcast_attn keeps fp32 scores; not counted');
  if (typeof source.layerdrop === 'number' && source.layerdrop > 0)
    problems.push('layers that LayerDrop skips are counted all the same');
  if (source.slow_but_exact === true) problems.push('slow_but_exact cuts products into pieces; not counted');
  if (source.use_bidirectional_attention === true || source.use_bidirectional_attention === 'all')
    problems.push('use_bidirectional_attention changes masks; causal attention is counted');
  if (source.is_decoder === true && config.settings?.head !== undefined)
    problems.push('is_decoder makes the encoder causal; it is counted as an encoder');
  if (source.output_router_logits === true)
    problems.push("the routers' auxiliary loss (output_router_logits) is not counted");
  if (isPositive(source.router_jitter_noise)) problems.push('router_jitter_noise is not counted');
  if (isPositive(source.chunk_size_feed_forward)) problems.push('chunk_size_feed_forward is not followed');
  if (isPositive(source.encoder_layerdrop) || isPositive(source.decoder_layerdrop) || isPositive(source.layerdrop))
    problems.push('layers that layerdrop leaves out at random are counted');
  if (source.quantization_config !== undefined) problems.push('quantised weights are counted as full weights');
  return problems;
}

const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
