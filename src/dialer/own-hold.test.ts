import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOT_HELD, OwnHold, stepHold, type HoldEvent, type HoldState } from './own-hold.ts';

const events: fc.Arbitrary<HoldEvent> = fc.oneof(
  fc.record({ type: fc.constant('wished' as const), isHeld: fc.boolean() }),
  fc.constant<HoldEvent>({ type: 'accepted' }),
  fc.constant<HoldEvent>({ type: 'refused' }),
);

describe('stepHold', () => {
  it('has one open offer at most and follows the last wish, in every order of events', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), (all) => {
        let state: HoldState = NOT_HELD;
        let open = 0;
        for (const event of all) {
          const before = state;
          const next = stepHold(state, event);
          state = next.state;
          if (event.type !== 'wished' && open === 1) open -= 1;
          const offers = next.effects.filter(({ type }) => type === 'offer');
          open += offers.length;
          expect(open).toBeLessThanOrEqual(1);
          expect(state.offering === null).toBe(open === 0);
          expect(offers.every(({ isHeld }) => isHeld !== state.isHeld)).toBe(true);
          const changes = next.effects.filter(({ type }) => type === 'changed');
          expect(changes.map(({ isHeld }) => isHeld)).toEqual(
            state.isHeld === before.isHeld ? [] : [state.isHeld],
          );
          // Only the far side changes whether it is held, and never by a refusal.
          expect(event.type === 'accepted' || state.isHeld === before.isHeld).toBe(true);
          // Without an open offer nothing is left to be done.
          expect(open === 1 || state.isHeld === state.isWished).toBe(true);
        }
        // The far side takes all that is still open.
        const wish = state.isWished;
        for (let tries = 0; state.offering !== null; tries++) {
          expect(tries).toBeLessThan(3);
          state = stepHold(state, { type: 'accepted' }).state;
        }
        expect(state.isHeld).toBe(wish);
      }),
    );
  });
});

describe('OwnHold', () => {
  function rig() {
    const log: string[] = [];
    let settle: ((isTaken: boolean) => void) | null = null;
    const hold = new OwnHold({
      offer(isHeld, done) {
        log.push(`offer ${isHeld}`);
        settle = done;
      },
      onChanged: (isHeld, by) => log.push(`${isHeld ? 'held' : 'back'} by ${by}`),
      onRefused: (isHeld) => log.push(`refused ${isHeld}`),
    });
    return { hold, log, answer: (isTaken: boolean) => settle?.(isTaken) };
  }

  it('keeps the caller waiting for a member when a transfer that held them fails', () => {
    const { hold, log, answer } = rig();
    hold.hold('transfer', 'the transfer');
    answer(true);
    hold.hold('member', 'Ann');
    hold.release('transfer', 'the transfer');
    expect(log).toEqual(['offer true', 'held by the transfer']);
    hold.releaseAll('Ann');
    answer(true);
    expect(log.slice(2)).toEqual(['offer false', 'back by Ann']);
  });

  it('forgets a refused hold, and lets a member try again to end one whose end was refused', () => {
    const { hold, log, answer } = rig();
    hold.hold('transfer', 'the transfer');
    answer(false);
    hold.release('transfer', 'the transfer');
    expect([log, hold.isWished]).toEqual([['offer true', 'refused true'], false]);
    hold.hold('member', 'Ann');
    answer(true);
    hold.releaseAll('Ann');
    answer(false);
    expect(hold.isWished).toBe(true);
    hold.releaseAll('Ann');
    answer(true);
    expect(log.slice(2)).toEqual([
      'offer true',
      'held by Ann',
      'offer false',
      'refused false',
      'offer false',
      'back by Ann',
    ]);
  });

  it('takes a hold back that was wished away before the far side answered, without a word', () => {
    const { hold, log, answer } = rig();
    hold.hold('member', 'Ann');
    hold.releaseAll('Ann');
    answer(false);
    expect(log).toEqual(['offer true']);
    hold.hold('member', 'Ann');
    hold.releaseAll('Bob');
    answer(true);
    answer(true);
    expect(log.slice(1)).toEqual(['offer true', 'held by Bob', 'offer false', 'back by Bob']);
  });
});
