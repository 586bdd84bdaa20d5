import type { ModelShape } from '../../server/core/budget/account.ts';
import { configClass } from '../../server/core/families/configClass.ts';
import { readConfig, shapeOfReadings } from '../../server/core/families/readConfig.ts';
import { timmModel, torchvisionModel } from '../../server/core/families/visionModels.ts';
import { shapeOf, textbook } from './engine.ts';
import type { SavedRow } from './sections/savedBytes.ts';

/** The model of a row, through the same readings that a user's code goes through; a sentence where there is none. */
export function shapeOfSavedRow(row: SavedRow): ModelShape | string {
  if (row.model.startsWith('reference-block')) {
    const { hidden_size, num_attention_heads } = row.config;
    return textbook(Number(hidden_size), Number(num_attention_heads), 3);
  }
  if (row.library === 'transformers') return shapeOf({ model_type: row.model, ...row.config });
  const named =
    row.library === 'timm'
      ? timmModel(row.model)
      : row.library === 'torchvision'
        ? torchvisionModel(row.model)
        : torchLayers(row);
  const config = named && configClass(named.configClass);
  if (!named || !config) return `no family for ${row.library} models of this kind`;
  const { readings, problems } = readConfig(config, named.arguments);
  return problems[0] ?? shapeOfReadings(config, readings);
}

function torchLayers({ model, config }: SavedRow) {
  if (model.startsWith('nn.TransformerEncoderLayer')) {
    return { configClass: 'TransformerEncoderLayer', arguments: { ...config, num_layers: 3, batch_first: true } };
  }
  const recurrent = { hidden_size: 1024, input_size: 1024, num_layers: 4 };
  if (model.startsWith('nn.LSTMCell')) {
    return { configClass: 'LSTMCell', arguments: { ...recurrent, kernels: 'composed-cell' } };
  }
  return model === 'nn.LSTM-4x1024-meta'
    ? { configClass: 'LSTM', arguments: { ...recurrent, kernels: 'composed' } }
    : undefined;
}
