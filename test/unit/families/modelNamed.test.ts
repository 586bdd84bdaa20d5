import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelNamed } from '../../../server/core/families/modelNamed.ts';

const stands = (id: string): readonly [string | undefined, boolean] => {
  const named = modelNamed(id);
  return [named?.known.id, named?.note !== undefined];
};

test('an id of the registry stands for itself', () => {
  assert.deepEqual(stands('meta-llama/Llama-2-7b-hf'), ['meta-llama/Llama-2-7b-hf', false]);
  assert.deepEqual(stands('gpt2'), ['openai-community/gpt2', false]);
});

test('models that are published again, quantised too', () => {
  for (const [id, known] of [
    ['NousResearch/Llama-2-7b-chat-hf', 'meta-llama/Llama-2-7b-hf'],
    ['NousResearch/Meta-Llama-3-8B', 'meta-llama/Meta-Llama-3-8B'],
    ['unsloth/llama-3-8b-Instruct-bnb-4bit', 'meta-llama/Meta-Llama-3-8B'],
    ['unsloth/Qwen2.5-0.5B', 'Qwen/Qwen2.5-0.5B'],
    ['hugging-quants/Meta-Llama-3.1-8B-Instruct-GPTQ-INT4', 'meta-llama/Meta-Llama-3.1-8B'],
    ['LLM-Research/Meta-Llama-3.1-8B-Instruct', 'meta-llama/Meta-Llama-3.1-8B'],
    ['meta-llama/Llama-2-13b', 'meta-llama/Llama-2-13b-hf'],
    ['Qwen/Qwen2.5-7B-Instruct-AWQ', 'Qwen/Qwen2.5-7B'],
  ] as const)
    assert.deepEqual(stands(id), [known, true], id);
});

test('models that were trained from another with its sizes', () => {
  for (const [id, known] of [
    ['lmsys/vicuna-7b-v1.5', 'meta-llama/Llama-2-7b-hf'],
    ['lmsys/vicuna-13b-v1.3', 'huggyllama/llama-13b'],
    ['HuggingFaceH4/zephyr-7b-beta', 'mistralai/Mistral-7B-v0.1'],
    ['deepseek-ai/DeepSeek-R1-Distill-Qwen-7B', 'Qwen/Qwen2.5-7B'],
    ['Qwen/Qwen2.5-Math-7B-Instruct', 'Qwen/Qwen2.5-7B'],
    ['Qwen/Qwen3-4B-Instruct-2507', 'Qwen/Qwen3-4B'],
    ['Qwen/Qwen3-30B-A3B-Thinking-2507', 'Qwen/Qwen3-30B-A3B'],
  ] as const)
    assert.deepEqual(stands(id), [known, true], id);
});

test('folders that are called like a model', () => {
  for (const [id, known] of [
    ['models/Qwen2.5-7B', 'Qwen/Qwen2.5-7B'],
    ['./pretrained/vicuna-13b-v1.5', 'meta-llama/Llama-2-13b-hf'],
    ['~/weights/llama-7b/', 'huggyllama/llama-7b'],
    ['/data/hub/mistralai/Mistral-7B-v0.1', 'mistralai/Mistral-7B-v0.1'],
  ] as const)
    assert.deepEqual(stands(id), [known, true], id);
});

test('a name of somebody’s own is no model of the registry', () => {
  for (const id of [
    'somebody/Llama-2-7b-hf',
    'somebody/vicuna-7b-v1.5',
    'lmsys/vicuna-7b-v1.5-16k',
    'unsloth/my-model',
    'OpenRLHF/Llama-3-8b-sft-mixture',
    './output/checkpoint-500',
    'deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B',
    '/',
    '',
    './',
  ])
    assert.equal(modelNamed(id), undefined, id);
});
