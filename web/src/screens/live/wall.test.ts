import { describe, expect, it } from 'vitest';
import { NOT_UNDERSTOOD as SERVICE_NOT_UNDERSTOOD } from '@callwright/turns';
import { withEvents, type Wall } from './wall.ts';

const EMPTY: Wall = new Map();
const line = (role: string, text: string, more = {}) => ({
  type: 'line',
  call_id: 'a',
  line: { role, text, endedAt: 2_000, ...more },
});

describe('the wall of live calls', () => {
  it('has state, words that are being said, and the last two lines of each call', () => {
    const wall = withEvents(EMPTY, [
      { type: 'begun', call_id: null },
      { type: 'status', call_id: 'a', sub_status: 'RINGING' },
      { type: 'status', call_id: 'b', sub_status: 'RINGING' },
      { type: 'status', call_id: 'a', sub_status: 'CALL_ONGOING' },
      line('agent', 'One.'),
      line('caller', 'Two.'),
      line('agent', 'Three.'),
      { type: 'words', call_id: 'a', role: 'caller', text: 'I would', at: 3_000 },
    ]);
    expect(wall.get('a')).toEqual({
      state: 'CALL_ONGOING',
      lines: [
        { speaker: 'caller', text: 'Two.' },
        { speaker: 'agent', text: 'Three.' },
      ],
      open: { speaker: 'caller', text: 'I would' },
      heard: { agent: 0, caller: 1 },
      isTaken: false,
      isPersonWanted: false,
      missed: 0,
      spokeAt: 3_000,
      isEnded: false,
    });
    expect(wall.get('b')).toMatchObject({ state: 'RINGING', lines: [] });
  });

  it('closes the open words with their line, and keeps those of the other side', () => {
    const words = { type: 'words', call_id: 'a', role: 'caller', text: 'I would', at: 1 };
    expect(withEvents(EMPTY, [words, line('caller', 'I would.')]).get('a')?.open).toBeNull();
    expect(withEvents(EMPTY, [words, line('agent', 'Yes.')]).get('a')?.open?.text).toBe('I would');
  });

  it('has the sides that speak now, both of them where one interrupts the other', () => {
    const words = (role: string, text: string) => ({ type: 'words', call_id: 'a', role, text, at: 1 });
    const both = [words('agent', 'We open at'), words('caller', 'No'), words('caller', 'No, I')];
    const heard = (...events: readonly object[]) => withEvents(EMPTY, [...both, ...events]).get('a')?.heard;
    expect(heard()).toEqual({ agent: 1, caller: 2 });
    expect(heard(line('agent', 'We open at'))).toEqual({ agent: 0, caller: 2 });
    expect(heard(line('agent', 'We open at'), line('caller', 'No, I cannot.'))).toEqual({
      agent: 0,
      caller: 0,
    });
    for (const over of [
      { type: 'ended', call_id: 'a', sub_status: 'USER_LEFT' },
      { type: 'notice', call_id: 'a', code: 'TAKEN_OVER' },
    ])
      expect(heard(over)).toEqual({ agent: 0, caller: 0 });
  });

  it('says who talks in the assistant’s place, whose line it was, and that a call has ended', () => {
    const taken = withEvents(EMPTY, [
      { type: 'notice', call_id: 'a', code: 'TAKEN_OVER' },
      line('agent', 'Sam here.', { author: 'sam' }),
    ]);
    expect(taken.get('a')).toMatchObject({ isTaken: true, lines: [{ text: 'Sam here.', author: 'sam' }] });
    const over = withEvents(taken, [
      { type: 'notice', call_id: 'a', code: 'HANDED_BACK' },
      { type: 'ended', call_id: 'a', sub_status: 'USER_LEFT' },
    ]);
    expect(over.get('a')).toMatchObject({ isTaken: false, isEnded: true });
  });

  it('forgets what it knew when the stream begins anew, and stays the same without events', () => {
    const wall = withEvents(EMPTY, [line('agent', 'One.')]);
    expect(withEvents(wall, [])).toBe(wall);
    expect(withEvents(wall, [{ type: 'begun', call_id: null }]).size).toBe(0);
  });

  it('has that the person asked for a human until a colleague or a guest talks with them', () => {
    const notice = (code: string) => ({ type: 'notice', call_id: 'a', code });
    const isWanted = (...codes: readonly string[]) =>
      withEvents(EMPTY, codes.map(notice)).get('a')?.isPersonWanted;
    expect(isWanted('ASKED_FOR_PERSON', 'LLM_FAILED')).toBe(true);
    for (const code of ['TAKEN_OVER', 'HANDED_BACK', 'GUEST_JOINED', 'TRANSFERRED'])
      expect(isWanted('ASKED_FOR_PERSON', code)).toBe(false);
    expect(isWanted('HANDED_BACK', 'ASKED_FOR_PERSON')).toBe(true);
  });

  it('counts lines of the person that were not understood in a row, as the service writes them', () => {
    const missed = (...lines: readonly object[]) => withEvents(EMPTY, lines).get('a')?.missed;
    const unheard = line('caller', SERVICE_NOT_UNDERSTOOD);
    expect(missed(unheard, line('agent', 'Sorry?'), unheard)).toBe(2);
    expect(missed(unheard, line('caller', 'Yes.'), unheard)).toBe(1);
  });
});
