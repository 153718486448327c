import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAgentCosts, toAgents, toUsage } from '../../http/calls/usage-wire.ts';
import { NO_USE, type VendorUse } from '../../voice/measures.ts';
import { agentsOf, apportion, byModel, sharesOf } from './agent-shares.ts';

const sum = (parts: readonly number[]): number => parts.reduce((a, b) => a + b, 0);
const micro = (value: number): number => Math.round(value * 1e6);
const DESK = 'desk';
const names = fc.constantFrom(DESK, 'billing', 'sales', 'support');
const agent = names.map((id) => ({ id, name: id.toUpperCase() }));
const amount = fc.nat({ max: 5_000_000 });
const use: fc.Arbitrary<VendorUse> = fc.record({
  part: fc.constantFrom('stt', 'llm', 'tts'),
  vendor: fc.constantFrom('deepgram', 'openai', 'unpriced'),
  model: fc.constantFrom(null, 'one', 'two'),
  audioMs: amount,
  inputTokens: amount,
  cachedTokens: fc.constant(0),
  outputTokens: amount,
  characters: amount,
  agent,
});
const prices = {
  currency: 'USD',
  prices: (['stt', 'llm', 'tts'] as const).flatMap((part) =>
    ['deepgram', 'openai'].map((vendor) => ({
      part,
      vendor,
      model: '*',
      perMinute: 0.0043,
      perThousandCharacters: 0.017,
      perMillionTokens: { input: 0.15, output: 0.6 },
    })),
  ),
};

describe('the parts of the agents', () => {
  it('sum to the whole, each within one of its exact share', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1 }),
        (total, weights) => {
          const parts = apportion(total, weights);
          expect(sum(parts)).toBe(total);
          const all = sum(weights);
          parts.forEach((part, at) => {
            expect(part).toBeGreaterThanOrEqual(0);
            const exact = all === 0 ? part : (total * weights[at]!) / all;
            expect(Math.abs(part - exact)).toBeLessThanOrEqual(1.001);
          });
        },
      ),
    );
  });

  it('of time and credits sum to the attempt, and the transfers are those of the last agent', () => {
    const moments = fc.array(fc.tuple(agent, fc.nat({ max: 200_000 })), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(moments, fc.nat({ max: 150_000 }), amount, amount, (handed, ms, charge, transferCharge) => {
        const handovers = handed
          .toSorted((a, b) => a[1] - b[1])
          .map(([by, at]) => ({ agent: by, at: 1_000 + at }));
        const held = { agentId: DESK, handovers, answeredAt: new Date(1_000), endedAt: 1_000 + ms };
        const shares = sharesOf({ ...held, charge, transferCharge })!;
        expect(sum(shares.map(({ cost }) => cost))).toBe(charge + transferCharge);
        expect(sum(shares.map(({ heldMs }) => heldMs))).toBe(ms);
        expect(new Set(shares.map(({ agentId }) => agentId)).size).toBe(shares.length);
        const last = handovers.at(-1)!.agent.id;
        expect(shares.find(({ agentId }) => agentId === last)!.cost).toBeGreaterThanOrEqual(transferCharge);
      }),
    );
  });

  it('are none of an attempt without an answer or a handover', () => {
    const held = { agentId: DESK, endedAt: 2_000, charge: 1, transferCharge: 0 };
    const handovers = [{ agent: { id: 'billing', name: 'Billing' }, at: 1_500 }];
    expect(sharesOf({ ...held, handovers, answeredAt: null })).toBeNull();
    expect(sharesOf({ ...held, handovers: [], answeredAt: new Date(1_000) })).toBeNull();
  });

  it('of vendors sum to the usage and its cost in micro-units', () => {
    fc.assert(
      fc.property(fc.array(use, { maxLength: 30 }), amount, (usage, cost) => {
        const call = { agentId: DESK, agentName: 'Desk', cost, durationMs: 60_000 };
        const ids = [...new Set(usage.flatMap((each) => each.agent?.id ?? []))];
        const shares = ids.map((agentId) => ({ agentId, agentName: agentId, heldMs: 1_000, cost: 0 }));
        const agents = toAgents(agentsOf(call, shares, usage), prices);
        const whole = toUsage(usage, prices, null);
        expect(sum(agents.map((each) => micro(each.vendor_cost)))).toBe(micro(whole.cost));
        expect(sum(agents.map((each) => micro(each.call_cost)))).toBe(cost);
        for (const row of whole.vendors) {
          const parts = agents.flatMap(({ vendors }) =>
            vendors.filter(
              ({ part, vendor, model }) => part === row.part && vendor === row.vendor && model === row.model,
            ),
          );
          const total = (of: (each: (typeof parts)[number]) => number): number => sum(parts.map(of));
          expect(total(({ audio_seconds: s }) => Math.round(s * 1_000))).toBe(
            Math.round(row.audio_seconds * 1_000),
          );
          expect(total(({ input_tokens: n }) => n)).toBe(row.input_tokens);
          expect(total(({ characters: n }) => n)).toBe(row.characters);
        }
        const many = usage.map((each) => ({ ...each, calls: 1, agentId: each.agent!.id, agentName: null }));
        const costs = toAgentCosts(byModel(usage), many, prices);
        expect(sum(costs.map((each) => micro(each.cost)))).toBe(micro(whole.cost));
      }),
    );
  });

  it('of a call with one agent are the whole call', () => {
    const used: VendorUse = { ...NO_USE, part: 'tts', vendor: 'openai', model: null, characters: 1_000 };
    const call = { agentId: DESK, agentName: 'Desk', cost: 7, durationMs: 60_000 };
    expect(toAgents(agentsOf(call, [], [used]), prices)).toEqual([
      {
        agent_id: DESK,
        agent_name: 'Desk',
        held_seconds: 60,
        call_cost: 0.000007,
        vendor_cost: 0.017,
        vendors: [expect.objectContaining({ part: 'tts', characters: 1_000, cost: 0.017 })],
      },
    ]);
  });

  it('give the cost of earlier attempts to the first agent', () => {
    const call = { agentId: DESK, agentName: 'Desk', cost: 10, durationMs: 60_000 };
    const shares = [
      { agentId: DESK, agentName: null, heldMs: 20, cost: 2 },
      { agentId: 'billing', agentName: 'Billing', heldMs: 30, cost: 3 },
    ];
    expect(agentsOf(call, shares, []).map(({ agentName, cost }) => [agentName, cost])).toEqual([
      ['Desk', 7],
      ['Billing', 3],
    ]);
  });
});
