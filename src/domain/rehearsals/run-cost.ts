import { errors } from '../../errors.ts';
import type { PriceTable } from '../../shared/prices.ts';
import type { StructuredModel } from '../analysis/model-analyst.ts';
import { fromMicro, toMicro, worstOfLine, type MostAsked } from './budget.ts';
import type { RehearsalPlan, Rehearser } from './rehearser.ts';

export interface CostDeps {
  readonly rehearser: Rehearser;
  /** The language model of a workspace; null or absent: it has none. */
  modelOf?: (workspaceId: string) => Promise<StructuredModel | null>;
  readonly prices: PriceTable;
}

/** What a new rehearsal notes of its cost; amounts are millionths of `currency`. */
export interface RunCost {
  readonly byModel: boolean;
  readonly maxCost: number | null;
  /** Null: no model is asked, or it has no price. */
  readonly currency: string | null;
}

/** The most that a call may cost with all versions; null: a model has no price. */
export function worstOfCall(
  prices: PriceTable,
  model: StructuredModel,
  asked: readonly MostAsked[],
): number | null {
  let sum = 0;
  for (const { lines, ...line } of asked) {
    const worst = lines === 0 ? 0 : worstOfLine(prices, model.models ?? [], line);
    if (worst === null) return null;
    sum += lines * worst;
  }
  return sum;
}

/**
 * Checks that a rehearsal has the model and the budget that its callers need. Throws 409 without a model, or with a budget and a model
 * without a price, and 400 for a budget that does not cover the first call.
 */
export async function costOfRun(
  { rehearser, modelOf, prices }: CostDeps,
  workspaceId: string,
  plan: RehearsalPlan,
  maxCost: number | null,
): Promise<RunCost> {
  const most = maxCost === null ? null : toMicro(maxCost);
  if (!rehearser.hasModelCaller(plan.scenarios))
    return { byModel: false, maxCost: most, currency: most === null ? null : prices.currency };
  const model = (await modelOf?.(workspaceId)) ?? null;
  if (model === null) throw errors.noLanguageModel();
  const worst = worstOfCall(prices, model, rehearser.mostAsked(plan, 0));
  if (most !== null && worst === null) throw errors.modelWithoutPrice(model.name);
  if (most !== null && worst !== null && worst > most)
    throw errors.budgetTooLow(fromMicro(worst), prices.currency);
  return { byModel: true, maxCost: most, currency: worst === null ? null : prices.currency };
}
