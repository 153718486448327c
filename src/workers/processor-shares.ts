import { Budget } from '../shared/ingress/budget.ts';

/** A call uses a few percent of a core. One may use three seconds at once, and 30 % of its thread for long. */
const PROCESSOR = { processorMs: { burst: 3_000, perSecond: 300 } };

export const processorBudget = (): Budget => new Budget(PROCESSOR);

/**
 * The processor time of each call in an interval. `heldMs`: how long each had the thread; `threadMs`: the processor time of
 * the whole thread. The system may have given the processor to others meanwhile, which is no call's fault.
 */
export function processorShares(heldMs: readonly number[], threadMs: number): number[] {
  const held = heldMs.reduce((sum, ms) => sum + ms, 0);
  const share = held === 0 ? 0 : Math.min(1, threadMs / held);
  return heldMs.map((ms) => ms * share);
}
