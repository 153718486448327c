import type { GateDeps } from '../admission/gate.ts';
import { charged, hold } from '../admission/holds.ts';
import { toMicroCredits, type UnitPrices } from '../credits/price.ts';
import type { AnalysedSubject, Analyst } from './analysis.ts';
import { rulesAnalyst } from './rules-analyst.ts';

export interface AnalysisChargeDeps extends GateDeps {
  readonly prices: Pick<UnitPrices, 'analysis'>;
}

/** Longer than two requests to a model. */
const HELD_MS = 120_000;

/**
 * An analyst over a model whose analyses pass the admission gate: the price is held before the model is asked, and charged when it has
 * answered. Rules analyse what credits or caps do not cover, so that each conversation gets its analysis. An analysis of a chat or of a
 * test case is a turn of a model for `model_turns_per_day`; those of calls are as many as the calls.
 */
export const paidAnalyst = (deps: AnalysisChargeDeps, of: AnalysedSubject, model: Analyst): Analyst => ({
  name: model.name,
  async analyse(input) {
    const { workspaceId, subjectId, byStranger } = of;
    const amount = toMicroCredits(deps.prices.analysis);
    const price = of.kind === 'call' ? { amount } : { each: amount, most: 1 };
    const request = { workspaceId, kind: 'analysis', subjectId, price, byStranger, lifeMs: HELD_MS } as const;
    const answer = await hold(deps, request);
    if (!answer.admitted) return rulesAnalyst.analyse(input);
    return charged(deps, answer, price, () => model.analyse(input));
  },
});
