import { checkpointingOfClasses, checkpointingOfFunctions } from './checkpointingElsewhere.ts';
import { withOffload } from './checkpointingOffload.ts';
import { checkpointingOfLibraries } from './checkpointingOfLibraries.ts';
import { type CheckpointingReading, none, reading } from './checkpointingReading.ts';
import { checkpointingByCalls } from './checkpointingSites.ts';
import { checkpointingBySwitches } from './checkpointingSwitches.ts';
import { checkpointingOfTrainer, isDenied, trainerDefault } from './checkpointingTrainer.ts';
import { checkpointingByApply } from './checkpointingWrappers.ts';
import { type Source, withLost } from './source.ts';
import type { TrainerArguments } from './trainer.ts';

/**
 * What the file does about checkpointing. A trainer that is told to checkpoint switches it on again when it starts, with its own
 * options, so it counts before what is called on the model; one that is told not to switches nothing off. `layers` is how
 * many the model has, where that is known.
 */
export function readCheckpointing(
  source: Source,
  trainer: TrainerArguments | undefined,
  layers: number | undefined,
): CheckpointingReading {
  return withOffload(source, decided(source, trainer, layers));
}

function decided(
  source: Source,
  trainer: TrainerArguments | undefined,
  layers: number | undefined,
): CheckpointingReading {
  const asked = trainer && checkpointingOfTrainer(source, trainer);
  const direct = checkpointingInCode(source, layers);
  if (asked !== undefined && asked.fact.value.mode !== 'none')
    return direct === undefined || direct.fact.value.mode === 'none'
      ? asked
      : { ...asked, fact: withLost(asked.fact, [direct.fact]) };
  const denied = isDenied(asked?.fact);
  if (direct === undefined || (denied && direct.fact.value.mode === 'none' && asked !== undefined))
    return asked ?? byDefault(source, trainer);
  if (direct.fact.value.mode === 'none') {
    if (asked === undefined && isSetByUnsloth(source)) return direct;
    const otherwise = trainer && (asked ?? trainerDefault(source, trainer));
    return otherwise !== undefined && otherwise.fact.value.mode !== 'none' ? otherwise : direct;
  }
  const fact = withLost(direct.fact, [asked?.fact]);
  if (!denied) return { ...direct, fact };
  const note = 'the trainer says gradient_checkpointing=False, and the file switches it on elsewhere';
  return { ...direct, fact, notes: [...direct.notes, note] };
}

/** unsloth's trainers do what its own call was told, whatever the default of trl. */
const isSetByUnsloth = ({ calls }: Source): boolean =>
  calls.some(({ qualified }) => /^unsloth\.\w+\.get_peft_model$/.test(qualified ?? ''));

const byDefault = (source: Source, trainer: TrainerArguments | undefined): CheckpointingReading =>
  trainer === undefined
    ? reading(none, { kind: 'derived', from: 'no checkpoint call in this file' })
    : trainerDefault(source, trainer);

/** What the file itself switches on, the outermost first; what is off is told only where nothing is on. */
function checkpointingInCode(source: Source, layers: number | undefined): CheckpointingReading | undefined {
  const found = [
    checkpointingBySwitches(source),
    checkpointingOfLibraries(source, layers),
    checkpointingByApply(source, layers),
    checkpointingByCalls(source, layers),
  ].flatMap((each) => each ?? []);
  const here = found.find(({ fact }) => fact.value.mode !== 'none') ?? found[0];
  if (here !== undefined) return here;
  return checkpointingOfClasses(source, layers) ?? checkpointingOfFunctions(source, layers);
}
