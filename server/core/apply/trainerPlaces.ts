import { removeArguments } from '../lint/removeArguments.ts';
import { type GivenKeyword, keywordNamed } from '../python/arguments.ts';
import type { ResolvedCall } from '../python/calls.ts';
import { constantOf } from '../python/constants.ts';
import { trainerConfigs } from '../rules/trainingArguments.ts';
import type { TextEdit } from '../text/edit.ts';
import { addKeywords } from './addKeywords.ts';
import type { ChosenStrategy } from './chosen.ts';
import { optionsFor } from './huggingFaceOptions.ts';
import { type ApplyContext, type ApplyPlace, type Change, cannot, change, changeOr } from './place.ts';
import { replacement, writtenIn } from './sourceLayout.ts';

const flag = 'gradient_checkpointing';
const options = 'gradient_checkpointing_kwargs';

/** The arguments of a transformers or TRL trainer: `TrainingArguments(gradient_checkpointing=True, …)`. */
export function trainerPlaces(context: ApplyContext): ApplyPlace[] {
  return trainerConfigs(context.calls).map((config): ApplyPlace => {
    const className = config.qualified.slice(config.qualified.lastIndexOf('.') + 1);
    const given = keywordNamed(config.given, flag);
    const value = given === undefined ? undefined : constantOf(given.value, context.names);
    const isOn = given === undefined ? isTrl(config) : value !== false;
    return {
      form: 'arguments',
      what: className,
      at: config.call,
      isOn,
      put(chosen) {
        if (config.given.openKeywords)
          return cannot(`a ** argument on line ${context.lineOf(config.call)} may give ${flag} to ${className}`);
        if (given?.preset === true) return cannot(`${flag} is given ahead of this call by functools.partial`);
        if (given !== undefined && typeof value !== 'boolean')
          return cannot(`${flag} takes its value from ${writtenIn(context.module, given.value)}: change it there`);
        return put(context, config, given, isOn, chosen);
      },
    };
  });
}

function put(
  context: ApplyContext,
  config: ResolvedCall,
  given: GivenKeyword | undefined,
  isOn: boolean,
  chosen: ChosenStrategy,
): Change {
  const kwargs = keywordNamed(config.given, options);
  if (chosen.name === 'none') return switchedOff(context, config, given, kwargs);
  const wanted = optionsFor(context, config, isOn, chosen);
  if ('why' in wanted) return cannot(wanted.why);
  const added = [
    ...(given === undefined && !isOn ? [`${flag}=True`] : []),
    ...(kwargs === undefined && wanted.text !== undefined ? [`${options}=${wanted.text}`] : []),
  ];
  const edits: TextEdit[] = [
    ...(given === undefined || isOn ? [] : [replacement(given.value, 'True')]),
    ...(kwargs === undefined || wanted.text === undefined ? [] : [replacement(kwargs.value, wanted.text)]),
  ];
  const more = addKeywords(context.module, config.call, added);
  return changeOr(more && [...edits, ...more], 'no keyword can follow the arguments of this call');
}

function switchedOff(
  { module }: ApplyContext,
  config: ResolvedCall,
  given: GivenKeyword | undefined,
  kwargs: GivenKeyword | undefined,
): Change {
  const { call } = config;
  const own = [given, kwargs].flatMap((keyword) => (keyword?.preset === false ? [keyword.argument] : []));
  if (!isTrl(config)) return change(...removeArguments(module, call, own));
  // TRL's classes checkpoint where nothing is said (since 0.20; before, saying so does no harm).
  if (given === undefined) {
    if (kwargs === undefined)
      return changeOr(addKeywords(module, call, [`${flag}=False`]), 'no keyword can follow the arguments of this call');
    return change(replacement(kwargs.argument, `${flag}=False`));
  }
  const rest = kwargs?.preset === false ? removeArguments(module, call, [kwargs.argument]) : [];
  const isOff = given.value.kind === 'constant' && given.value.value === false;
  return change(...(isOff ? [] : [replacement(given.value, 'False')]), ...rest);
}

const isTrl = ({ qualified }: ResolvedCall): boolean => qualified.startsWith('trl.');
