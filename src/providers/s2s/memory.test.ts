import { beforeEach, expect, it } from 'vitest';
import { type HistoryItem, PENDING_RESULT } from '@callwright/turns';
import type { S2sDialect } from './dialect.ts';
import { S2sMemory } from './memory.ts';
import { S2sReply } from './reply.ts';

const told =
  (name: string) =>
  (...args: unknown[]): string[] => [[name, ...args].join(' ')];
const dialect = {
  add: told('add'),
  toolResult: told('result'),
  truncate: told('truncate'),
  forget: told('forget'),
} as unknown as S2sDialect;

let memory: S2sMemory;
beforeEach(() => {
  memory = new S2sMemory(dialect, 8000);
});
function spoke(name: string, ...pieces: string[]): S2sReply {
  const reply = new S2sReply(name, 8000, 0);
  for (const text of pieces) {
    reply.text(`${text} `);
    reply.audio(new Int16Array(8000));
  }
  reply.done();
  memory.add(reply);
  return reply;
}
const agent = (text: string, interrupted = false): HistoryItem => ({ role: 'agent', text, interrupted });
const caller = (text: string, by: 'speech' | 'keypad' | 'text' = 'speech'): HistoryItem => ({
  role: 'caller',
  text,
  by,
});

it('learns lines of others, keys and typed words, and not what it heard and said itself', () => {
  const greeting = agent('Hello.');
  expect(memory.learn([greeting])).toEqual(['add agent Hello.']);
  spoke('r1', 'Press one.');
  const history = [
    greeting,
    caller('Hi.'),
    agent('Press one.'),
    caller('1', 'keypad'),
    caller('help', 'text'),
  ];
  expect(memory.learn(history)).toEqual(['add caller [keypad] 1', 'add caller help']);
  expect(memory.learn(history)).toEqual([]);
});

it('keeps of a reply what was heard', () => {
  spoke('r1', 'We open at nine.', 'Shall I book?').isDropped = true;
  expect(memory.learn([caller('When?'), agent('We open at nine.', true)])).toEqual(['truncate r1 1000']);
});

it('forgets a reply that nobody heard, once', () => {
  spoke('r1', 'We open at nine.').isDropped = true;
  expect(memory.learn([caller('When? On Friday?')])).toEqual(['forget r1']);
  expect(memory.learn([caller('When? On Friday?'), caller('2', 'keypad')])).toEqual([
    'add caller [keypad] 2',
  ]);
});

it('gives each result to its call, when it is there', () => {
  const reply = new S2sReply('r1', 8000, 0);
  reply.tool('c1', 'book', { day: 'Friday' });
  reply.tool('c2', 'book', { day: 'Monday' });
  reply.done();
  memory.add(reply);
  const result = (day: string, value: unknown): HistoryItem => ({
    role: 'tool',
    name: 'book',
    args: { day },
    result: value,
  });
  expect(memory.learn([result('Monday', PENDING_RESULT)])).toEqual([]);
  expect(memory.learn([result('Monday', 'full')])).toEqual(['result c2 book full']);
  expect(memory.learn([result('Monday', 'full'), result('Friday', 'free')])).toEqual(['result c1 book free']);
});

it('knows what the next reply answers', () => {
  expect(S2sMemory.cueOf([])).toBe('caller');
  expect(S2sMemory.cueOf([caller('Hi.')])).toBe('caller');
  expect(S2sMemory.cueOf([{ role: 'silence' }])).toBe('silence');
  expect(S2sMemory.cueOf([{ role: 'tool', name: 'book', result: 1 }])).toBe('tool');
});
