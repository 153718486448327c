import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENT_PATTERNS, OTHER_WORDS } from './agent-speech.ts';
import { languageModel, sentencesOf } from './language-model.ts';

describe('sentencesOf', () => {
  it('expands choices and optional parts', () => {
    expect(sentencesOf('(what|which) day [suits you [best]]').toSorted()).toEqual([
      'what day',
      'what day suits you',
      'what day suits you best',
      'which day',
      'which day suits you',
      'which day suits you best',
    ]);
    expect(sentencesOf('yes')).toEqual(['yes']);
  });

  it.each(['(a', 'a]', '[a)', ')'])('refuses %j', (pattern) => {
    expect(() => sentencesOf(pattern)).toThrow('brackets');
  });

  it('refuses a pattern with too many sentences', () => {
    expect(() => sentencesOf('(a|b)'.repeat(30))).toThrow('too many');
  });
});

/** Parses ARPA: log probability and backoff weight of each n-gram. */
function read(arpa: string): Map<string, { p: number; rest: number }> {
  const grams = new Map<string, { p: number; rest: number }>();
  let order = 0;
  for (const line of arpa.split('\n')) {
    const section = /^\\(\d)-grams:/.exec(line);
    if (section !== null) order = Number(section[1]);
    else if (order > 0 && /^-?\d/.test(line)) {
      const [p, ...rest] = line.split(' ');
      grams.set(rest.slice(0, order).join(' '), { p: Number(p), rest: Number(rest[order] ?? 0) });
    }
  }
  return grams;
}

describe('languageModel', () => {
  it('rates its training text as more likely than other text', () => {
    const grams = read(languageModel(['which day suits you', 'how many'], ['banana']).arpa);
    const p = (gram: string): number => grams.get(gram)?.p ?? -99;
    expect(p('which day suits')).toBeGreaterThan(p('day'));
    expect(p('<s> which')).toBeGreaterThan(p('banana'));
    // A new sentence may follow an ended one.
    expect(p('you how')).toBeGreaterThan(p('you banana'));
    expect(p('banana')).toBeGreaterThan(-3);
  });

  it('declares the right n-gram counts, and each history leaves probability mass for unseen words', () => {
    const { arpa, words } = languageModel(AGENT_PATTERNS, OTHER_WORDS);
    const grams = read(arpa);
    const declared = [...arpa.matchAll(/^ngram \d=(\d+)$/gm)].map((match) => Number(match[1]));
    expect(declared.reduce((sum, n) => sum + n, 0)).toBe(grams.size);
    expect(words.length).toBeGreaterThan(300);
    const shares = new Map<string, number>();
    for (const [gram, { p }] of grams) {
      const cut = gram.lastIndexOf(' ');
      if (cut > 0) shares.set(gram.slice(0, cut), (shares.get(gram.slice(0, cut)) ?? 0) + 10 ** p);
    }
    expect(Math.max(...shares.values())).toBeLessThan(1.001);
    for (const { p, rest } of grams.values()) expect(Number.isFinite(p) && Number.isFinite(rest)).toBe(true);
  });

  it('contains only dictionary words', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 12 });
    for (const word of languageModel(AGENT_PATTERNS, OTHER_WORDS).words) expect(word).toMatch(/^[a-z']+$/);
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 8 }), words, (sentences, others) => {
        const model = languageModel(
          sentences.map((sentence) => sentence.join(' ')),
          others,
        );
        expect(new Set(model.words)).toEqual(new Set([...sentences.flat(), ...others]));
        expect(model.arpa).not.toMatch(/NaN|Infinity/);
      }),
      { seed: 4 },
    );
  });
});
