import { describe, expect, it } from 'vitest';
import { liveLine } from './live-events.ts';

describe('the live stream', () => {
  it('shows words, keys, who answered, notices and the end', () => {
    expect(
      [
        { type: 'line', line: { role: 'agent', text: 'Hello.' } },
        { type: 'line', line: { role: 'caller', text: 'Hi.' } },
        { type: 'dtmf', digit: '5', at: 1 },
        { type: 'latency', latency: {} },
        { type: 'notice', code: 'ANSWERED_BY', message: 'voicemail' },
        { type: 'notice', code: 'TRANSFERRED', message: 'the caller is connected' },
        { type: 'ended', subStatus: 'USER_LEFT' },
      ].map(liveLine),
    ).toEqual([
      { speaker: 'agent', text: 'Hello.' },
      { speaker: 'caller', text: 'Hi.' },
      { speaker: 'note', text: 'The person pressed 5.' },
      null,
      { speaker: 'note', text: 'Answered by: a voicemail.' },
      { speaker: 'note', text: 'the caller is connected' },
      { speaker: 'note', text: 'The call ended: user left.' },
    ]);
  });
});
