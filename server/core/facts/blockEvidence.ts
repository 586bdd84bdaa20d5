import type { Span } from '../text/span.ts';
import type { ActivationFunction } from './facts.ts';
import { type CallHere, lastName, type Source } from './source.ts';

/** What the layers that are written out in a file are made of, read from the calls in it. */
export interface BlockEvidence {
  /** False where the file has no layers at all, only their sizes. */
  readonly hasLayers: boolean;
  readonly rmsNorm: Span | undefined;
  readonly layerNorm: Span | undefined;
  /** A LayerNorm of its own that computes mean and variance itself, and so keeps the tensors of each step. */
  readonly layerNormByHand: Span | undefined;
  readonly rotary: Span | undefined;
  readonly experts: Span | undefined;
  readonly activations: readonly { readonly value: ActivationFunction; readonly at: Span }[];
  /** `output.weight = embedding.weight`. */
  readonly tiedWeights: Span | undefined;
  readonly fusedAttention: Span | undefined;
  readonly flashAttention: Span | undefined;
  readonly softmax: Span | undefined;
  /** A linear layer made with `bias=False`. */
  readonly withoutBias: Span | undefined;
  /** `4 * hidden` as the width of the MLP. */
  readonly multiple: { readonly value: number; readonly at: Span } | undefined;
}

export function blockEvidence(source: Source): BlockEvidence {
  const named = (pattern: RegExp): CallHere | undefined =>
    source.calls.find(({ call }) => pattern.test(lastName(call.callee)));
  const at = (pattern: RegExp): Span | undefined => named(pattern)?.call;
  const classNamed = (pattern: RegExp): Span | undefined =>
    source.classes.find(({ name }) => pattern.test(name.name))?.name;
  const tied = source.changes.find(
    ({ key, value }) => key === 'weight' && value?.kind === 'attribute' && value.attribute.name === 'weight',
  );
  return {
    hasLayers: named(/^(Linear|LayerNorm|RMSNorm|Conv1D)$/) !== undefined,
    rmsNorm: at(/rms_?norm/i) ?? classNamed(/rms_?norm/i),
    layerNorm: at(/layer_?norm/i),
    layerNormByHand: source.classes.find(({ name, start, end }) => {
      const text = source.module.text.slice(start, end);
      return /layer_?norm/i.test(name.name) && /\.(mean|var|std)\(/.test(text) && !/layer_norm\(/.test(text);
    })?.name,
    rotary: at(/rotary|rope(?!n)|freqs_cis/i) ?? classNamed(/rotary|rope(?!n)/i),
    experts: at(/experts?$|moe|router/i) ?? classNamed(/expert|moe|router/i),
    activations: activationsIn(source),
    tiedWeights: tied?.span,
    fusedAttention: at(/^scaled_dot_product_attention$/),
    flashAttention: at(/^flash_attn(_varlen)?(_qkvpacked|_kvpacked)?_func$/),
    softmax: at(/softmax$/i),
    withoutBias: source.calls.find(({ call }) => lastName(call.callee) === 'Linear' && isWithoutBias(source, call))
      ?.call,
    multiple: multipleOfHidden(source),
  };
}

/** Where all of it was seen. */
export const spansOf = ({ activations, multiple, hasLayers: _, ...spans }: BlockEvidence): readonly Span[] =>
  [...Object.values(spans), ...activations.map(({ at }) => at), multiple?.at].filter((span) => span !== undefined);

function activationsIn(source: Source): BlockEvidence['activations'] {
  return source.calls.flatMap(({ call, definition }): BlockEvidence['activations'] => {
    const name = lastName(call.callee);
    const at = { start: call.start, end: call.end };
    if (/^(NewGELU|new_gelu|gelu_new|NewGELUActivation)$/.test(name)) return [{ value: 'gelu_new', at }];
    // A GELU written out by hand keeps the tensors of each of its steps, as transformers' gelu_new does.
    if (/^(gelu|GELU)$/.test(name)) return [{ value: definition === undefined ? 'gelu' : 'gelu_new', at }];
    if (/^(silu|SiLU|swish|SwiGLU|swiglu)$/.test(name)) return [{ value: 'silu', at }];
    if (/^(relu|ReLU)$/.test(name)) return [{ value: 'relu', at }];
    return [];
  });
}

function isWithoutBias(source: Source, call: CallHere['call']): boolean {
  const bias = call.arguments.find((argument) => argument.kind === 'keyword' && argument.name.name === 'bias');
  return bias !== undefined && source.read(bias.value)?.value === false;
}

/** The second argument of `Linear(hidden, 4 * hidden)`; three times is the fused query, key and value. */
function multipleOfHidden(source: Source): BlockEvidence['multiple'] {
  for (const { call } of source.calls) {
    const output = call.arguments[1];
    if (lastName(call.callee) !== 'Linear' || output?.value.kind !== 'binary' || output.value.operator !== '*')
      continue;
    const { left, right } = output.value;
    const factor = left.kind === 'number' ? left.value : right.kind === 'number' ? right.value : undefined;
    const other = left.kind === 'number' ? right : left;
    const names = other.kind === 'name' || other.kind === 'attribute' || other.kind === 'subscript';
    if (factor !== undefined && names && factor !== 3 && factor >= 2 && factor <= 8)
      return { value: factor, at: { start: output.start, end: output.end } };
  }
  return undefined;
}
