import { describe, expect, it } from 'vitest';
import { flagsOf, needyFirst, type Limits } from './flags.ts';
import { NOT_UNDERSTOOD } from '../../parts/spoken-text.ts';
import { withEvents } from './wall.ts';

const NOW = 20_000;
/** Calls of Maya are ended after 16 seconds. */
const LIMITS: Limits = new Map([['maya', 16]]);
const call = (id: string, agent = 'asha', answeredAt: number | null = 0) => ({
  call_id: id,
  agent_id: agent,
  answered_at: answeredAt === null ? null : new Date(answeredAt).toISOString(),
});
const said = (id: string, at: number, role = 'agent', text = 'Yes?') => ({
  type: 'line',
  call_id: id,
  line: { role, text, endedAt: at },
});
const unheard = (at: number) => said('a', at, 'caller', NOT_UNDERSTOOD);
const wallOf = (...events: readonly object[]) => withEvents(new Map(), events);
const flags = (events: readonly object[], agent?: string, answeredAt?: number | null) =>
  flagsOf(call('a', agent, answeredAt), wallOf(...events).get('a'), LIMITS, NOW);

describe('the flags of a live call', () => {
  it('have a silence of eight seconds', () => {
    expect(flags([said('a', 12_001)])).toEqual([]);
    expect(flags([said('a', 12_000)])).toEqual(['silent']);
    const open = { type: 'words', call_id: 'a', role: 'caller', text: 'I', at: 12_000 };
    expect(flags([said('a', 12_000), open])).toEqual([]);
  });

  it('have a person who asked for a human', () => {
    const asked = { type: 'notice', call_id: 'a', code: 'ASKED_FOR_PERSON' };
    expect(flags([said('a', 19_000), asked])).toEqual(['person']);
    expect(flags([asked, { type: 'notice', call_id: 'a', code: 'TAKEN_OVER' }])).toEqual([]);
  });

  it('have a person who was not understood twice in a row', () => {
    expect(flags([unheard(18_000)])).toEqual([]);
    expect(flags([unheard(17_000), said('a', 18_000), unheard(19_000)])).toEqual(['missed']);
  });

  it('have a call that has used three quarters of the time of its assistant', () => {
    expect(flags([], 'maya', 8_001)).toEqual([]);
    expect(flags([], 'maya', 8_000)).toEqual(['long']);
    expect([flags([], 'maya', null), flags([], 'asha', 0)]).toEqual([[], []]);
  });

  it('end with the call', () => {
    const ended = { type: 'ended', call_id: 'a', sub_status: 'USER_LEFT' };
    expect(flags([said('a', 1_000), unheard(2_000), unheard(3_000), ended], 'maya', 0)).toEqual([]);
  });
});

describe('the calls of the wall', () => {
  it('begin with those that have a flag, and keep the order of the others', () => {
    const wall = wallOf(said('a', 19_000), said('b', 11_000), said('c', 12_100), {
      type: 'notice',
      call_id: 'e',
      code: 'ASKED_FOR_PERSON',
    });
    const calls = [call('a'), call('b'), call('c'), call('d', 'maya'), call('e'), call('f')];
    const shown = needyFirst(calls, wall, LIMITS, NOW).map(({ call_id: id }) => id);
    expect(shown.join('')).toBe('bdeacf');
    expect(needyFirst(calls, new Map(), new Map(), NOW)).toEqual(calls);
  });
});
