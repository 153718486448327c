import { describe, expect, it } from 'vitest';
import { waysOf } from './capacity.ts';

const measured = {
  media: 0.006,
  words: 0.06,
  phrases: 0.07,
  voice: 0.03,
  wordsBy: 'vosk',
  voiceBy: 'hibari',
};

describe('callwright capacity', () => {
  it('counts most calls where vendors hear and speak, and fewer with each engine of the machine', () => {
    const fits = waysOf(8, measured, 1000).map(({ by, fit }) => [by, fit]);
    expect(fits).toEqual([
      ['vendors hear and speak', 1066],
      ['a vendor hears, this machine speaks', 304],
      ['this machine hears by words (vosk) and speaks', 86],
      ['this machine hears by phrases (pocketsphinx) and speaks', 114],
    ]);
  });

  it('lists no engine that is not installed', () => {
    const bare = { ...measured, words: null, phrases: null, wordsBy: null };
    expect(waysOf(2, bare, 10).map(({ by }) => by)).toEqual([
      'vendors hear and speak',
      'a vendor hears, this machine speaks',
    ]);
  });
});
