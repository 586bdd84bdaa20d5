import type { Expression } from '../python/ast.ts';
import { readDeepSpeed } from './configFiles/deepspeed.ts';
import { type SaidRun, saysNothing } from './configFiles/said.ts';
import { givenInFields } from './givenFields.ts';
import { type Fields, lastName, type Source } from './source.ts';
import { isAside } from './standing.ts';
import type { TrainerArguments } from './trainer.ts';

/**
 * The DeepSpeed configuration that the file trains with: the trainer's `deepspeed`, `deepspeed.initialize(config=…)`, or
 * accelerate's plugin; a dictionary, or a file by its path.
 */
export function deepSpeedOf(source: Source, trainer: TrainerArguments | undefined): SaidRun {
  const ofTrainer = trainer?.fields.fields.get('deepspeed')?.value;
  if (ofTrainer !== undefined) return readConfig(source, ofTrainer);
  for (const here of source.calls) {
    const { call, qualified } = here;
    const name = lastName(call.callee);
    if (qualified === undefined || isAside(source, here)) continue;
    const { fields } = source.givenTo(call);
    if (qualified === 'deepspeed.initialize') {
      const config = fields.get('config')?.value ?? fields.get('config_params')?.value;
      if (config !== undefined) return readConfig(source, config);
    }
    if (name === 'DeepSpeedPlugin' && qualified.startsWith('accelerate.')) {
      const config = fields.get('hf_ds_config')?.value;
      return config === undefined ? ofPlugin(source, source.givenTo(call)) : readConfig(source, config);
    }
  }
  return saysNothing;
}

function readConfig(source: Source, config: Expression): SaidRun {
  const path = source.read(config)?.value;
  if (path === null) return saysNothing;
  const root = typeof path === 'string' ? source.config(path) : config;
  const fields = root && source.fieldsOf(root);
  if (fields !== undefined) return readDeepSpeed(givenInFields(source, fields, 'the DeepSpeed configuration'));
  const said = typeof path === 'string' ? path : `on line ${source.lineOf(config)}`;
  return { ...saysNothing, notes: [`the DeepSpeed configuration ${said} could not be read`] };
}

/** accelerate's own names for the same settings. */
function ofPlugin(source: Source, { fields, open }: Fields): SaidRun {
  const renamed = new Map(
    Object.entries({
      'zero_optimization.stage': 'zero_stage',
      'zero_optimization.offload_optimizer.device': 'offload_optimizer_device',
      'zero_optimization.offload_param.device': 'offload_param_device',
      gradient_accumulation_steps: 'gradient_accumulation_steps',
    }),
  );
  const given = givenInFields(source, { fields, open }, 'DeepSpeedPlugin');
  return readDeepSpeed({
    ...given,
    find: (...names) => given.find(...names.flatMap((name) => renamed.get(name) ?? [])),
  });
}
