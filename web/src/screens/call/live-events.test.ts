import { describe, expect, it } from 'vitest';
import { guestsBy, heldBy, liveLine, openWords, takenBy } from './live-events.ts';

describe('the live stream', () => {
  it('counts the people who were invited and have not left', () => {
    const codes = ['GUEST_INVITED', 'GUEST_INVITED', 'GUEST_FAILED', 'GUEST_JOINED', 'TAKEN_OVER'];
    const after = codes.map((code) => guestsBy({ type: 'notice', code }));
    expect(after).toEqual([1, 1, -1, 0, 0]);
    expect(guestsBy({ type: 'notice', code: 'GUEST_LEFT' })).toBe(-1);
    expect(guestsBy({ type: 'line' })).toBe(0);
  });

  it('shows words, keys, who answered, notices and the end', () => {
    expect(
      [
        { type: 'line', line: { role: 'agent', text: 'Hello.' } },
        { type: 'line', line: { role: 'agent', text: 'Sam here.', author: 'sam@x.example' } },
        { type: 'line', line: { role: 'caller', text: 'Hi.' } },
        { type: 'dtmf', digit: '5', at: 1 },
        { type: 'latency', latency: {} },
        { type: 'notice', code: 'ANSWERED_BY', message: 'voicemail' },
        { type: 'notice', code: 'TRANSFERRED', message: 'the caller is connected' },
        { type: 'ended', subStatus: 'USER_LEFT' },
      ].map(liveLine),
    ).toEqual([
      { speaker: 'agent', text: 'Hello.' },
      { speaker: 'agent', text: 'Sam here.', author: 'sam@x.example' },
      { speaker: 'caller', text: 'Hi.' },
      { speaker: 'note', text: 'The person pressed 5.' },
      null,
      { speaker: 'note', text: 'Answered by: a voicemail.' },
      { speaker: 'note', text: 'The person is connected.' },
      { speaker: 'note', text: 'The call ended: the person hung up.' },
    ]);
  });

  it('shows the words of a line before it is over, until the line or the end comes', () => {
    const events = [
      { type: 'words', role: 'caller', text: 'I would' },
      { type: 'latency' },
      { type: 'line', line: {} },
      { type: 'ended' },
    ];
    expect(events.map(openWords)).toEqual([{ speaker: 'caller', text: 'I would…' }, undefined, null, null]);
  });

  it('says whether the person is on hold', () => {
    const codes = ['ON_HOLD', 'HOLD_REFUSED', 'OFF_HOLD', 'RESUME_REFUSED'];
    expect(codes.map((code) => heldBy({ type: 'notice', code }))).toEqual([true, null, false, null]);
    expect(heldBy({ type: 'line' })).toBeNull();
  });

  it('says who has the call after a take-over and after the way back', () => {
    const codes = ['TAKEN_OVER', 'HANDED_BACK', 'LISTENING'];
    expect(codes.map((code) => takenBy({ type: 'notice', code }))).toEqual([true, false, null]);
    expect(takenBy({ type: 'line' })).toBeNull();
  });
});
