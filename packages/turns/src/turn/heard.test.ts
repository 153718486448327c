import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitHeard } from './heard.ts';

const heard = (playedMs: number, totalMs: number, complete = true) => ({
  utteranceId: 1,
  playedMs,
  totalMs,
  complete,
});

describe('splitHeard', () => {
  it('returns the words that were played in full', () => {
    const text = 'one two three four';
    expect(splitHeard(text, heard(1_000, 2_000))).toEqual({ heard: 'one two', rest: 'three four' });
    expect(splitHeard(text, heard(0, 2_000))).toEqual({ heard: '', rest: text });
    expect(splitHeard(text, heard(2_000, 2_000))).toEqual({ heard: text, rest: '' });
  });

  it('never returns all of an utterance of unknown length', () => {
    const text = 'one two three four';
    expect(splitHeard(text, heard(500, 500, false)).heard).toBe('one');
    expect(splitHeard(text, heard(60_000, 60_000, false)).heard).toBe('one two three');
  });

  it('returns exactly the words whose marks were played', () => {
    const text = 'one two three four';
    const marks = [
      { textEnd: 3, audioMs: 900 },
      { textEnd: 7, audioMs: 1_000 },
      { textEnd: 13, audioMs: 1_100 },
      { textEnd: 18, audioMs: 1_900 },
    ];
    const at = (playedMs: number, complete: boolean) =>
      splitHeard(text, { ...heard(playedMs, 2_000, complete), marks }).heard;
    for (const complete of [true, false]) {
      expect(at(899, complete)).toBe('');
      expect(at(900, complete)).toBe('one');
      expect(at(1_099, complete)).toBe('one two');
      expect(at(1_899, complete)).toBe('one two three');
      expect(at(1_900, complete)).toBe(text);
    }
  });

  it('places words between marks by length, and after the last mark of an unfinished utterance slowly', () => {
    const text = 'one two three four';
    const marks = [{ textEnd: 7, audioMs: 700 }];
    expect(splitHeard(text, { ...heard(350, 2_000), marks }).heard).toBe('one');
    expect(splitHeard(text, { ...heard(1_200, 1_200, false), marks }).heard).toBe('one two three');
    expect(splitHeard(text, { ...heard(1_100, 1_200, false), marks }).heard).toBe('one two');
  });

  it('cuts between graphemes in scripts without word separators', () => {
    expect(splitHeard('请问您还在吗', heard(500, 1_000)).heard).toBe('请问您');
    const burmese = splitHeard('မင်္ဂလာပါခင်ဗျာ', heard(500, 1_000));
    expect(burmese.heard + burmese.rest).toBe('မင်္ဂလာပါခင်ဗျာ');
  });

  it('counts a marked word as heard if and only if its mark was played', () => {
    const words = fc.array(fc.tuple(fc.constantFrom('one', 'twelve', 'नमस्ते', 'a,', 'ok'), fc.nat(900)), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(words, fc.nat(9_000), fc.boolean(), (spoken, playedMs, complete) => {
        const text = spoken.map(([word]) => word).join(' ');
        let textEnd = -1;
        let audioMs = 0;
        const marks = spoken.map(([word, ms]) => {
          textEnd += 1 + word.length;
          audioMs += 1 + ms;
          return { textEnd, audioMs };
        });
        const played = marks.filter((mark) => mark.audioMs <= playedMs).length;
        const parts = splitHeard(text, { ...heard(playedMs, Math.max(audioMs, playedMs), complete), marks });
        const isWhole = complete && playedMs >= Math.max(audioMs, playedMs) && playedMs > 0;
        expect(parts.heard.split(' ').filter(Boolean)).toHaveLength(isWhole ? spoken.length : played);
        expect(`${parts.heard} ${parts.rest}`.trim()).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('splits any text in two with any marks', () => {
    const mark = fc.record({
      textEnd: fc.integer({ min: -3, max: 40 }),
      audioMs: fc.integer({ min: -9, max: 5_000 }),
    });
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom('one', 'twelve', '你好。'), { minLength: 1 })
          .map((words) => words.join(' ')),
        fc.array(mark),
        fc.nat(6_000),
        fc.boolean(),
        (text, marks, playedMs, complete) => {
          const parts = splitHeard(text, { ...heard(playedMs, 4_000, complete), marks });
          expect(`${parts.heard} ${parts.rest}`.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
          const later = splitHeard(text, { ...heard(playedMs + 500, 4_000, complete), marks });
          expect(later.heard.startsWith(parts.heard)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('splits the whole text in proportion', () => {
    const word = fc.constantFrom('one', 'twelve', 'नमस्ते', '你好。', 'a,', 'ok');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }).map((words) => words.join(' ')),
        fc.integer({ min: -10, max: 5_000 }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.boolean(),
        (text, playedMs, totalMs, complete) => {
          const parts = splitHeard(text, heard(playedMs, totalMs, complete));
          expect(`${parts.heard} ${parts.rest}`.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
          // Whole numbers on both sides: a quotient would be rounded.
          const [played, total] = complete && totalMs > 0 ? [Math.max(0, playedMs), totalMs] : [1, 1];
          expect(parts.heard.length * total).toBeLessThanOrEqual(Math.min(played, total) * text.length);
          expect(complete || parts.rest !== '').toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
