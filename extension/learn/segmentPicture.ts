import type { LearnWords } from './learnText.ts';

export interface SegmentPicture {
  readonly layers: number;
  /** Layers in one segment. */
  readonly segment: number;
  readonly words: LearnWords;
}

const width = 600;
const left = 78;
const boxHeight = 26;
const rows = { forward: 12, backward: 62 } as const;

/**
 * The moment of the peak as SVG: above, the forward pass with the inputs it keeps; below, the backward pass while the last
 * segment is replayed. Colours come from the page's classes.
 */
export function segmentPicture({ layers, segment, words }: SegmentPicture): string {
  const step = (width - left - 4) / layers;
  const starts = Array.from({ length: Math.ceil(layers / segment) }, (_, at) => at * segment);
  const lastStart = starts.at(-1) ?? 0;
  const x = (layer: number): string => (left + layer * step).toFixed(1);
  const box = (layer: number, row: keyof typeof rows): string => {
    const name = row === 'backward' && layer >= lastStart ? 'replayed' : 'layer';
    const size = `width="${Math.max(1, step - 2).toFixed(1)}" height="${boxHeight}"`;
    return `<rect class="${name}" x="${x(layer)}" y="${rows[row]}" ${size} rx="2"/>${number(layer, row)}`;
  };
  // Narrower boxes have no room for numbers.
  const number = (layer: number, row: keyof typeof rows): string =>
    step < 18
      ? ''
      : `<text class="number" x="${(left + (layer + 0.5) * step - 1).toFixed(1)}" y="${rows[row] + 17}">${layer + 1}</text>`;
  const kept = (row: keyof typeof rows): string =>
    starts
      .map(
        (at) =>
          `<rect class="kept" x="${(left + at * step - 2).toFixed(1)}" y="${rows[row] - 4}" width="4" height="${boxHeight + 8}"/>`,
      )
      .join('');
  const all = Array.from({ length: layers }, (_, at) => at);
  const label = (text: string, y: number): string => `<text class="label" x="0" y="${y + 17}">${escaped(text)}</text>`;
  const legend = `<rect class="kept" x="${left}" y="104" width="4" height="12"/><text class="label" x="${left + 10}" y="114">${escaped(words.kept)}</text><rect class="replayed" x="${left + 140}" y="104" width="14" height="12" rx="2"/><text class="label" x="${left + 160}" y="114">${escaped(words.replayed)}</text>`;
  const alt = escaped(words.alt(layers, segment, starts.length, starts.length + segment));
  return [
    `<svg class="segments" viewBox="0 0 ${width} 122" role="img" aria-label="${alt}">`,
    label(words.forward, rows.forward),
    ...all.map((layer) => box(layer, 'forward')),
    kept('forward'),
    label(words.backward, rows.backward),
    ...all.map((layer) => box(layer, 'backward')),
    kept('backward'),
    legend,
    '</svg>',
  ].join('');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
