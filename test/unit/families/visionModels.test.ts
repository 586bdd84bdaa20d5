import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunShape } from '../../../server/core/budget/account.ts';
import { estimateBudget } from '../../../server/core/budget/estimate.ts';
import { configClass } from '../../../server/core/families/configClass.ts';
import { readHfConfig } from '../../../server/core/families/hfConfig.ts';
import { readConfig, shapeOfReadings } from '../../../server/core/families/readConfig.ts';
import { timmModel, torchvisionModel, type VisionModel } from '../../../server/core/families/visionModels.ts';
import parameters from '../../goldens/vision-parameters.json';

const run = (dataType: RunShape['dataType'], batch: number): RunShape => ({
  batch,
  sequence: 1,
  dataType,
  autocast: false,
  attention: 'sdpa',
  dropout: 0,
});

function accountOf(model: VisionModel | undefined, shape: RunShape) {
  const known = configClass(model!.configClass)!;
  const { readings, problems } = readConfig(known, model!.arguments);
  assert.deepEqual(problems, []);
  return estimateBudget(shapeOfReadings(known, readings), shape, 1).pytorch!;
}

test('parameters of all named models are those of the libraries', () => {
  assert.ok(Object.keys(parameters).length >= 47);
  for (const [name, expected] of Object.entries(parameters)) {
    const [library, model = ''] = name.split(' ');
    const found = library === 'timm' ? timmModel(model) : torchvisionModel(model);
    assert.equal(accountOf(found, run('fp32', 1)).parameters, expected, name);
  }
});

test("the hub's prefix and a tag of weights do not matter, unless the tag may bring other classes", () => {
  const plain = timmModel('vit_base_patch16_224');
  assert.deepEqual(timmModel('hf_hub:timm/vit_base_patch16_224.augreg_in21k_ft_in1k'), plain);
  assert.equal(timmModel('vit_base_patch16_224.augreg_in21k'), undefined);
  assert.deepEqual(timmModel('vit_base_patch16_224.augreg_in21k', true), plain);
  assert.equal(timmModel('vit_base_patch16_siglip_224'), undefined);
  assert.equal(torchvisionModel('vit_b_16'), undefined);
});

test('nothing is said about fused attention where there is none', () => {
  for (const model of [torchvisionModel('resnet50'), timmModel('swin_tiny_patch4_window7_224')]) {
    const known = configClass(model!.configClass)!;
    const shape = shapeOfReadings(known, readConfig(known, model!.arguments).readings);
    const { notes } = estimateBudget(shape, run('bf16', 32), 1);
    assert.ok(notes.length > 0 && !notes.some((note) => note.includes('fused')), notes.join('; '));
  }
});

test("a config.json's list of labels says how many classes a ViT has", () => {
  const id2label = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [at, `LABEL_${at}`]));
  const { shape } = readHfConfig({ model_type: 'vit', id2label });
  const account = estimateBudget(shape!, run('fp32', 1), 1).pytorch!;
  // The 85,798,656 of the encoder and a classifier of 1000 classes.
  assert.equal(account.parameters, 85798656 + 1000 * 769);
});

// timm 1.0 and torchvision 0.28 on the meta device, kernels as CUDA picks them: all that is kept with the loss, in bytes.
for (const [name, dataType, batch, savedBytes] of [
  ['torchvision resnet18', 'fp32', 1, 21620132],
  ['torchvision resnet18', 'fp32', 32, 690653700],
  ['torchvision resnet50', 'fp32', 1, 85523876],
  ['torchvision resnet50', 'fp32', 32, 2730177028],
  ['torchvision resnet152', 'fp32', 1, 177438116],
  ['timm vit_base_patch16_224', 'bf16', 32, 1883511332],
  ['timm vit_base_patch16_224', 'fp32', 32, 3762500036],
  ['timm vit_large_patch16_224', 'bf16', 32, 4995771204],
  ['timm vit_large_patch16_224', 'fp32', 32, 9980586628],
  ['timm deit_small_patch16_224', 'fp32', 32, 1881944516],
  ['timm swin_tiny_patch4_window7_224', 'fp32', 32, 3393155332],
  ['timm convnext_tiny', 'bf16', 32, 1739665412],
  ['timm convnext_tiny', 'fp32', 32, 3473846276],
] as const) {
  test(`autograd keeps, to the byte: ${name} ${dataType} b${batch}`, () => {
    const [library, model = ''] = name.split(' ');
    const found = library === 'timm' ? timmModel(model) : torchvisionModel(model);
    assert.equal(accountOf(found, run(dataType, batch)).savedBytes, savedBytes);
  });
}
