import type { Answer } from '../comparison.ts';

/**
 * torch-preflight's end-to-end peaks on a Tesla T4 (`tests/calibration/measure_cuda.py`): fp32 weights, torch's AdamW,
 * transformers' default attention, a second step measured; what the allocator reserved, and the CUDA context. The script asks
 * `torch.cuda.is_bf16_supported()`, which a T4 answers with yes, so autocast is bf16, and for bf16 a T4 has no fused attention.
 */
export function preflightAnswer(id: string): Answer | undefined {
  const [, name] = /^torch-preflight (\S+) b(\d+) s?(\d+)$/.exec(id) ?? [];
  if (name === undefined) return undefined;
  const why =
    name === 'ResNet-50'
      ? 'workspaces that cuDNN chooses for its convolutions'
      : "SDPA's math fallback, which a T4 takes for bf16";
  return { notCovered: why };
}
