import { describe, expect, it } from 'vitest';
import { type Language, LANGUAGES, phrasesOf } from '@callwright/language';
import type { HistoryItem } from '@callwright/turns';
import { callOf, type Call } from './test-call.ts';
import { wordingFor } from './wording.ts';

const SCRIPT = `1. Ask "How many people will come?"
2. Ask "Which day suits you?"
3. Ask "What is your name?"
4. Confirm the details.
5. Thank them and end the call.`;
const booking = (language: Language = 'en-US'): Call =>
  callOf({ language, introMessage: 'Hello.', objective: 'Book a table', script: SCRIPT });

/** A call up to the read-back of the number of people. */
function withNumber(language: Language = 'en-US', number = 'four'): Call {
  const call = booking(language);
  const [yes = ''] = phrasesOf(language).yes;
  call.hear(yes);
  call.hear(number);
  expect(call.last.memory.pending.type).toBe('verify');
  return call;
}

describe('an answer that the caller says twice', () => {
  it('is taken once: the question behind it is asked again in its place', () => {
    const call = withNumber();
    expect(call.say('Yeah.')).toMatch(/Which day suits you\?$/);
    expect(call.say('That is right.')).toBe('Which day suits you?');
    expect(call.last.memory.retries).toBe(0);
    expect(call.say('Monday.')).toMatch(/\bMonday, (?:right|correct)\?$/);
  });

  it('is no answer any more after it was repeated twice', () => {
    const call = withNumber();
    const replies = ['Yeah.', 'That is right.', 'Yes.', 'Yes.'].map((line) => call.say(line));
    expect(replies[2]).toBe('Which day suits you?');
    expect(replies[3]).toMatch(/^Sorry, .+\. Which day/);
  });

  it.each(LANGUAGES)('is no line that was not understood, in %s', (language) => {
    const [first = '', second = ''] = phrasesOf(language).yes;
    const call = withNumber(language, '4');
    call.hear(first);
    const { pending } = call.last.memory;
    const asked = call.last.text.at(-1);
    for (const again of [second, first]) {
      const { text, memory } = call.hear(`${again}.`);
      expect(text).toEqual([asked]);
      expect(memory).toMatchObject({ pending, retries: 0 });
    }
  });

  it('may be a no', () => {
    const call = withNumber();
    expect(call.say('No.')).toMatch(/^Sorry, .+\. How many people/);
    expect(call.say('That is wrong.')).toBe('How many people will come?');
  });

  it('lets the next value through at once', () => {
    const call = withNumber();
    call.hear('Yeah.');
    expect(call.say('Right, on Friday.')).toMatch(/\bFriday, (?:right|correct)\?$/);
  });

  it('answers a question of yes or no that the caller has heard', () => {
    const script =
      '1. Ask "How many people will come?"\n2. Ask "Do you need parking?"\n3. Ask "What is your name?"';
    const call = callOf({ objective: 'Book a table', script });
    for (const line of ['hello', 'four', 'Yeah.']) call.hear(line);
    expect(call.say('That is right.')).toMatch(/What is your name\?/);
  });
});

describe('an answer that the caller says twice over the reply to it', () => {
  const script =
    '1. Ask "How many people will come?"\n2. Ask "Do you need parking?"\n3. Ask "What is your name?"';
  const reply = (heard: string | null): string[] => {
    const call = callOf({ objective: 'Book a table', script });
    for (const line of ['hello', 'four', 'Yeah.']) call.hear(line);
    const history: HistoryItem[] = [
      { role: 'caller', text: 'hello', by: 'speech' },
      { role: 'caller', text: 'four', by: 'speech' },
      { role: 'agent', text: 'You said 4, right?', interrupted: false },
      { role: 'caller', text: 'Yeah.', by: 'speech' },
      ...(heard === null ? [] : [{ role: 'agent', text: heard, interrupted: true } as const]),
      { role: 'caller', text: 'That is right.', by: 'speech' },
    ];
    return [...call.replyTo(history, structuredClone(call.last.memory)).text];
  };

  it.each([null, '', 'Alright.', 'Alright. Do you'])(
    'answers no question that was not heard: the agent goes on with it, having said %j',
    (heard) => {
      expect(reply(heard)).toEqual(['Do you need parking?']);
    },
  );

  it('answers the question when it was heard', () => {
    expect(reply('Alright. Do you need parking?')?.join(' ')).toMatch(/What is your name\?/);
  });
});

describe('a caller who takes a yes back', () => {
  it('returns to the read-back, whose value is asked for again', () => {
    const call = withNumber();
    call.hear('Yeah.');
    expect(call.say('No, that is wrong.')).toMatch(/^Sorry, .+\. How many people will come\?/);
    expect(call.say('five')).toMatch(/\b5, (?:right|correct)\?$/);
    expect(call.say('Yes.')).toMatch(/Which day suits you\?$/);
  });

  it('corrects the value in the same line', () => {
    const call = withNumber();
    call.hear('Yeah.');
    expect(call.say('No, that is wrong, it is five.')).toMatch(/\b5, (?:right|correct)\?$/);
  });

  it.each([
    ['hi-IN', 'नहीं, गलत है।'],
    ['ms-MY', 'Tidak, salah.'],
    ['zh-CN', '不对。'],
    ['ar-AE', 'لا، خطأ.'],
  ] as const)('in %s: %s', (language, text) => {
    const call = withNumber(language, '4');
    const number = call.last.memory.pending;
    call.hear(phrasesOf(language).yes[0] ?? '');
    const { memory } = call.hear(text);
    expect(memory.pending).toEqual({ type: 'step', at: 'at' in number ? number.at : -1 });
    expect(memory.slots).toEqual([]);
    expect(wordingFor(language).script.say.notUnderstood).toContain(call.last.text[0]);
  });

  it('refuses only the pending question by a no that calls nothing wrong', () => {
    const call = withNumber();
    call.hear('Yeah.');
    call.hear('No.');
    expect(call.last.memory.slots).toMatchObject([{ value: '4' }]);
  });
});
