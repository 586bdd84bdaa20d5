import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import { step } from './step.ts';
import * as workbench from './workbench.ts';

/** Nothing in it is about checkpointing, and no Python file is ever opened. */
describe('a launch script on its own', () => {
  let opened: workbench.Workbench;
  before(async () => {
    const folder = path.join(path.dirname(workbench.pathOf('.')), 'launch');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'run.sh'), launch);
    writeFileSync(path.join(folder, 'own.sh'), unknown);
    writeFileSync(path.join(folder, 'launch.code-workspace'), JSON.stringify({ folders: [{ path: '.' }] }));
    const address = workbench.addressOfWorkspace(path.join(folder, 'launch.code-workspace'));
    opened = await workbench.openWorkbench(undefined, address);
  });
  after(async () => {
    await opened?.browser.close();
  });

  step(
    'its model is in the panel once that is opened',
    () => opened.page,
    async (page) => {
      await workbench.openByName(page, 'run.sh');
      await workbench.openPanel(page);
      await workbench.panel(page).locator('header .quiet', { hasText: '24 layers' }).first().waitFor();
    },
  );

  step(
    'what is known of the training of a model nobody knows leads to its line',
    () => opened.page,
    async (page) => {
      await workbench.openByName(page, 'own.sh');
      await workbench.inPanel(page, 'empty-state').filter({ hasText: 'someone/own-model' }).waitFor();
      const batch = workbench.inPanel(page, 'fact-batch');
      await batch.filter({ hasText: '6' }).click();
      await workbench.untilCaretIn(page, 2);
    },
  );
});

const launch = `GPT_ARGS=(
    --num-layers 24
    --hidden-size 1024
    --num-attention-heads 16
    --seq-length 1024
    --max-position-embeddings 1024
)
torchrun --nproc_per_node 2 pretrain_gpt.py "\${GPT_ARGS[@]}" --micro-batch-size 4 --bf16
`;

const unknown = `torchrun train.py --model_name_or_path someone/own-model \\
  --per_device_train_batch_size 6 --bf16 True
`;
