import type { CheckpointingNow, DataType, Fact, OptimizerName, ShardingName } from '../facts.ts';
import type { Given } from './given.ts';
import { knownByShortName, modelOfId, modelOfRegistry } from './models.ts';
import { alsoSays, byDefault, derived, present, type SaidModel, type SaidRun } from './said.ts';
import { modelInOtherSizes } from './statedModel.ts';
import { choiceGiven, numberGiven, switchGiven, textGiven } from './values.ts';
import { dataTypeWords, optimizerWords } from './words.ts';

const library = 'fairseq2';

/** fairseq2's YAML of a recipe for language models. */
export function readFairseq2(given: Given): SaidRun {
  const type = choiceGiven<DataType>(given, dataTypeWords, 'trainer.mixed_precision.dtype');
  const version = textGiven(given, 'trainer.fsdp.version');
  const spread = textGiven(given, 'trainer.data_parallelism');
  const sequence = numberGiven(given, 4096, 'dataset.max_seq_len');
  const model = modelGiven(given);
  const keeps = switchGiven(given, true, 'trainer.fsdp.reshard_after_forward');
  const settings = present({
    batch: numberGiven(given, 1, 'dataset.batch_size') ?? tokensAsBatch(given, sequence),
    sequence,
    gradientAccumulation: numberGiven(given, 1, 'trainer.grad_accumulation.num_batches'),
    dataType: type,
    autocast: type && derived(spread?.value !== 'fsdp', 'FSDP casts the weights, autocast does otherwise', type.origin),
    checkpointing: checkpointing(given),
    optimizer: choiceGiven<OptimizerName>(given, optimizerWords, 'optimizer.name'),
    tensorParallel: numberGiven(given, 1, 'gang.tensor_parallel_size'),
    sharding:
      spread &&
      (spread.value === 'fsdp'
        ? alsoSays<ShardingName>(version?.value === 'v2' ? 'fsdp2' : 'fsdp1', spread)
        : spread.value === 'ddp'
          ? alsoSays<ShardingName>('ddp', spread)
          : undefined),
    reshardAfterForward: keeps?.value === false ? keeps : undefined,
  });
  return {
    ...(model !== undefined && { model }),
    settings,
    defaults: {
      checkpointing: byDefault<CheckpointingNow>(
        { mode: 'none', segment: 1 },
        library,
        'trainer.activation_checkpointing',
      ),
    },
    notes: given.notes,
  };
}

/** A batch holds as many of the longest sequences as its tokens allow. */
function tokensAsBatch(given: Given, sequence: Fact<number> | undefined): Fact<number> | undefined {
  const tokens = numberGiven(given, 4096, 'dataset.max_num_tokens');
  if (tokens === undefined || sequence === undefined) return undefined;
  const words = `${tokens.value} tokens / ${sequence.value}`;
  return derived(Math.max(1, Math.floor(tokens.value / sequence.value)), words, tokens.origin);
}

function checkpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const found = given.find('trainer.activation_checkpointing.mode');
  // YAML takes `off` for false.
  if (found?.value === false || found?.value === 'off')
    return { value: { mode: 'none', segment: 1 }, origin: { kind: 'literal', place: found.place } };
  const mode = textGiven(given, 'trainer.activation_checkpointing.mode');
  if (mode?.value !== 'layerwise') return undefined;
  const every = numberGiven(given, 1, 'trainer.activation_checkpointing.every_nth_layer')?.value ?? 1;
  return alsoSays(
    { mode: 'full', segment: 1, ...(every > 1 && { every }), mechanism: 'activation_checkpointing' },
    mode,
  );
}

function modelGiven(given: Given): SaidModel | undefined {
  const id = textGiven(given, 'model.config_overrides.hf_name');
  if (id !== undefined) return modelOfId(id);
  const name = textGiven(given, 'model.name', 'model.arch') ?? textGiven(given, 'model.arch');
  if (name === undefined) return undefined;
  const known = knownByShortName(name.value);
  if (known === undefined) return modelOfId(name);
  const said = modelOfRegistry(name, known);
  const layers = numberGiven(given, 1, 'model.config_overrides.num_layers');
  return layers === undefined || said.model === undefined
    ? said
    : { ...said, model: modelInOtherSizes(said.model, { layers }) };
}
