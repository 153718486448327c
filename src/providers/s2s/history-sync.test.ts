import { beforeEach, expect, it } from 'vitest';
import { type HistoryItem, PENDING_RESULT } from '@callwright/turns';
import type { S2sDialect } from './dialect.ts';
import { HistorySync } from './history-sync.ts';
import { S2sReply } from './reply.ts';

const told =
  (name: string) =>
  (...args: unknown[]): string[] => [[name, ...args].join(' ')];
const dialect = {
  add: told('add'),
  toolResult: told('result'),
  truncate: told('truncate'),
  deleteReply: told('forget'),
} as unknown as S2sDialect;

let memory: HistorySync;
beforeEach(() => {
  memory = new HistorySync(dialect, 8000);
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

it('adds utterances of other voices, keys and typed words, but no speech that the vendor heard or spoke', () => {
  const greeting = agent('Hello.');
  expect(memory.sync([greeting])).toEqual(['add agent Hello.']);
  spoke('r1', 'Press one.');
  const history = [
    greeting,
    caller('Hi.'),
    agent('Press one.'),
    caller('1', 'keypad'),
    caller('help', 'text'),
  ];
  expect(memory.sync(history)).toEqual(['add caller [keypad] 1', 'add caller help']);
  expect(memory.sync(history)).toEqual([]);
});

it('truncates a reply to the part that the caller heard', () => {
  spoke('r1', 'We open at nine.', 'Shall I book?').isDropped = true;
  expect(memory.sync([caller('When?'), agent('We open at nine.', true)])).toEqual(['truncate r1 1000']);
});

it('deletes an unheard reply once', () => {
  spoke('r1', 'We open at nine.').isDropped = true;
  expect(memory.sync([caller('When? On Friday?')])).toEqual(['forget r1']);
  expect(memory.sync([caller('When? On Friday?'), caller('2', 'keypad')])).toEqual(['add caller [keypad] 2']);
});

it('sends each tool result with the id of its call once it is available', () => {
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
  expect(memory.sync([result('Monday', PENDING_RESULT)])).toEqual([]);
  expect(memory.sync([result('Monday', 'full')])).toEqual(['result c2 book full']);
  expect(memory.sync([result('Monday', 'full'), result('Friday', 'free')])).toEqual(['result c1 book free']);
});

it('names the cause of the next reply', () => {
  expect(HistorySync.causeOf([])).toBe('caller');
  expect(HistorySync.causeOf([caller('Hi.')])).toBe('caller');
  expect(HistorySync.causeOf([{ role: 'silence' }])).toBe('silence');
  expect(HistorySync.causeOf([{ role: 'tool', name: 'book', result: 1 }])).toBe('tool');
});
