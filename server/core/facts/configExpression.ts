import { configFormatOf } from '../config/configFile.ts';
import { parseJson } from '../config/json.ts';
import { parseToml } from '../config/toml.ts';
import type { ConfigNode } from '../config/tree.ts';
import { parseYaml } from '../config/yaml.ts';
import type { Expression } from '../python/ast.ts';

/**
 * A configuration file as the expression that loading it gives, so that what code does with it is followed like any other
 * dictionary. Spans are those of the file. Undefined for what is no mapping.
 */
export function configExpression(path: string, text: string): Expression | undefined {
  const root = rootOf(path, text);
  return root?.kind === 'mapping' ? expressionOf(root) : undefined;
}

/** The parsers recurse: a file of nothing but brackets ends in a RangeError and is no configuration. */
function rootOf(path: string, text: string): ConfigNode | undefined {
  try {
    switch (configFormatOf(path)) {
      case 'json':
        return parseJson(text).root;
      case 'yaml':
        return parseYaml(text).root;
      case 'toml':
        return parseToml(text).root;
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

function expressionOf(node: ConfigNode): Expression {
  const at = { start: node.start, end: node.end };
  switch (node.kind) {
    case 'mapping':
      return {
        kind: 'dictionary',
        entries: node.entries.map(({ key, keyAt, value }) => ({
          key: { kind: 'string', value: key, interpolations: [], start: keyAt.start, end: keyAt.end },
          value: expressionOf(value),
        })),
        ...at,
      };
    case 'sequence':
      return { kind: 'list', elements: node.items.map(expressionOf), ...at };
    case 'scalar':
      if (typeof node.value === 'string') return { kind: 'string', value: node.value, interpolations: [], ...at };
      if (typeof node.value === 'number')
        return { kind: 'number', value: node.value, isFloat: !Number.isInteger(node.value), ...at };
      return { kind: 'constant', value: node.value, ...at };
    case 'unknown':
      return { kind: 'otherExpression', what: 'unknown', children: [], ...at };
  }
}
