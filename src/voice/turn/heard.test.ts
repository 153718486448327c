import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitHeard } from './heard.ts';

const heard = (playedMs: number, totalMs: number, complete = true) => ({
  utteranceId: 1,
  playedMs,
  totalMs,
  complete,
});

describe('what was heard', () => {
  it('is the words that were played whole', () => {
    const text = 'one two three four';
    expect(splitHeard(text, heard(1_000, 2_000))).toEqual({ heard: 'one two', rest: 'three four' });
    expect(splitHeard(text, heard(0, 2_000))).toEqual({ heard: '', rest: text });
    expect(splitHeard(text, heard(2_000, 2_000))).toEqual({ heard: text, rest: '' });
  });

  it('is never all of an utterance whose length is not known yet', () => {
    const text = 'one two three four';
    expect(splitHeard(text, heard(500, 500, false)).heard).toBe('one');
    expect(splitHeard(text, heard(60_000, 60_000, false)).heard).toBe('one two three');
  });

  it('is cut between signs where words are not parted', () => {
    expect(splitHeard('请问您还在吗', heard(500, 1_000)).heard).toBe('请问您');
    const burmese = splitHeard('မင်္ဂလာပါခင်ဗျာ', heard(500, 1_000));
    expect(burmese.heard + burmese.rest).toBe('မင်္ဂလာပါခင်ဗျာ');
  });

  it('and the rest make up the text, in proportion', () => {
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
          const share = complete && totalMs > 0 ? playedMs / totalMs : 1;
          expect(parts.heard.length).toBeLessThanOrEqual(Math.max(0, Math.min(1, share)) * text.length);
          expect(complete || parts.rest !== '').toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
