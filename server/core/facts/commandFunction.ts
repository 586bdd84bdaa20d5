import type { Parameter } from '../python/ast.ts';
import { givenField } from './commandLineOption.ts';
import type { Field, Source } from './source.ts';

/**
 * A parameter as the option that `fire.Fire(train)` makes of it. Undefined for any other function, of which it is not known
 * what it is called with.
 */
export function optionOfFunction(source: Source, parameter: Parameter, owner: unknown): Field | undefined {
  const isCommand = source.calls.some(
    ({ call, qualified }) =>
      (qualified === 'fire.Fire' || qualified === 'typer.run') &&
      call.arguments[0] !== undefined &&
      source.names.resolve(call.arguments[0].value).targets[0]?.definition === owner,
  );
  const { default: value, name } = parameter;
  if (!isCommand) return undefined;
  const at = value ?? { start: 0, end: 0 };
  return givenField(source, [name], { value, at, unless: undefined, option: `--${name}` });
}
