import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MICRO_CREDITS, priceOf, toMicroCredits, type Rate } from '../credits/price.ts';
import type { Caps } from '../workspaces/limits.ts';
import { decide, KINDS, type AdmissionKind, type AdmissionRequest, type Standing } from './rules.ts';

const RATE: Rate = { creditsPerMinute: 1, pulseSeconds: 60 };
const NO_CAPS: Caps = {
  callsPerMinute: null,
  creditsPerDay: null,
  strangerCallsPerMinute: null,
  strangerCreditsPerDay: null,
  modelTurnsPerDay: null,
};
const standing = (more: Partial<Omit<Standing, 'wallet' | 'usage'>> & Partial<Standing['wallet']> = {}) => {
  const { caps = NO_CAPS, lines = 10, isPaused = false, ...wallet } = more;
  return {
    wallet: {
      credits: 10 * MICRO_CREDITS,
      lockedCredits: 0,
      strangerLocked: 0,
      unlimited: false,
      ...wallet,
    },
    caps,
    lines,
    isPaused,
    usage: { starts: 0, strangerStarts: 0, spent: 0, strangerSpent: 0, turns: 0 },
  };
};
const call = (kind: AdmissionKind, byStranger: boolean, minutes = 4): AdmissionRequest => ({
  kind,
  byStranger,
  price: { talkMs: minutes * 60_000, rate: RATE },
});

describe('the admission gate', () => {
  it('shortens a call that the balance covers in part, and refuses one that it does not cover at all', () => {
    expect(decide(standing(), call('inbound', true))).toEqual({
      admitted: true,
      amount: 4 * MICRO_CREDITS,
      capMs: 240_000,
      turns: 0,
    });
    expect(decide(standing({ credits: 2.5 * MICRO_CREDITS }), call('webcall', true))).toMatchObject({
      amount: 2 * MICRO_CREDITS,
      capMs: 120_000,
    });
    expect(decide(standing({ lockedCredits: 9.5 * MICRO_CREDITS }), call('webcall', true))).toEqual({
      admitted: false,
      reason: 'balance',
    });
  });

  it('gives a sum whole or not at all, and fewer turns of a model for less money', () => {
    const sum = { kind: 'refer', byStranger: false, price: { amount: 4 * MICRO_CREDITS } } as const;
    expect(decide(standing({ credits: 4 * MICRO_CREDITS }), sum)).toMatchObject({
      amount: 4 * MICRO_CREDITS,
    });
    expect(decide(standing({ credits: 4 * MICRO_CREDITS - 1 }), sum)).toMatchObject({ reason: 'balance' });
    const turns = { kind: 'chat', byStranger: true, price: { each: MICRO_CREDITS, most: 6 } } as const;
    expect(decide(standing({ credits: 2 * MICRO_CREDITS }), turns)).toMatchObject({
      amount: 2 * MICRO_CREDITS,
      turns: 2,
    });
    expect(decide(standing({ credits: 0 }), turns)).toMatchObject({ reason: 'balance' });
    const capped = { ...standing({ unlimited: true }), caps: { ...NO_CAPS, modelTurnsPerDay: 10 } };
    expect(decide({ ...capped, usage: { ...capped.usage, turns: 7 } }, turns)).toMatchObject({
      amount: 0,
      turns: 3,
    });
    expect(decide({ ...capped, usage: { ...capped.usage, turns: 10 } }, turns)).toMatchObject({
      reason: 'model_turns_per_day',
    });
  });

  it('stops strangers at their own caps, while calls of the workspace go on', () => {
    const caps = {
      ...NO_CAPS,
      callsPerMinute: 10,
      creditsPerDay: 10,
      strangerCallsPerMinute: 2,
      strangerCreditsPerDay: 3,
    };
    const busy = { ...standing({ caps, credits: 100 * MICRO_CREDITS }), caps };
    const used = { ...busy, usage: { ...busy.usage, starts: 2, strangerStarts: 2 } };
    expect(decide(used, call('inbound', true))).toEqual({
      admitted: false,
      reason: 'stranger_calls_per_minute',
    });
    expect(decide(used, call('outbound', false))).toMatchObject({ admitted: true });
    const spent = {
      ...busy,
      usage: { ...busy.usage, spent: toMicroCredits(3), strangerSpent: toMicroCredits(3) },
    };
    expect(decide(spent, call('webcall', true))).toEqual({
      admitted: false,
      reason: 'stranger_credits_per_day',
    });
    expect(decide(spent, call('webcall', false))).toMatchObject({ admitted: true });
  });

  it('pauses outbound calls and transfers, and nothing else', () => {
    const paused = standing({ isPaused: true });
    for (const [kind, { isOutbound }] of Object.entries(KINDS)) {
      const { admitted } = decide(paused, {
        kind: kind as AdmissionKind,
        byStranger: false,
        price: { amount: 0 },
      });
      expect([kind, admitted]).toEqual([kind, !isOutbound]);
    }
  });
});

