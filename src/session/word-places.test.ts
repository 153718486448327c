import { splitHeard } from '@callwright/turns';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAloud } from '@callwright/language';
import { asWritten, weightOf, wordPlaces, type SpokenForm, type UtteranceAudio } from './word-places.ts';

const audio = (totalMs: number, over: Partial<UtteranceAudio> = {}): UtteranceAudio => ({
  totalMs,
  complete: true,
  pauses: [],
  marks: [],
  paceMs: null,
  ...over,
});
/** The words by their estimated ends. */
const placed = (form: SpokenForm, of: UtteranceAudio, written = form.text): Record<string, number> =>
  Object.fromEntries(
    wordPlaces(form, of).map(({ textEnd, audioMs }) => [
      written.slice(0, textEnd).split(' ').at(-1),
      audioMs,
    ]),
  );

describe('the places of words without times', () => {
  it('follow the length of the words over the speech', () => {
    expect(placed(asWritten('one three seven'), audio(1_500))).toEqual({
      one: 311,
      three: 805,
      seven: 1_500,
    });
  });

  it('leave pauses out, and the last word ends before the silence at the end', () => {
    const pauses = [
      { fromMs: 0, toMs: 200 },
      { fromMs: 1_700, toMs: 2_000 },
    ];
    expect(placed(asWritten('one three seven'), audio(2_000, { pauses }))).toEqual({
      one: 511,
      three: 1_005,
      seven: 1_700,
    });
  });

  it('put the end of a clause at the pause near it', () => {
    const form = asWritten('well, three seven');
    const pauses = [{ fromMs: 600, toMs: 900 }];
    expect(placed(form, audio(2_100, { pauses }))).toEqual({ 'well,': 600, three: 1_398, seven: 2_100 });
    // Without the comma the pause may be anywhere.
    expect(placed(asWritten('well three seven'), audio(2_100, { pauses }))['well']).not.toBe(600);
  });

  it('are exact where the voice gave times', () => {
    const marks = [
      { textEnd: 3, audioMs: 700 },
      { textEnd: 15, audioMs: 1_400 },
    ];
    expect(placed(asWritten('one three seven'), audio(1_500, { marks }))).toEqual({
      one: 700,
      three: 991,
      seven: 1_400,
    });
  });

  it('refer to the sentence as it was written', () => {
    const written = 'It costs $12 today.';
    const form = readAloud(written, 'en-US');
    expect(form.text).toBe('It costs 12 dollars today.');
    const places = placed(form, audio(3_000), written);
    expect(places['$12']).toBeGreaterThan(1_800);
    expect(places['today.']).toBe(3_000);
  });

  it('follow the pace of the voice while synthesis runs, and leave the last word out', () => {
    const form = asWritten('one three seven');
    expect(placed(form, audio(900, { complete: false, paceMs: 100 }))).toEqual({ one: 340, three: 880 });
    expect(placed(form, audio(9_000, { complete: false, paceMs: 100 }))).not.toHaveProperty('seven');
  });

  it('follow a pace that the pauses of the utterance correct', () => {
    const form = asWritten('one three seven nine, and seventeen or eighteen');
    const slow = { complete: false, paceMs: 50, pauses: [{ fromMs: 1_300, toMs: 1_500 }] };
    const places = placed(form, audio(1_600, slow));
    expect(places['nine,']).toBe(1_300);
    // 1,670 by the pace before the pause.
    expect(places['and']).toBe(1_692);
  });

  it('weigh letters, signs that are words, spelled letters and scripts', () => {
    expect(weightOf('a big dog')).toBeCloseTo(10.4);
    expect(weightOf('42%')).toBeCloseTo(14.6);
    expect(weightOf('ATM')).toBeCloseTo(11.6);
    expect(weightOf('你好')).toBeCloseTo(10);
  });

  it('move forward, stay within the audio, and never give a word before a mark of the voice', () => {
    const word = fc.constantFrom('one', 'twelve', 'नमस्ते', '你好。', 'a,', 'ok', '42', 'USA');
    const pause = fc.tuple(fc.integer({ min: 90, max: 600 }), fc.integer({ min: 10, max: 900 }));
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }).map((words) => words.join(' ')),
        fc.array(pause, { maxLength: 6 }),
        fc.integer({ min: 1, max: 3_000 }),
        fc.boolean(),
        fc.array(fc.record({ textEnd: fc.nat(60), audioMs: fc.nat(5_000) }), { maxLength: 4 }),
        (text, gaps, speechMs, complete, given) => {
          let at = 0;
          const pauses = gaps.map(([length, before]) => {
            const fromMs = at + before;
            at = fromMs + length;
            return { fromMs, toMs: at };
          });
          const totalMs = at + speechMs;
          const marks = given
            .map((mark, index) => ({ textEnd: mark.textEnd + index * 60, audioMs: mark.audioMs }))
            .toSorted((a, b) => a.textEnd - b.textEnd)
            .map((mark, index, all) => ({
              ...mark,
              audioMs: Math.min(totalMs, Math.max(...all.slice(0, index + 1).map(({ audioMs }) => audioMs))),
            }));
          const places = wordPlaces(asWritten(text), audio(totalMs, { pauses, complete, marks }));
          for (const [index, { textEnd, audioMs }] of places.entries()) {
            expect(textEnd).toBeGreaterThan(places[index - 1]?.textEnd ?? 0);
            expect(audioMs).toBeGreaterThanOrEqual(places[index - 1]?.audioMs ?? 0);
            expect(complete ? audioMs : 0).toBeLessThanOrEqual(totalMs);
          }
          const { heard, rest } = splitHeard(text, {
            playedMs: totalMs / 2,
            totalMs,
            complete,
            marks: places,
          });
          expect(`${heard} ${rest}`.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        },
      ),
      { numRuns: 500 },
    );
  });
});
