/**
 * The same plain data with every `start` and `end` moved by `delta`: what unchanged code becomes when text is typed above
 * it. The original is left alone, since an older version of the module may still be in use.
 */
export function shifted<T>(value: T, delta: number): T {
  if (Array.isArray(value)) return value.map((item) => shifted(item, delta)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  const record = value as Record<string, unknown>;
  for (const key in record) {
    const item = record[key];
    if ((key === 'start' || key === 'end') && typeof item === 'number') copy[key] = item + delta;
    else copy[key] = typeof item === 'object' && item !== null ? shifted(item, delta) : item;
  }
  return copy as T;
}
