import type { Expectation, PlayedTurn, Verdict } from '../../store/json/test-case.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CannedResults } from './canned-results.ts';
import { judgeByRules, resultOf, type Played } from './judge.ts';
import { matchesArguments } from './matches-arguments.ts';

const turn = (said: readonly string[], more: Partial<PlayedTurn> = {}): PlayedTurn => ({
  line: 'Yes.',
  said,
  tools: [],
  usage: [],
  end: null,
  ms: 1,
  ...more,
});
const tool = (name: string, args: Record<string, unknown> = {}) => ({
  name,
  args,
  result: null,
  ok: true,
  ms: 1,
});
const BOOKED: Played = {
  turns: [
    turn(['Hello, this is Asha. May I book a visit?'], { line: null }),
    turn(['It costs 4,000 rupees.', 'Does Monday suit you?']),
    turn(['Booked for Monday at 10:30. Goodbye!'], {
      tools: [tool('book_slot', { day: 'Monday', people: 2, who: { name: 'Priya', age: 30 } })],
      end: 'AGENT_ENDED',
    }),
  ],
  end: 'AGENT_ENDED',
};
const result = (expectation: Expectation, played = BOOKED): string | undefined =>
  judgeByRules([expectation], played)[0]?.result;

describe('words', () => {
  it.each([
    [{ type: 'says', anyOf: ['book a visit'] }, 'held'],
    [{ type: 'says', anyOf: ['BOOK, a visit!'] }, 'held'],
    [{ type: 'says', anyOf: ['reserve', 'monday'] }, 'held'],
    [{ type: 'says', anyOf: ['ook'] }, 'not_held'],
    [{ type: 'says', anyOf: ['4000 rupees'] }, 'held'],
    [{ type: 'says', anyOf: ['book a visit'], turn: 0 }, 'held'],
    [{ type: 'says', anyOf: ['book a visit'], turn: 1 }, 'not_held'],
    [{ type: 'says', anyOf: ['monday'], turn: 3 }, 'not_held'],
    [{ type: 'never_says', anyOf: ['discount', 'refund'] }, 'held'],
    [{ type: 'never_says', anyOf: ['discount', 'goodbye'] }, 'not_held'],
    [{ type: 'never_says', anyOf: ['goodbye'], turn: 1 }, 'held'],
    [{ type: 'never_says', anyOf: ['goodbye'], turn: 7 }, 'not_held'],
  ] satisfies [Expectation, string][])('%j: %s', (expectation, expected) => {
    expect(result(expectation)).toBe(expected);
  });

  it('are found in scripts without spaces, by their digits, and beyond the first 2000 characters', () => {
    const played = {
      turns: [turn(['您的预约在星期一。', 'कीमत ४००० रुपये', `${'so '.repeat(1500)}done`])],
      end: null,
    };
    expect(result({ type: 'says', anyOf: ['星期一'] }, played)).toBe('held');
    expect(result({ type: 'says', anyOf: ['4000'] }, played)).toBe('held');
    expect(result({ type: 'says', anyOf: ['done'] }, played)).toBe('held');
  });

  it('of a phrase without letters are compared as they are', () => {
    const played = { turns: [turn(['Done 🙂'])], end: null };
    expect(result({ type: 'says', anyOf: ['🙂'] }, played)).toBe('held');
    expect(result({ type: 'never_says', anyOf: ['!'] }, played)).toBe('held');
  });

  it('held by says are never held by never_says, whatever was said', () => {
    const text = fc.string({ maxLength: 60, unit: 'grapheme' });
    const phrases = fc.array(
      text.filter((each) => each.trim() !== ''),
      { minLength: 1, maxLength: 3 },
    );
    const said = fc.array(fc.array(text, { maxLength: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(said, phrases, fc.option(fc.nat(3), { nil: undefined }), (texts, anyOf, at) => {
        const played = { turns: texts.map((each) => turn(each)), end: null };
        const where = at === undefined ? {} : { turn: at };
        const says = result({ type: 'says', anyOf, ...where }, played);
        const never = result({ type: 'never_says', anyOf, ...where }, played);
        const exists = at === undefined || at < texts.length;
        expect([says, never].filter((each) => each === 'held')).toHaveLength(exists ? 1 : 0);
        expect([says, never].filter((each) => each === 'not_held')).toHaveLength(exists ? 1 : 2);
      }),
    );
  });

  it('are said where a reply quotes the phrase as whole words', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(word),
        fc.array(word, { minLength: 1 }),
        fc.array(word),
        (before, phrase, after) => {
          const reply = [...before, ...phrase, ...after].join(' ');
          const played = { turns: [turn([reply])], end: null };
          expect(result({ type: 'says', anyOf: [phrase.join(', ').toUpperCase()] }, played)).toBe('held');
        },
      ),
    );
  });
});

