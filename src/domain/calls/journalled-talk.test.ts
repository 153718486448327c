import { expect, it } from 'vitest';
import { joinedTalk, type Talk } from './journalled-talk.ts';

const piece = (more: Partial<Talk>): string =>
  JSON.stringify({
    transcript: [],
    latencies: [],
    interruptions: 0,
    toolLog: [],
    firstUtteranceMs: null,
    ...more,
  });
const line = (text: string) => ({
  role: 'agent' as const,
  text,
  startedAt: 1,
  endedAt: 2,
  interrupted: false,
  by: 'speech' as const,
});
const tool = (name: string) => ({ name, args: {}, result: null, at: 1 });

it('is the pieces one after the other, with the figures of the last', () => {
  expect(
    joinedTalk([
      piece({ toolLog: [tool('first')] }),
      piece({ transcript: [line('Hello'), line('there')], firstUtteranceMs: 300 }),
      piece({ transcript: [line('Bye')], toolLog: [tool('end')], interruptions: 2, firstUtteranceMs: 300 }),
    ]),
  ).toEqual({
    transcript: [line('Hello'), line('there'), line('Bye')],
    latencies: [],
    interruptions: 2,
    toolLog: [tool('first'), tool('end')],
    firstUtteranceMs: 300,
  });
});

it('is nothing without any', () => {
  expect(joinedTalk([])).toBeNull();
});
