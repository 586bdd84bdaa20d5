import { configClassOfModelType } from '../../families/configClass.ts';
import type { DataType, Fact } from '../facts.ts';
import type { Given } from './given.ts';
import { modelOfClass } from './models.ts';
import { alsoSays, present, type SaidModel, type SaidRun } from './said.ts';
import { choiceGiven, textGiven, valueGiven } from './values.ts';
import { attentionWords, dataTypeWords } from './words.ts';

/** A model's `config.json`. Of a model for several kinds of input the language model is read. */
export function readHuggingFaceModel(given: Given): SaidRun {
  const inside = given.find('text_config.model_type') === undefined ? '' : 'text_config.';
  const type = textGiven(given, `${inside}model_type`);
  const dataType = choiceGiven<DataType>(given, dataTypeWords, 'dtype', 'torch_dtype', 'text_config.dtype');
  const model = type && modelOf(given, type, inside);
  return {
    ...(model !== undefined && { model }),
    settings: {},
    defaults: present({
      attention: choiceGiven(given, attentionWords, '_attn_implementation', 'attn_implementation'),
      dataType: dataType && alsoSays(dataType.value, dataType),
    }),
    notes: given.notes,
  };
}

function modelOf(given: Given, type: Fact<string>, inside: string): SaidModel {
  const config = configClassOfModelType(type.value);
  const name = textGiven(given, '_name_or_path') ?? type;
  if (config === undefined)
    return { name, model: undefined, notes: [`no PyTorch account for model_type ${type.value} yet`] };
  const values = new Map<string, Fact<unknown>>();
  for (const key of given.names(inside.slice(0, -1))) {
    const fact = valueGiven<unknown>({ ...given, notes: [] }, undefined, [`${inside}${key}`], (value) => value);
    if (fact !== undefined) values.set(key, fact);
  }
  const said = modelOfClass(name, config, values, type.origin);
  const notes = inside === '' ? said.notes : [...said.notes, 'only the language model (text_config) is counted'];
  return { ...said, notes };
}
