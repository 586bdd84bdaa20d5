import * as boundaries from './publishedFormulas/boundaries.ts';
import * as deepspeed from './publishedFormulas/deepspeed.ts';
import * as fitcheck from './publishedFormulas/fitcheck.ts';
import * as korthikanti from './publishedFormulas/korthikanti.ts';
import * as llamaBlock from './publishedFormulas/llamaBlock.ts';
import * as mosaic from './publishedFormulas/mosaic.ts';
import * as playbook from './publishedFormulas/playbook.ts';
import * as quantized from './publishedFormulas/quantized.ts';
import * as segmentModel from './publishedFormulas/segmentModel.ts';
import * as zero from './publishedFormulas/zero.ts';

export interface ClosedForm {
  /** `number`: a share, a count or a length, in the unit the row is printed in. */
  readonly gives: 'bytes' | 'number';
  // biome-ignore lint/suspicious/noExplicitAny: rows carry the arguments of their own formula.
  readonly compute: (args: any) => number;
}

const bytes = (compute: ClosedForm['compute']): ClosedForm => ({ gives: 'bytes', compute });
const number = (compute: ClosedForm['compute']): ClosedForm => ({ gives: 'number', compute });

/** The names under which rows ask for a formula of `publishedFormulas/`. */
export const closedForms: Readonly<Record<string, ClosedForm>> = {
  kort_layer: bytes(korthikanti.layerActivations),
  kort_total: bytes(korthikanti.totalActivations),
  kort_extras: bytes(korthikanti.extraActivations),
  kort_percent: number(korthikanti.percentOfBaseline),
  attn_ratio: number(korthikanti.attentionRatio),
  sel_saving_pct: number(korthikanti.selectiveSavingPercent),
  sel_flops_overhead_pct: number(korthikanti.selectiveOverheadPercent),
  mfu: number(korthikanti.modelFlopsUtilisation),
  hfu_from_mfu: number(korthikanti.hardwareFlopsUtilisation),
  output_dealloc: bytes(korthikanti.outputDeallocation),
  thr_gain: number(korthikanti.throughputGain),
  playbook_params: number(playbook.gptParameters),
  playbook_state: bytes(playbook.gptState),
  llama_matrix_params: number(playbook.llamaMatrixParameters),
  llama_state: bytes(playbook.llamaState),
  llama_state_pp: bytes(playbook.llamaFirstStageState),
  zero: bytes(zero.zeroStates),
  ds_z2: bytes(deepspeed.zero2),
  ds_z3: bytes(deepspeed.zero3),
  segment_model_full: number(segmentModel.fullCheckpoints),
  segment_model_selective: number(segmentModel.selectiveCheckpoints),
  segment_model_f_pct: number(segmentModel.coreFlopsPercent),
  peak_none: bytes(segmentModel.withoutCheckpoints),
  peak_full: bytes(boundaries.segmentPeak),
  peak_selective: bytes(boundaries.selectivePeak),
  peak_every_n: bytes(boundaries.everyNthPeak),
  best_k: number(boundaries.bestSegment),
  best_k_head: number(boundaries.bestSegmentWithHead),
  boundaries: bytes(boundaries.boundaryBytes),
  gpt_saved: bytes(llamaBlock.gptBlockBytes),
  llama_saved: bytes(llamaBlock.llamaBlockBytes),
  torch1_extra: bytes(llamaBlock.torch1Extra),
  nf4_packed: bytes(quantized.packedWeights),
  nf4_scales: bytes(quantized.quantizationScales),
  kbit_unquantized: bytes(quantized.unquantizedWeights),
  per_param: bytes(quantized.bytesPerParameter),
  head_bytes: bytes(mosaic.headBytes),
  gpt2_ac_act: bytes(mosaic.checkpointedActivations),
  gpt2_none_act: bytes(mosaic.plainActivations),
  lora_ac_peak: bytes(fitcheck.checkpointedPeak),
  lora_ac_fwd: bytes(fitcheck.checkpointedForward),
  lora_ac_eager_hump: bytes(fitcheck.eagerHump),
  lora_noac: bytes(fitcheck.loraWithoutCheckpoints),
};
