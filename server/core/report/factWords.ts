import type { Adapters, CheckpointingNow } from '../facts/facts.ts';

/** A field's name in words: `keyValueHeads` is `key value heads`. */
export const factLabel = (name: string): string =>
  name.includes('_') ? name : name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

/** A value in one table cell. */
export function factValueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isCheckpointing(value)) return checkpointingText(value);
  if (isAdapters(value)) {
    const targets = typeof value.targets === 'string' ? value.targets : value.targets.join(', ');
    return `rank ${value.rank} on ${targets}`;
  }
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

const isCheckpointing = (value: unknown): value is CheckpointingNow =>
  typeof value === 'object' && value !== null && 'mode' in value;

const isAdapters = (value: unknown): value is Adapters =>
  typeof value === 'object' && value !== null && 'rank' in value;

function checkpointingText({ mode, segment, variant, every, layers, offloaded, mechanism }: CheckpointingNow): string {
  const parts = [
    mode,
    mode === 'none' || segment === 1 ? undefined : `segments of ${segment}`,
    every === undefined || every === 1 ? undefined : `one layer in ${every}`,
    layers === undefined ? undefined : `the first ${layers} layers`,
    variant,
    offloaded === true ? 'offloaded' : undefined,
    mechanism && `by ${mechanism}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}
