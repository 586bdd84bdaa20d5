import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lint } from '../../../server/core/lint/engine.ts';
import { rule } from '../../../server/core/rules/ac6-frameworks/hf-enable-keyword.ts';
import { workspaceOf } from '../../support/workspace.ts';

function findings(texts: Readonly<Record<string, string>>): number {
  const workspace = workspaceOf(texts);
  const file = workspace.file('/w/train.py');
  assert.ok(file);
  const onCrash = (_rule: unknown, error: unknown): never => {
    throw error;
  };
  return lint(file, { rules: [rule], versions: {}, workspace, severities: {}, onCrash }).length;
}

const train = [
  'from models import Encoder',
  'encoder = Encoder()',
  'encoder.gradient_checkpointing_enable(use_reentrant=False)',
  '',
].join('\n');

test('a class of another file may take the option itself', () => {
  const models = 'class Encoder:\n    def gradient_checkpointing_enable(self, use_reentrant=True):\n        pass\n';
  assert.equal(findings({ 'train.py': train, 'models.py': models }), 0);
});

test('so may a base of it', () => {
  const models = 'from base import Base\nclass Encoder(Base):\n    pass\n';
  const base = 'class Base:\n    def gradient_checkpointing_enable(self, **options):\n        pass\n';
  assert.equal(findings({ 'train.py': train, 'models.py': models, 'base.py': base }), 0);
});

test('a class that hands the method on from transformers does not', () => {
  const models = 'from transformers import PreTrainedModel\nclass Encoder(PreTrainedModel):\n    pass\n';
  assert.equal(findings({ 'train.py': train, 'models.py': models }), 1);
});
