import { type ConfigClass, configClassOfModelType } from '../families/configClass.ts';
import type { Expression } from '../python/ast.ts';
import type { Fact } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import { readLibraryConfig } from './libraryConfig.ts';
import { type ModelReading, onlyNamed } from './modelReading.ts';
import type { Fields, Source } from './source.ts';

/** The `config.json` of a model that is loaded from a folder, or that is named itself. */
export function localConfig(source: Source, path: string): Expression | undefined {
  return source.config(path.endsWith('.json') ? path : `${path.replace(/\/+$/, '')}/config.json`);
}

/**
 * What a model's own `config.json` says, with what the call gives beside it. The file is complete: what it does not hold is
 * the class's default. Of a model of several parts the language model is read.
 */
export function readConfigFile(source: Source, root: Expression, name: Fact<string>, given: Fields): ModelReading {
  const whole = source.fieldsOf(root);
  const textConfig = whole?.fields.get('text_config')?.value;
  const text = textConfig && source.fieldsOf(textConfig);
  const isText = text?.fields.has('model_type') === true;
  const fields = isText ? text : whole;
  const config = fields && classNamed(source, fields);
  if (fields === undefined || config === undefined) {
    const type = fieldValue(source, fields?.fields.get('model_type'))?.value;
    return onlyNamed(name, `${name.value}: no PyTorch account for model_type ${JSON.stringify(type ?? null)} yet`);
  }
  const merged: Fields = { fields: new Map([...fields.fields, ...given.fields]), open: given.open };
  const reading = readLibraryConfig(source, config, name, merged, undefined);
  return isText
    ? { ...reading, notes: [...reading.notes, 'only the language model (text_config) is counted'] }
    : reading;
}

function classNamed(source: Source, { fields }: Fields): ConfigClass | undefined {
  const type = fieldValue(source, fields.get('model_type'))?.value;
  return typeof type === 'string' ? configClassOfModelType(type) : undefined;
}
