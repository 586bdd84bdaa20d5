/**
 * Which results of a layer to save under a budget of bytes, so that the work that must be done again is least: a 0–1
 * knapsack, solved exactly. PyTorch's memory-budget tools ask the same question for one module.
 */
export interface SaveChoice {
  /** Bytes the result takes if it is saved. */
  readonly bytes: number;
  /** What running it again costs, in any unit of work. */
  readonly cost: number;
}

/** For each choice whether to save it. Free ones are always saved; of equal plans the one that takes fewer bytes wins. */
export function selectSaves(choices: readonly SaveChoice[], budgetBytes: number): readonly boolean[] {
  const order = choices
    .map((choice, at) => ({ ...choice, at }))
    .filter(({ bytes, cost }) => bytes > 0 && cost > 0 && bytes <= budgetBytes)
    .sort((a, b) => b.cost / b.bytes - a.cost / a.bytes || a.bytes - b.bytes);
  const best = { cost: -1, bytes: 0, taken: [] as readonly number[] };
  const taken: number[] = [];
  // Depth first, best ratio first; a branch ends where even filling up with fractions cannot beat what is known.
  const descend = (from: number, cost: number, bytes: number): void => {
    if (cost > best.cost || (cost === best.cost && bytes < best.bytes)) {
      best.cost = cost;
      best.bytes = bytes;
      best.taken = [...taken];
    }
    if (from >= order.length || cost + bound(order, from, budgetBytes - bytes) < best.cost) return;
    const item = order[from];
    if (item === undefined) return;
    if (bytes + item.bytes <= budgetBytes) {
      taken.push(item.at);
      descend(from + 1, cost + item.cost, bytes + item.bytes);
      taken.pop();
    }
    if (cost + bound(order, from + 1, budgetBytes - bytes) > best.cost) descend(from + 1, cost, bytes);
  };
  descend(0, 0, 0);
  const chosen = new Set(best.taken);
  return choices.map(({ bytes }, at) => bytes === 0 || chosen.has(at));
}

/** What the rest of the budget is worth at most, if results could be saved in part. */
function bound(order: readonly SaveChoice[], from: number, left: number): number {
  let worth = 0;
  let room = left;
  for (let at = from; at < order.length && room > 0; at++) {
    const item = order[at];
    if (item === undefined) break;
    const share = Math.min(1, room / item.bytes);
    worth += share * item.cost;
    room -= share * item.bytes;
  }
  return worth;
}
