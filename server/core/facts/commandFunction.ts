import type { Expression, Parameter } from '../python/ast.ts';
import type { Source } from './source.ts';

/**
 * What a parameter holds where nothing is given: `fire.Fire(train)` makes options of a function's parameters. Undefined for
 * any other function, of which it is not known what it is called with.
 */
export function optionOfFunction(source: Source, parameter: Parameter, owner: unknown): Expression | undefined {
  const isCommand = source.calls.some(
    ({ call, qualified }) =>
      (qualified === 'fire.Fire' || qualified === 'typer.run') &&
      call.arguments[0] !== undefined &&
      source.names.resolve(call.arguments[0].value).targets[0]?.definition === owner,
  );
  return isCommand ? parameter.default : undefined;
}
