import { array, assert, constant, integer, nat, oneof, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PriceTable } from '../../shared/prices.ts';
import { costOfLine, covered, worstOfLine } from './budget.ts';

const PRICES: PriceTable = {
  currency: 'EUR',
  prices: [
    { part: 'llm', vendor: 'openai', model: 'small', perMillionTokens: { input: 2, cached: 0.5, output: 8 } },
    { part: 'llm', vendor: 'mistral', model: '*', perMillionTokens: { input: 1, output: 1 } },
  ],
};
const SMALL = { vendor: 'openai', model: 'small' };
const OTHER = { vendor: 'mistral', model: 'any' };

describe('the budget of a rehearsal', () => {
  it('begins only conversations whose dearest course it covers, and as many as it can', () => {
    const conversations = array(record({ worst: nat(10_000), share: integer({ min: 0, max: 100 }) }), {
      maxLength: 60,
    });
    assert(
      property(
        oneof(constant(null), nat(100_000)),
        conversations,
        integer({ min: 1, max: 5 }),
        (most, all, parallel) => {
          let spent = 0;
          let at = 0;
          for (;;) {
            const next = all.slice(at, at + parallel);
            const begun = covered(
              { most, spent },
              next.map(({ worst }) => worst),
            );
            spent += next
              .slice(0, begun)
              .reduce((sum, { worst, share }) => sum + Math.floor((worst * share) / 100), 0);
            at += begun;
            if (begun === 0) break;
          }
          expect(spent).toBeLessThanOrEqual(most ?? Number.POSITIVE_INFINITY);
          const refused = all[at];
          if (refused === undefined) return;
          // It stops for the money alone.
          expect(spent + refused.worst).toBeGreaterThan(most ?? Number.POSITIVE_INFINITY);
        },
      ),
    );
  });

  it('stops at the first conversation that could pass it, also when a later one is cheaper', () => {
    expect(covered({ most: 100, spent: 40 }, [30, 30, 1])).toBe(2);
    expect(covered({ most: 100, spent: 40 }, [30, 31, 1])).toBe(1);
    expect(covered({ most: 100, spent: 101 }, [0])).toBe(0);
    expect(covered({ most: null, spent: 1_000 }, [500, 500])).toBe(2);
  });

  it('never counts more than the worst of a line, and counts the worst when no tokens are reported', () => {
    const worst = worstOfLine(PRICES, [SMALL], { bytes: 4_000, tokens: 400 })!;
    expect(worst).toBe(4_000 * 2 + 400 * 8);
    assert(
      property(nat(8_000), nat(8_000), nat(800), (input, cached, output) => {
        const usage = {
          ...SMALL,
          inputTokens: input,
          cachedTokens: Math.min(cached, input),
          outputTokens: output,
        };
        const cost = costOfLine(PRICES, usage, worst);
        expect(cost).toBeLessThanOrEqual(worst);
        expect(cost).toBeGreaterThanOrEqual(0);
      }),
    );
    const unknown = { ...SMALL, inputTokens: null, cachedTokens: null, outputTokens: null };
    expect([costOfLine(PRICES, unknown, worst), costOfLine(PRICES, null, worst)]).toEqual([worst, worst]);
  });

  it('adds up models that may all be asked, and has no answer for one without a price', () => {
    const asked = { bytes: 1_000, tokens: 100 };
    expect(worstOfLine(PRICES, [SMALL, OTHER], asked)).toBe(2_800 + 1_100);
    expect(worstOfLine(PRICES, [SMALL, { vendor: 'own', model: 'x' }], asked)).toBeNull();
  });
});
