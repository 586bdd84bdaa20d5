import type { CheckpointingNow, Fact, ShardingName } from '../facts.ts';
import type { Given } from './given.ts';
import { adaptersGiven } from './loraSettings.ts';
import { modelOfId } from './models.ts';
import { alsoSays, byDefault, derived, present, type SaidRun } from './said.ts';
import { liger } from './trainer.ts';
import { choiceGiven, numberGiven, switchGiven, textGiven } from './values.ts';
import { attentionWords, dataTypeWords, zeroStages } from './words.ts';

const library = 'OpenRLHF';

/** OpenRLHF's flags, in groups (`--train.micro_batch_size`) and as they were before. The actor is what is trained. */
export function readOpenRlhf(given: Given): SaidRun {
  const name = textGiven(given, 'actor.model_name_or_path', 'model.model_name_or_path', 'pretrain');
  const type = choiceGiven(given, dataTypeWords, 'ds.param_dtype', 'param_dtype') ?? oldPrecision(given);
  const offloads = switchGiven(given, false, 'ds.adam_offload', 'adam_offload');
  const rank = numberGiven(given, 0, 'ds.lora.rank', 'lora_rank');
  const in4 = switchGiven(given, false, 'ds.load_in_4bit', 'load_in_4bit');
  const settings = present({
    batch: numberGiven(given, 1, 'train.micro_batch_size', 'micro_train_batch_size'),
    sequence: numberGiven(given, 2048, 'data.max_len', 'max_len') ?? promptAndResponse(given),
    dataType: type,
    autocast: type && derived(false, `DeepSpeed turns the weights into ${type.value}`, type.origin),
    attention: choiceGiven(given, attentionWords, 'ds.attn_implementation', 'attn_implementation') ?? oldFlash(given),
    checkpointing: checkpointing(given),
    sharding: choiceGiven<ShardingName>(given, zeroStages, 'ds.zero_stage', 'zero_stage'),
    offload: offloads?.value === true ? alsoSays('optimizer' as const, offloads) : undefined,
    contextParallel: numberGiven(given, 1, 'ds.ring_attn_size', 'ring_attn_size'),
    tensorParallel: numberGiven(given, 1, 'ds.tensor_parallel_size', 'ds_tensor_parallel_size'),
    adapters: rank !== undefined && rank.value > 0 ? adaptersGiven(given, loraNames, rank) : undefined,
    quantisation: in4?.value === true ? alsoSays('nf4' as const, in4) : undefined,
    fused: liger(given, 'ds.'),
  });
  const actors = actorProcesses(given);
  return {
    ...(name !== undefined && { model: modelOfId(name) }),
    settings,
    ...(actors !== undefined && { processes: actors }),
    defaults: {
      dataType: byDefault('bf16', library, 'ds.param_dtype'),
      sharding: byDefault<ShardingName>('zero-2', library, 'ds.zero_stage'),
      checkpointing: byDefault<CheckpointingNow>(
        { mode: 'none', segment: 1 },
        library,
        'gradient_checkpointing_enable',
      ),
    },
    notes: given.notes,
  };
}

const loraNames = {
  rank: ['ds.lora.rank', 'lora_rank'],
  targets: ['ds.lora.target_modules', 'target_modules'],
  dropout: ['ds.lora.dropout', 'lora_dropout'],
  saysAll: true,
  defaults: { rank: 0, targets: 'all-linear', dropout: 0, elementType: 'fp32' },
} as const;

function oldPrecision(given: Given) {
  const on = switchGiven(given, false, 'bf16');
  return on?.value === true ? alsoSays('bf16' as const, on) : undefined;
}

function oldFlash(given: Given) {
  const on = switchGiven(given, false, 'flash_attn');
  return on?.value === true ? alsoSays('flash' as const, on) : undefined;
}

function promptAndResponse(given: Given): Fact<number> | undefined {
  const prompt = numberGiven(given, 1024, 'prompt_max_len');
  const response = numberGiven(given, 1024, 'generate_max_len');
  if (prompt === undefined || response === undefined) return undefined;
  return derived(prompt.value + response.value, `prompt ${prompt.value} + response ${response.value}`, prompt.origin);
}

function checkpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const owners = ['actor.', 'model.', ''];
  const on = switchGiven(
    given,
    false,
    ...owners.map((owner) => `${owner}gradient_checkpointing_enable`),
    'gradient_checkpointing',
  );
  if (on?.value !== true) return undefined;
  const reentrant = switchGiven(
    given,
    false,
    ...owners.map((owner) => `${owner}gradient_checkpointing_reentrant`),
    'gradient_checkpointing_use_reentrant',
  );
  return alsoSays(
    {
      mode: 'full',
      segment: 1,
      variant: reentrant?.value === true ? 'reentrant' : 'non-reentrant',
      mechanism: 'gradient_checkpointing_enable',
    },
    on,
  );
}

/** Under Ray the flags say how many processes train. */
function actorProcesses(given: Given): Fact<number> | undefined {
  const perNode = numberGiven(given, 1, 'actor.num_gpus_per_node', 'actor_num_gpus_per_node');
  const nodes = numberGiven(given, 1, 'actor.num_nodes', 'actor_num_nodes');
  if (perNode === undefined || nodes === undefined || nodes.value === 1) return perNode;
  return derived(perNode.value * nodes.value, `${perNode.value} * ${nodes.value} processes`, perNode.origin);
}
