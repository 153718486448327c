import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beginSegment,
  ended,
  finalIn,
  IGNORED,
  isOwed,
  isSounding,
  NO_SEGMENT,
  over,
  owedBy,
  owedUntil,
  owesNothing,
  partialIn,
  paused,
  SILENCE,
  soundAfterCommit,
  soundAfterHold,
  speakingSince,
  withFinal,
  withoutOwed,
  withPartial,
  type Sound,
} from './segment.ts';

const sound: fc.Arbitrary<Sound> = fc.oneof(
  fc.nat(9_000).map(speakingSince),
  fc.record({
    phase: fc.constantFrom('none', 'over', 'soft', 'ignored', 'cut_off'),
    owedUntil: fc.option(fc.nat(9_000)),
  }),
);
const at = fc.nat(9_000);

describe('the sound of the caller', () => {
  it('never owes a final while the gate hears speech', () => {
    fc.assert(
      fc.property(sound, at, (before, now) => {
        const after = [
          paused(before, true),
          ended(before),
          withFinal(before, true, now),
          withPartial(before, now, 1_500),
          owedBy(before, now),
          soundAfterCommit(before),
        ];
        for (const one of after) {
          expect(isSounding(one)).toBe(isSounding(before));
          expect(one.phase === 'speaking' && owedUntil(one) !== null).toBe(false);
        }
      }),
    );
  });

  it('owes nothing after its final, a commit or a hold', () => {
    fc.assert(
      fc.property(sound, at, (before, now) => {
        for (const one of [
          ended(before),
          withFinal(before, false, now),
          withoutOwed(before),
          soundAfterCommit(before),
          soundAfterHold(before),
        ]) {
          expect(owedUntil(one)).toBe(null);
        }
        expect(isSounding(soundAfterHold(before))).toBe(false);
      }),
    );
  });

  it('keeps the first deadline of its final, unless soft or ignored sound renews it', () => {
    expect(withPartial(over(2_000), 1_000, 1_500)).toEqual(over(2_000));
    expect(withPartial(over(null), 1_000, 1_500)).toEqual(over(2_500));
    expect(owedUntil(withPartial({ phase: 'soft', owedUntil: 2_000 }, 1_000, 1_500))).toBe(2_500);
    expect(owedUntil(withPartial(IGNORED, 1_000, 1_500))).toBe(2_500);
  });

  it('is silent after a commit unless sound continues', () => {
    expect(soundAfterCommit(over(2_000))).toBe(SILENCE);
    expect(soundAfterCommit(IGNORED)).toBe(IGNORED);
    expect(soundAfterCommit(paused(speakingSince(1_000), true))).toMatchObject({
      phase: 'speaking',
      isPaused: true,
      isFinal: false,
    });
  });
});

describe('the words of a segment', () => {
  const begun = { since: 1_000, audioMs: null };

  it('belong to the previous segment while that owes its final', () => {
    const owed = beginSegment(NO_SEGMENT, begun, 'owed', false);
    const unsure = partialIn(owed, true);
    expect([unsure.words, unsure.isHarmless, isOwed(unsure)]).toEqual(['unsure', false, true]);
    expect(owesNothing(owed).words).toBe('none');
    expect(owesNothing(unsure).words).toBe('heard');
    expect(finalIn(unsure).words).toBe('heard');
  });

  it('are harmless as long as they are backchannels', () => {
    const heard = partialIn(beginSegment(NO_SEGMENT, begun, 'none', false), true);
    expect([heard.words, heard.isHarmless]).toEqual(['heard', true]);
    expect(partialIn(heard, false).isHarmless).toBe(false);
  });
});
