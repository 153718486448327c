import { apportion, byModel, type CallAgent } from '../../domain/calls/agent-shares.ts';
import type { VendorUse } from '../../domain/calls/details.ts';
import { toCredits } from '../../domain/credits/price.ts';
import { costOf, type PriceTable, type Used } from '../../shared/prices.ts';

/** Amounts have six decimals: a token costs less than a thousandth of a cent. */
const MICRO = 1_000_000;
const toMicro = (value: number): number => Math.round(value * MICRO);
const money = (value: number): number => toMicro(value) / MICRO;

/** What was used of one model, and its price; null: the price table has none. */
export const toUse = (use: Used, prices: PriceTable) => {
  const cost = costOf(prices, use);
  return {
    part: use.part,
    vendor: use.vendor,
    model: use.model,
    audio_seconds: Math.round(use.audioMs) / 1000,
    input_tokens: use.inputTokens,
    cached_tokens: use.cachedTokens,
    output_tokens: use.outputTokens,
    characters: use.characters,
    cost: cost === null ? null : money(cost),
  };
};

const totalOf = (usage: readonly Used[], prices: PriceTable): number =>
  usage.reduce((sum, use) => sum + (costOf(prices, use) ?? 0), 0);

/** The cost of what was used; what has no price is left out. */
export function toCost(usage: readonly Used[], prices: PriceTable, talkMs: number | null) {
  const total = totalOf(usage, prices);
  return {
    currency: prices.currency,
    cost: money(total),
    cost_per_minute: talkMs === null || talkMs === 0 ? null : money((total * 60_000) / talkMs),
  };
}

/** The vendors of a call. `is_complete`: every one has a price. */
export function toUsage(usage: readonly VendorUse[], prices: PriceTable, talkMs: number | null) {
  const all = byModel(usage);
  return {
    ...toCost(all, prices, talkMs),
    vendors: all.map((use) => toUse(use, prices)),
    is_complete: all.every((use) => costOf(prices, use) !== null),
  };
}

/** The cost of each group of uses in micro-units: they sum to that of the `whole`, rounded once. */
const microCosts = (
  whole: readonly Used[],
  groups: readonly (readonly Used[])[],
  prices: PriceTable,
): number[] =>
  apportion(
    toMicro(totalOf(whole, prices)),
    groups.map((usage) => totalOf(usage, prices)),
  );

/** The agents of a call. Times, amounts and costs of all agents sum to those of the call. */
export function toAgents(agents: readonly CallAgent[], prices: PriceTable) {
  const whole = byModel(agents.flatMap(({ usage }) => usage));
  const costs = microCosts(
    whole,
    agents.map(({ usage }) => usage),
    prices,
  );
  return agents.map(({ agentId, agentName, heldMs, cost, usage }, at) => ({
    agent_id: agentId,
    agent_name: agentName,
    held_seconds: heldMs / 1000,
    call_cost: toCredits(cost),
    vendor_cost: costs[at]! / MICRO,
    vendors: usage.map((use) => toUse(use, prices)),
  }));
}

/** What each agent used in many calls, the most expensive first. */
export function toAgentCosts(
  whole: readonly Used[],
  uses: readonly (Used & {
    readonly calls: number;
    readonly agentId: string;
    readonly agentName: string | null;
  })[],
  prices: PriceTable,
) {
  const agents = [...Map.groupBy(uses, ({ agentId }) => agentId).values()];
  const costs = microCosts(whole, agents, prices);
  return agents
    .map((own, at) => ({
      agent_id: own[0]!.agentId,
      agent_name: own[0]!.agentName,
      cost: costs[at]! / MICRO,
      vendors: own.map((use) => ({ calls: use.calls, ...toUse(use, prices) })),
    }))
    .sort((a, b) => b.cost - a.cost);
}
