import type { ModelShape } from '../../../server/core/budget/account.ts';
import { closedForms } from '../closedForms.ts';
import { type Bar, meanError, percent, type RowError, type Section, signedPercent } from '../comparison.ts';
import { shapeOf } from '../engine.ts';
import { segmentPeak } from '../publishedFormulas/boundaries.ts';
import * as cookbook from '../publishedFormulas/cookbook.ts';
import * as gpuPoor from '../publishedFormulas/gpuPoor.ts';
import { layerActivations } from '../publishedFormulas/korthikanti.ts';
import * as megatron from '../publishedFormulas/megatron.ts';
import * as segmentModel from '../publishedFormulas/segmentModel.ts';
import { inUnit } from '../units.ts';
import { type PeakRow, peakRows, simulationOf } from './checkpointPeaks.ts';
import { type RunRow, runAnswer, runRows } from './measuredRuns.ts';
import { accountOfSavedRow, type SavedRow, savedRows } from './savedBytes.ts';

/** One row that was measured, that a tool has a number for, and that we have one for. */
interface Duel {
  readonly id: string;
  readonly measured: number;
  readonly theirs: number;
  readonly ours: number;
}

export interface Rival {
  readonly name: string;
  /** On what rows. */
  readonly rows: string;
  readonly count: number;
  readonly theirs: { readonly mean: number; readonly worst: number };
  readonly ours: { readonly mean: number; readonly worst: number };
}

/** Our error beside that of others' formulas and printed estimates, on the same rows. */
export function sideBySide(): Section {
  const all = rivals();
  return {
    title: 'Beside other tools, on the same rows',
    comparisons: [],
    bars: all.map(
      ({ name, rows, count, theirs, ours }): Bar => ({
        name: `${name}, ${count} ${rows}`,
        reached: `theirs ${percent(theirs.mean)} (worst ${signedPercent(theirs.worst)}), ours ${percent(ours.mean)} (worst ${signedPercent(ours.worst)})`,
        passed: ours.mean <= theirs.mean,
      }),
    ),
  };
}

export const rivals = (): readonly Rival[] =>
  [
    rival('fitcheck', 'LoRA and QLoRA steps on a T4', runRows.flatMap(fitcheckDuel)),
    rival('torch-preflight', 'steps on a T4', runRows.flatMap(preflightDuel)),
    rival('Korthikanti et al. (Ultrascale Playbook)', 'transformer layers', savedRows.flatMap(layerDuel(korthikanti))),
    rival('EleutherAI cookbook', 'transformer layers', savedRows.flatMap(layerDuel(eleuther))),
    rival('Megatron-LM', 'transformer layers with fused attention', savedRows.flatMap(layerDuel(nvidia))),
    rival('Chen et al., (s + k)·A', 'checkpointed steps', peakRows.flatMap(peakDuel(chen))),
    rival('s·X + k·A', 'checkpointed steps', peakRows.flatMap(peakDuel(boundaries))),
    rival('gpu_poor, 0.15', 'checkpointed steps', peakRows.flatMap(peakDuel(poor))),
  ].filter(({ count }) => count > 0);

function rival(name: string, rows: string, duels: readonly Duel[]): Rival {
  const side = (of: 'theirs' | 'ours') => {
    const errors = duels.map((duel): RowError => ({ id: duel.id, share: duel[of] / duel.measured - 1 }));
    const worst = errors.reduce((most, { share }) => (Math.abs(share) > Math.abs(most) ? share : most), 0);
    return { mean: meanError(errors), worst };
  };
  return { name, rows, count: duels.length, theirs: side('theirs'), ours: side('ours') };
}

function fitcheckDuel(row: RunRow): readonly Duel[] {
  const form = row.formula?.startsWith('lora_') ? closedForms[row.formula] : undefined;
  const printed = row.id.startsWith('fitcheck ') ? predictedBy(row) : undefined;
  const theirs = form ? inUnit(form.compute(row.args), row.unit) : printed;
  return duelOf(row, theirs);
}

const preflightDuel = (row: RunRow): readonly Duel[] =>
  row.id.startsWith('torch-preflight ') ? duelOf(row, predictedBy(row)) : [];

function duelOf(row: RunRow, theirs: number | undefined): readonly Duel[] {
  const ours = runAnswer(row);
  if (theirs === undefined || !('value' in ours)) return [];
  return [{ id: row.id, measured: row.expected, theirs, ours: inUnit(ours.value, row.unit) }];
}

function predictedBy({ config }: RunRow): number | undefined {
  const isRecord = typeof config === 'object' && config !== null && 'predicted' in config;
  return isRecord && typeof config.predicted === 'number' ? config.predicted : undefined;
}

const keepsScores = ({ attention }: SavedRow): boolean => attention === 'eager' || attention === 'math';

type LayerForm = (row: SavedRow, shape: ModelShape) => number | undefined;

/** Their formula counts 16-bit training with dropout; it is asked where the row is a 16-bit one. */
const korthikanti: LayerForm = (row, { hidden, heads }) =>
  layerActivations({
    b: row.batch,
    s: row.sequence,
    h: hidden,
    a: heads,
    // Fused attention keeps no scores: what the paper calls selective.
    mode: keepsScores(row) ? 'none' : 'selective',
  });

const eleuther: LayerForm = (row, { hidden, heads }) =>
  cookbook.activationBytes({ L: 1, b: row.batch, s: row.sequence, h: hidden, a: heads });

const nvidia: LayerForm = (row, { hidden, feedForward }) =>
  keepsScores(row)
    ? undefined
    : megatron.activationBytes({ L: 1, b: row.batch, s: row.sequence, h: hidden, ffn: feedForward, v: 0, p: 2 }) -
      2 * (8 * row.sequence * row.batch + row.sequence * row.batch * hidden);

const layerDuel =
  (form: LayerForm) =>
  (row: SavedRow): readonly Duel[] => {
    if (row.library !== 'transformers' || row.dataType === 'fp32' || row.layerBytes === undefined) return [];
    const shape = shapeOf({ model_type: row.model, ...row.config });
    const account = accountOfSavedRow(row);
    if (typeof shape === 'string' || typeof account === 'string') return [];
    const theirs = form(row, shape);
    if (theirs === undefined) return [];
    // The second layer of the first stack, as the row has it.
    return [{ id: row.id, measured: row.layerBytes, theirs, ours: account.layersBytes[1] ?? account.layerBytes }];
  };

interface Peak {
  readonly L: number;
  readonly k: number;
  readonly A: number;
  readonly c: number;
}

const chen = (peak: Peak): number => segmentModel.fullCheckpoints(peak);
const boundaries = (peak: Peak): number => segmentPeak(peak);
const poor = ({ L, A }: Peak): number => gpuPoor.checkpointedActivations(segmentModel.withoutCheckpoints({ L, A }));

const peakDuel =
  (form: (peak: Peak) => number) =>
  (row: PeakRow): readonly Duel[] => {
    const { segment: k, layerBytes: A, boundaryBytes: c, peakBytes: measured } = row;
    if (row.plan !== 'all' || k === undefined || A === undefined || c === undefined || measured === undefined)
      return [];
    const result = simulationOf(row);
    if (typeof result === 'string') return [];
    const L = row.model === 'textbook' ? 12 : 32;
    return [{ id: row.id, measured, theirs: form({ L, k, A, c }), ours: result.peakBytes }];
  };