const cap = fc.option(fc.integer({ min: 0, max: 40 }), { nil: null });
const anyCaps = fc.record({
  callsPerMinute: cap,
  creditsPerDay: cap,
  strangerCallsPerMinute: cap,
  strangerCreditsPerDay: cap,
  modelTurnsPerDay: cap,
});
const anyPrice: fc.Arbitrary<AdmissionRequest['price']> = fc.oneof(
  fc.record({ talkMs: fc.integer({ min: 1, max: 600_000 }), rate: fc.constant(RATE) }),
  fc.record({ amount: fc.integer({ min: 0, max: 5 * MICRO_CREDITS }) }),
  fc.record({ each: fc.integer({ min: 0, max: MICRO_CREDITS }), most: fc.integer({ min: 1, max: 6 }) }),
);
const anyRequest: fc.Arbitrary<AdmissionRequest> = fc.record({
  kind: fc.constantFrom(...(Object.keys(KINDS) as AdmissionKind[])),
  byStranger: fc.boolean(),
  price: anyPrice,
});
/** An admission, or the settlement of the n-th admitted request with this share of what it holds. */
const anyStep = fc.oneof(
  fc.record({ request: anyRequest }),
  fc.record({ settle: fc.nat(), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
);

/** A workspace in memory, changed as `enter` and the settlement change the stored one. */
class Books {
  wallet: { credits: number; lockedCredits: number; strangerLocked: number; unlimited: boolean };
  readonly caps: Caps;
  readonly usage = { starts: 0, strangerStarts: 0, spent: 0, strangerSpent: 0, turns: 0 };
  readonly held: { amount: number; turns: number; byStranger: boolean }[] = [];
  charged = 0;

  constructor(credits: number, caps: Caps) {
    this.wallet = { credits, lockedCredits: 0, strangerLocked: 0, unlimited: false };
    this.caps = caps;
  }

  get standing(): Standing {
    return { wallet: this.wallet, caps: this.caps, usage: this.usage, lines: 5, isPaused: false };
  }

  admit(request: AdmissionRequest): void {
    const decision = decide(this.standing, request);
    if (!decision.admitted) return;
    const { amount, turns } = decision;
    const { byStranger } = request;
    this.wallet.lockedCredits += amount;
    this.wallet.strangerLocked += byStranger ? amount : 0;
    this.usage.turns += turns;
    if (KINDS[request.kind].starts) {
      this.usage.starts += 1;
      this.usage.strangerStarts += byStranger ? 1 : 0;
    }
    this.held.push({ amount, turns, byStranger });
  }

  settle(nth: number, share: number): void {
    const [hold] = this.held.splice(nth % Math.max(1, this.held.length), 1);
    if (hold === undefined) return;
    const charge = Math.floor(hold.amount * share);
    this.wallet.credits -= charge;
    this.wallet.lockedCredits -= hold.amount;
    this.wallet.strangerLocked -= hold.byStranger ? hold.amount : 0;
    this.usage.spent += charge;
    this.usage.strangerSpent += hold.byStranger ? charge : 0;
    this.usage.turns -= hold.turns - Math.floor(hold.turns * share);
    this.charged += charge;
  }
}

describe('any sequence of admissions and settlements', () => {
  it('passes no cap, locks no more than there is, and leaves exact books', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 * MICRO_CREDITS }),
        anyCaps,
        fc.array(anyStep, { maxLength: 60 }),
        (credits, caps, steps) => {
          const books = new Books(credits, caps);
          for (const step of steps) {
            if ('request' in step) books.admit(step.request);
            else books.settle(step.settle, step.share);
            const { wallet, usage } = books;
            expect(wallet.lockedCredits).toBeLessThanOrEqual(wallet.credits);
            expect(wallet.strangerLocked).toBeLessThanOrEqual(wallet.lockedCredits);
            const within = (limit: number | null, used: number): void =>
              expect(used).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY);
            const micro = (limit: number | null) => (limit === null ? null : toMicroCredits(limit));
            within(micro(caps.creditsPerDay), usage.spent + wallet.lockedCredits);
            within(micro(caps.strangerCreditsPerDay), usage.strangerSpent + wallet.strangerLocked);
            within(caps.callsPerMinute, usage.starts);
            within(caps.strangerCallsPerMinute, usage.strangerStarts);
            within(caps.modelTurnsPerDay, usage.turns);
          }
          while (books.held.length > 0) books.settle(0, 0.5);
          expect(books.wallet).toEqual({
            credits: credits - books.charged,
            lockedCredits: 0,
            strangerLocked: 0,
            unlimited: false,
          });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('grants talk whose price is what it locks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9 * MICRO_CREDITS }),
        fc.integer({ min: 1, max: 20 }),
        (credits, minutes) => {
          const decision = decide(standing({ credits }), call('inbound', true, minutes));
          const priceOfTalk = decision.admitted ? priceOf(decision.capMs, RATE) : 0;
          expect(priceOfTalk).toBe(decision.admitted ? decision.amount : 0);
          expect(decision.admitted).toBe(credits >= MICRO_CREDITS);
        },
      ),
    );
  });
});