describe('tools', () => {
  it.each([
    [{ type: 'calls_tool', tool: 'book_slot' }, 'held'],
    [{ type: 'calls_tool', tool: 'book_slot', arguments: { day: ' monday' } }, 'held'],
    [{ type: 'calls_tool', tool: 'book_slot', arguments: { people: '2' } }, 'held'],
    [{ type: 'calls_tool', tool: 'book_slot', arguments: { who: { name: 'Priya' } } }, 'held'],
    [{ type: 'calls_tool', tool: 'book_slot', arguments: { day: 'Tuesday' } }, 'not_held'],
    [{ type: 'calls_tool', tool: 'book_slot', arguments: { hour: 10 } }, 'not_held'],
    [{ type: 'calls_tool', tool: 'book_slot', turn: 2 }, 'held'],
    [{ type: 'calls_tool', tool: 'book_slot', turn: 1 }, 'not_held'],
    [{ type: 'calls_tool', tool: 'send_sms' }, 'not_held'],
    [{ type: 'never_calls_tool', tool: 'send_sms' }, 'held'],
    [{ type: 'never_calls_tool', tool: 'book_slot' }, 'not_held'],
    [{ type: 'never_calls_tool', tool: 'book_slot', arguments: { day: 'Tuesday' } }, 'held'],
    [{ type: 'never_calls_tool', tool: 'book_slot', turn: 1 }, 'held'],
  ] satisfies [Expectation, string][])('%j: %s', (expectation, expected) => {
    expect(result(expectation)).toBe(expected);
  });

  it('name what was called instead', () => {
    const [verdict] = judgeByRules(
      [{ type: 'calls_tool', tool: 'book_slot', arguments: { day: 'Friday' } }],
      BOOKED,
    );
    expect(verdict?.reason).toContain('book_slot with {"day":"Monday"');
  });
});

describe('arguments', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  it('match themselves, with any further keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), fc.dictionary(fc.string(), json), (expected, more) => {
        expect(matchesArguments(expected, { ...more, ...expected })).toBe(true);
      }),
    );
  });

  it('do not match where an expected key is missing or a value differs', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json, { minKeys: 1 }), (args) => {
        const [key = ''] = Object.keys(args);
        const { [key]: value, ...others } = args;
        expect(matchesArguments(args, others)).toBe(false);
        expect(matchesArguments({ [key]: [value] }, args)).toBe(false);
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
        // An object that is expected may be a part of a larger one.
        expect(isObject || !matchesArguments({ [key]: value }, { [key]: { inner: value } })).toBe(true);
      }),
    );
  });

  it('compare lists by length, and take true and the text "true" for different values', () => {
    expect(matchesArguments({ days: ['Mon'] }, { days: ['mon', 'Tue'] })).toBe(false);
    expect(matchesArguments({ days: ['Mon', 'Tue'] }, { days: ['mon', 'tue'] })).toBe(true);
    expect(matchesArguments({ sure: true }, { sure: 'true' })).toBe(false);
    expect(matchesArguments({ none: null }, { none: null })).toBe(true);
    expect(matchesArguments(undefined, {})).toBe(true);
  });
});

describe('the end', () => {
  it.each([
    [['AGENT_ENDED'], 'AGENT_ENDED', 'held'],
    [['CALL_TRANSFERRED', 'AGENT_ENDED'], 'AGENT_ENDED', 'held'],
    [['CALL_TRANSFERRED'], 'AGENT_ENDED', 'not_held'],
    [['OPEN'], null, 'held'],
    [['OPEN'], 'OPTED_OUT', 'not_held'],
    [['AGENT_ENDED'], 'FAILED', 'not_held'],
  ] as const)('as %j of a conversation that ended as %s: %s', (as, end, expected) => {
    expect(result({ type: 'ends', as }, { ...BOOKED, end })).toBe(expected);
  });
});

describe('a case', () => {
  it('fails by one expectation, is not judged by one, and passes otherwise; also without any', () => {
    const of = (...results: Verdict['result'][]) =>
      resultOf(results.map((each) => ({ result: each, reason: '' })));
    expect(of()).toBe('passed');
    expect(of('held', 'held')).toBe('passed');
    expect(of('held', 'not_judged')).toBe('not_judged');
    expect(of('not_judged', 'not_held', 'held')).toBe('failed');
  });

  it('leaves criteria to the model', () => {
    expect(judgeByRules([{ type: 'criterion', criterion: 'It is polite.' }], BOOKED)).toEqual([null]);
  });
});

describe('answers of tools', () => {
  it('are used in order, the last one again, and only for calls that they fit', () => {
    const canned = new CannedResults([
      { tool: 'slots', arguments: { day: 'Friday' }, result: 'none' },
      { tool: 'slots', result: 'ten' },
      { tool: 'slots', result: 'eleven' },
    ]);
    const take = (day: string) => canned.take('slots', { day })?.result ?? null;
    expect([take('Monday'), take('friday'), take('Monday'), take('Tuesday')]).toEqual([
      'ten',
      'none',
      'eleven',
      'eleven',
    ]);
    expect(canned.take('other', {})).toBeNull();
  });
});
