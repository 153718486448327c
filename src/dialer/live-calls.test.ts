import { describe, expect, it } from 'vitest';
import { LiveCalls, type CallControls, type WorkspaceEvent } from './live-calls.ts';

const CONTROLS: CallControls = {
  hangup: () => undefined,
  cut: () => undefined,
  control: () => false,
  listen: () => false,
  unlisten: () => undefined,
};
const status = (subStatus: string) => ({ type: 'status', status: 'ongoing', subStatus, at: 1 }) as const;
const line = (text: string) =>
  ({
    type: 'line',
    line: { role: 'agent', text, startedAt: 1, endedAt: 2, interrupted: false, by: 'speech' },
  }) as const;
const notice = (code: string) => ({ type: 'notice', code, message: '' }) as const;
const words = { type: 'words', role: 'caller', text: 'I would', at: 3 } as const;

describe('a watcher of all calls of a workspace', () => {
  const short = (events: readonly WorkspaceEvent[]): string[] =>
    events.map((event) => {
      if (event.type === 'line') return `${event.callId} ${event.line.text}`;
      if (event.type === 'notice') return `${event.callId} ${event.code}`;
      return `${event.callId} ${'subStatus' in event ? event.subStatus : event.type}`;
    });

  it('gets the last status, take-over, request for a person and four lines of each call, then every event of them and of new ones', () => {
    const live = new LiveCalls();
    live.add('mine', 'a', CONTROLS);
    live.add('other', 'b', CONTROLS);
    live.publish('a', status('RINGING'));
    live.publish('a', notice('TAKEN_OVER'));
    live.publish('a', notice('HANDED_BACK'));
    live.publish('a', notice('ASKED_FOR_PERSON'));
    for (const text of ['One.', 'Two.', 'Three.', 'Four.', 'Five.']) live.publish('a', line(text));
    live.publish('a', status('CALL_ONGOING'));
    live.publish('a', notice('LLM_FAILED'));
    live.publish('a', words);
    const seen: WorkspaceEvent[] = [];
    const stop = live.watchAll('mine', (event) => seen.push(event));
    expect(short(seen)).toEqual([
      'a HANDED_BACK',
      'a ASKED_FOR_PERSON',
      'a Two.',
      'a Three.',
      'a Four.',
      'a Five.',
      'a CALL_ONGOING',
    ]);
    seen.length = 0;
    live.add('mine', 'c', CONTROLS);
    live.publish('c', status('RINGING'));
    live.publish('a', words);
    live.publish('b', words);
    live.remove('a', { type: 'ended', status: 'completed', subStatus: 'USER_LEFT', at: 9 });
    expect(short(seen)).toEqual(['c RINGING', 'a words', 'a USER_LEFT']);
    stop();
    live.publish('c', line('Four.'));
    expect(seen).toHaveLength(3);
  });
});

describe('words of a line that is not over', () => {
  it('reach those who watch, and are no part of the past that later watchers get', () => {
    const live = new LiveCalls();
    live.add('mine', 'a', CONTROLS);
    const seen: string[] = [];
    live.watch('mine', 'a', ({ type, id }) => seen.push(`${type} ${id === undefined ? '' : 'numbered'}`));
    live.publish('a', words);
    live.publish('a', line('One.'));
    expect(seen).toEqual(['words ', 'line numbered']);
    const late: string[] = [];
    live.watch('mine', 'a', ({ type }) => late.push(type));
    expect(late).toEqual(['line']);
  });
});

it('announces the first of several live calls, and the first after all have ended', () => {
  const busy: number[] = [];
  const live: LiveCalls = new LiveCalls(undefined, undefined, () => busy.push(live.size));
  live.add('mine', 'a', CONTROLS);
  live.add('mine', 'b', CONTROLS);
  expect(busy).toEqual([1]);
  for (const call of ['a', 'b']) live.remove(call, status('DONE'));
  live.add('mine', 'c', CONTROLS);
  expect(busy).toEqual([1, 1]);
});
