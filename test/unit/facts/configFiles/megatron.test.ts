import { tells } from './check.ts';

tells(
  'arrays with variables, a Llama-like model in pieces',
  {
    'train.sh': `
SEQ=4096
GPT_MODEL_ARGS=(
    --num-layers 32
    --hidden-size 4096
    --ffn-hidden-size 11008
    --num-attention-heads 32
    --group-query-attention
    --num-query-groups 8
    --seq-length $SEQ
    --max-position-embeddings $SEQ
    --swiglu
    --normalization RMSNorm
    --disable-bias-linear
    --untie-embeddings-and-output-weights
    --attention-dropout 0.0
)
TRAINING_ARGS=(
    --micro-batch-size 1
    --bf16
    --use-flash-attn
    --recompute-granularity full
    --recompute-method uniform
    --recompute-num-layers 2
    --tensor-model-parallel-size 4
    --sequence-parallel
    --use-distributed-optimizer
)
torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py "\${GPT_MODEL_ARGS[@]}" "\${TRAINING_ARGS[@]}"
`,
  },
  {
    title: 'train.sh: pretrain_gpt.py',
    family: 'llama = gated MLP and RMSNorm @11:5',
    layers: '32 @3:18',
    hidden: '4096 @4:19',
    feedForward: '11008 @5:23',
    heads: '32 @6:27',
    keyValueHeads: '8 @8:24',
    headDimension: '128 = hidden size / heads @4:19',
    sequence: '4096 @1:5',
    maximumSequence: '4096 @1:5',
    bias: 'false @13:5',
    tiedEmbeddings: 'false @14:5',
    dropout: '0 @15:25',
    batch: '1 @18:24',
    dataType: 'bf16 @19:5',
    attention: 'flash @20:5',
    checkpointing: 'full reentrant recompute_granularity 2 @21:29',
    tensorParallel: '4 @24:34',
    sequenceParallel: 'true @25:5',
    sharding: 'megatron-distributed-optimizer @26:5',
    dataParallel: '4 = 16 processes / 4 @28:27',
  },
);

const flags =
  '--num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 --max-position-embeddings 1024 --micro-batch-size 4';

tells(
  'the older flag, fp16',
  { 'a.sh': `python pretrain_gpt.py ${flags} --fp16 --checkpoint-activations\n` },
  {
    family: 'gpt2 = LayerNorm and a two-matrix MLP @1:37',
    feedForward: '4096 = 4 * hidden size @1:54',
    dataType: 'fp16 @1:154',
    checkpointing: 'full reentrant checkpoint-activations 1 @1:161',
    vocabulary: '50304 assumed',
  },
);
tells(
  'the attention core alone',
  { 'a.sh': `python pretrain_gpt.py ${flags} --recompute-activations\n` },
  {
    checkpointing: 'selective 1 recompute_activations @1:154',
    dataType: 'fp32 default Megatron-LM params dtype',
  },
);
tells(
  'the first layers of each stage',
  {
    'a.sh': `python pretrain_gpt.py ${flags} --recompute-granularity full --recompute-method block --recompute-num-layers 6\n`,
  },
  { checkpointing: 'full reentrant recompute_granularity 1 6 @1:178' },
);
tells(
  'BERT is no GPT',
  { 'a.sh': `python pretrain_bert.py ${flags}\n` },
  {
    name: 'Megatron BERT = flags of Megatron-LM @1:38',
    family: 'megatron = a mixture that no family has @1:38',
  },
);
tells(
  'a size that is not known is no model, and is told',
  {
    'a.sh':
      'if [ $BIG ]; then L=48; else L=24; fi\npython pretrain_gpt.py --num-layers $L --hidden-size 1024 --num-attention-heads 16 --micro-batch-size 2\n',
  },
  { layers: undefined, batch: '2 @2:103', notes: [/--num-layers on line 2 of a\.sh could not be read/] },
);

tells(
  'a list in Python',
  {
    'launch.py': `
import subprocess
LAYERS = 12
arguments = [
    "--num-layers", str(LAYERS), "--hidden-size", "768", "--num-attention-heads", "12",
    "--seq-length", "2048", "--micro-batch-size", "8", "--bf16",
]
subprocess.run(["torchrun", "pretrain_gpt.py", *arguments])
`,
  },
  { layers: '12 @4:21', hidden: '768 @4:51', batch: '8 @5:51', dataType: 'bf16 @5:56' },
);

tells(
  'TransformerConfig',
  {
    'model.py': `
from megatron.core.transformer.transformer_config import TransformerConfig
config = TransformerConfig(
    num_layers=8,
    hidden_size=2048,
    num_attention_heads=16,
    num_query_groups=4,
    add_bias_linear=False,
    recompute_granularity="selective",
    recompute_modules=["core_attn"],
    bf16=True,
)
`,
  },
  {
    layers: '8 @3:16',
    hidden: '2048 @4:17',
    keyValueHeads: '4 @6:22',
    bias: 'false @7:21',
    dataType: 'bf16 @10:10',
    checkpointing: 'selective 1 recompute_granularity @8:27',
  },
);
