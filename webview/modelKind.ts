import type { BudgetView } from './derive.ts';

/** Its layers run attention; where there is no account, one is not ruled out. */
export const hasAttention = ({ budget: { pytorch } }: Pick<BudgetView, 'budget'>): boolean =>
  pytorch === undefined || pytorch.layerParts.some(({ key }) => key === 'attention-scores');

/** Blocks of a network whose width and resolution change on the way (ResNet, Swin) are no stack of equal layers. */
export function hasUnequalLayers({ budget: { pytorch } }: Pick<BudgetView, 'budget'>): boolean {
  // The first layer of a stack may keep something for all of them.
  const bytes = pytorch?.layersBytes.slice(1) ?? [];
  return bytes.length > 0 && Math.max(...bytes) > 1.5 * Math.min(...bytes);
}
