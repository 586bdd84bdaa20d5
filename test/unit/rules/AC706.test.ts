import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configFile } from '../../../server/core/config/configFile.ts';
import { lintConfig } from '../../../server/core/lint/engine.ts';
import { rule } from '../../../server/core/rules/ac7-configuration/accelerate-needs-wrap-policy.ts';
import { workspaceOf } from '../../support/workspace.ts';

const accelerate = (value: string): string =>
  `distributed_type: FSDP\nnum_processes: 8\nfsdp_config:\n  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n  fsdp_activation_checkpointing: ${value}\n`;

function found(script: string, texts: Readonly<Record<string, string>>): string[] {
  const file = configFile('/w/scripts/run.sh', script, 'shell');
  assert.ok(file);
  const onCrash = (_: unknown, error: unknown): never => {
    throw error;
  };
  return lintConfig(file, { rules: [rule], versions: {}, severities: {}, workspace: workspaceOf(texts), onCrash }).map(
    ({ at }) => script.slice(at.start, at.end),
  );
}

test('a launch whose configuration checkpoints, and a script that is told to as well', () => {
  const script =
    'CONFIG=conf/fsdp.yaml\naccelerate launch --config_file $CONFIG train.py --gradient_checkpointing True\n';
  assert.deepEqual(found(script, { 'conf/fsdp.yaml': accelerate('true') }), ['--gradient_checkpointing']);
  assert.deepEqual(found(script, { 'scripts/conf/fsdp.yaml': accelerate('true') }), ['--gradient_checkpointing']);
  assert.deepEqual(found(script, { 'conf/fsdp.yaml': accelerate('false') }), []);
  assert.deepEqual(found(script, {}), []);
  assert.deepEqual(found(script.replace('True', 'False'), { 'conf/fsdp.yaml': accelerate('true') }), []);
  assert.deepEqual(found(script.replace('True', '$GC'), { 'conf/fsdp.yaml': accelerate('true') }), []);
  assert.deepEqual(found(script.replace('accelerate', 'other'), { 'conf/fsdp.yaml': accelerate('true') }), []);
});
