import {
  type ConfigEntry,
  type ConfigNode,
  type ConfigScalar,
  type ConfigUnknown,
  entryAt,
} from '../../config/tree.ts';
import { plainYamlScalar } from '../../config/yamlScalar.ts';

/** A scalar that was worked out: what it hangs on beyond its file, and the computation in words. */
export interface ReadScalar extends ConfigScalar {
  readonly supposing?: string | undefined;
  readonly from?: string | undefined;
}

/** References of references end here; only a circle is longer. */
const longestChain = 16;

/**
 * What `${variables.max_seq_len}` stands for, at the place where that is written, and `${oc.env:NAME,default}` with its
 * default. Undefined for everything that only OmegaConf itself could work out.
 */
export function interpolated(root: ConfigNode, text: string, node: ConfigUnknown): ReadScalar | undefined {
  let current: ConfigNode = node;
  for (let step = 0; step < longestChain; step++) {
    if (current.kind !== 'unknown') return current.kind === 'scalar' ? current : undefined;
    const written: string = text.slice(current.start, current.end).replace(/^["']|["']$/g, '');
    const environment = /^\$\{oc\.env:(\w+),\s*([^${}]*)\}$/.exec(written);
    if (environment !== null) {
      const value = plainYamlScalar((environment[2] ?? '').trim());
      const { start, end } = current;
      return { kind: 'scalar', value, written: 'plain', supposing: `unless $${environment[1]} is set`, start, end };
    }
    const path: string | undefined = /^\$\{([A-Za-z_][\w.-]*)\}$/.exec(written)?.[1];
    const entry: ConfigEntry | undefined = path === undefined ? undefined : entryAt(root, ...path.split('.'));
    if (entry === undefined) return undefined;
    current = entry.value;
  }
  return undefined;
}
