import { keywordNamed } from '../python/arguments.ts';
import type { Expression, For, FunctionDefinition, NumberLiteral } from '../python/ast.ts';
import type { CheckpointSite } from '../sites/checkpointSite.ts';
import { contains } from '../text/span.ts';
import { type ChosenStrategy, chosenText } from './chosen.ts';
import { dropUnused } from './dropUnused.ts';
import { type ApplyContext, type ApplyPlace, type Change, cannot, change } from './place.ts';
import { indentationOf, replacement, standsAlone } from './sourceLayout.ts';

/** `for start in range(0, len(layers), k)` that checkpoints a function which runs `layers[start : start + k]`. */
interface SegmentedLoop {
  readonly site: CheckpointSite;
  readonly loop: For;
  readonly run: FunctionDefinition;
  readonly inner: For;
  /** `k`, in the range and in the slice. */
  readonly lengths: readonly [NumberLiteral, NumberLiteral];
}

/** Segments as this tool writes them, and people who write them the same way. */
export const segmentedPlaces = (context: ApplyContext): ApplyPlace[] =>
  segmentedLoops(context).map((found) => ({
    form: 'loop',
    what: `the segments on line ${context.lineOf(found.loop)}`,
    at: found.loop,
    isOn: true,
    put: (chosen) => put(context, found, chosen),
  }));

export const segmentedLoops = (context: ApplyContext): SegmentedLoop[] =>
  context.sites.flatMap((site) => segmentedAt(context, site) ?? []);

function segmentedAt({ around, names }: ApplyContext, site: CheckpointSite): SegmentedLoop | undefined {
  const loop = around(site.call).loops.at(-1);
  const first = (keywordNamed(site.given, 'function') ?? site.given.positional[0])?.value;
  if (loop?.kind !== 'for' || first?.kind !== 'name' || loop.body.length !== 1) return undefined;
  const [binding, ...others] = names.bindingsOf(first);
  const run = binding?.to === 'definition' && others.length === 0 ? binding.definition : undefined;
  const [inner, last, ...more] = run?.kind === 'function' ? run.body : [];
  if (run?.kind !== 'function' || inner?.kind !== 'for' || last?.kind !== 'return' || more.length > 0) return undefined;
  const step =
    loop.iterable.kind === 'call' && loop.iterable.arguments.length === 3
      ? loop.iterable.arguments[2]?.value
      : undefined;
  const slice = inner.iterable.kind === 'subscript' ? inner.iterable.indices[0] : undefined;
  const length = slice?.kind === 'otherExpression' && slice.what === 'slice' ? lengthOf(slice.children) : undefined;
  if (step?.kind !== 'number' || length === undefined || step.value !== length.value) return undefined;
  return { site, loop, run, inner, lengths: [step, length] };
}

/** `k` of `start : start + k`. */
function lengthOf([start, end, ...others]: readonly Expression[]): NumberLiteral | undefined {
  if (start?.kind !== 'name' || end?.kind !== 'binary' || end.operator !== '+' || others.length > 0) return undefined;
  return end.left.kind === 'name' && end.left.name === start.name && end.right.kind === 'number'
    ? end.right
    : undefined;
}

function put(context: ApplyContext, found: SegmentedLoop, chosen: ChosenStrategy): Change {
  const { lengths, loop } = found;
  if (chosen.name === 'none') return withoutSegments(context, found);
  if (chosen.name !== 'full')
    return cannot(
      `${chosenText(chosen)} and the segments on line ${context.lineOf(loop)} exclude each other; take those out first`,
    );
  return change(
    ...lengths
      .filter(({ value }) => value !== chosen.segment)
      .map((length) => replacement(length, String(chosen.segment))),
  );
}

/** Back to the plain loop, as it stands in the function. */
function withoutSegments({ module, lineOf }: ApplyContext, { site, loop, run, inner }: SegmentedLoop): Change {
  const { text, comments } = module;
  const whole = { start: run.start, end: loop.end };
  const outer = indentationOf(text, run);
  const unit = indentationOf(text, inner)?.slice(outer?.length ?? 0);
  const isLost = comments.some(
    (one) => contains(whole, one) && !contains({ start: inner.start, end: text.indexOf('\n', inner.end) }, one),
  );
  if (
    outer === undefined ||
    unit === undefined ||
    inner.iterable.kind !== 'subscript' ||
    isLost ||
    !standsAlone(module, loop)
  )
    return cannot(`the segments on line ${lineOf(loop)} hold more than could be kept`);
  const { object, end } = inner.iterable;
  const [head, rest] = [text.slice(inner.start, object.end), text.slice(end, endOfInner(text, inner.end))];
  const plain = `${head}${rest}`.replaceAll(`\n${outer}${unit}`, `\n${outer}`);
  return change(replacement(whole, plain), ...dropUnused(module, [site.call.callee]));
}

/** With the comment behind the last statement. */
function endOfInner(text: string, end: number): number {
  const rest = /^[^\r\n]*/.exec(text.slice(end))?.[0] ?? '';
  return end + rest.trimEnd().length;
}
