import { describe, expect, it } from 'vitest';
import {
  choicesOf,
  expectedAnswer,
  inOrder,
  intentOf,
  isGoodTime,
  machineKind,
  nounKind,
  optOutKey,
  phrasesOf,
  readTime,
  understand,
} from '@callwright/language';
import { readConditional } from './condition.ts';
import { readInstruction } from './instruction.ts';
import { readFaqs } from './knowledge.ts';
import { toSecondPerson } from './person.ts';
import { readPurpose } from './purpose.ts';
import { nounQuestion, whQuestion, yesNoQuestion } from './question.ts';
import { plainText, spoken } from './text.ts';
import { readNative } from './native-line.ts';
import { wordingFor } from './wording.ts';

const CHARS = 65_536;
/** A shorter run is too noisy to compare; a quadratic pattern takes seconds for 64 kB. */
const MEASURABLE_MS = 15;
const hindi = phrasesOf('hi-IN');
const wording = wordingFor('hi-IN');

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  expectedAnswer,
  choicesOf,
  nounKind,
  isGoodTime,
  intentOf: (text) => intentOf(text, hindi),
  nameIn: (text) => understand({ text, by: 'speech' }, { answer: 'name', choices: [] }, hindi),
  choiceIn: (text) => understand({ text, by: 'speech' }, { answer: 'choice', choices: ['a', 'b'] }, hindi),
  readTime: (text) => readTime(text, hindi),
  optOutKey: (text) => optOutKey([text]),
  machineKind,
  readConditional,
  readInstruction: (text) => readInstruction(text, false),
  readFaqs,
  readPurpose: (text) => readPurpose(text, ''),
  toSecondPerson,
  yesNoQuestion,
  whQuestion,
  nounQuestion,
  plainText,
  spoken,
  readNative: (text) => readNative(text, wording),
};

const PIECES = [
  'a a a |  |\n|7|.|?|,|( or |“|Q |a. |- |of A |her |if they |ask the user |what is |between a |to to ',
  'the user is |you are a |why is this |rate 1 |press 9 |पूछें |tell them ',
].flatMap((line) => line.split('|'));

const longText = (piece: string, chars: number): string =>
  `x ${piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars)}x`;

/** Processor time of this thread in milliseconds. */
function cost(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

describe('readers of one line', () => {
  it.each(Object.entries(READERS))('%s takes linear time for 64 kB', (_name, read) => {
    const slow: string[] = [];
    for (const piece of PIECES) {
      const [half, whole] = [CHARS / 2, CHARS].map((chars) => longText(piece, chars)) as [string, string];
      const ratios: number[] = [];
      for (let attempt = 0; attempt < 5 && ratios.every((ratio) => ratio > 3); attempt += 1) {
        const long = cost(() => read(whole));
        ratios.push(long < MEASURABLE_MS ? 1 : long / cost(() => read(half)));
      }
      if (Math.min(...ratios) > 3) slow.push(piece);
    }
    expect(slow).toEqual([]);
  });
});

describe('inOrder', () => {
  /** The quadratic patterns that `inOrder` replaces. */
  const PATTERNS: readonly (readonly [RegExp, readonly RegExp[]])[] = [
    [/\bwhy (?:is|the) .*\bcall/, [/\bwhy (?:is|the) /, /\bcall/]],
    [/\bbetween\b.+\band\b/i, [/\bbetween\b/i, /\band\b/i]],
    [
      /\b(?:rate|score)\b.*\b(?:1|one)\b.*\b(?:5|five)\b/,
      [/\b(?:rate|score)\b/, /\b(?:1|one)\b/, /\b(?:5|five)\b/],
    ],
  ];
  const WORDS = [
    'why',
    'is',
    'the',
    'call',
    'recall',
    'between',
    'and',
    'rate',
    'score',
    '1',
    'one',
    '5',
    'five',
    '\n',
  ];

  it('matches where the pattern with ".*" between its parts matches', () => {
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    let hits = 0;
    const different: string[] = [];
    for (let round = 0; round < 5_000; round += 1) {
      const text = Array.from({ length: 8 }, () => WORDS[random(WORDS.length)]).join(
        random(5) === 0 ? '' : ' ',
      );
      for (const [whole, parts] of PATTERNS) {
        const expected = whole.test(text);
        hits += Number(expected);
        if (inOrder(text, ...parts) !== expected) different.push(text);
      }
    }
    expect(different).toEqual([]);
    expect(hits).toBeGreaterThan(500);
  });
});
