import { describe, expect, it } from 'vitest';
import { liveLine } from './live-events.ts';

describe('the live stream', () => {
  it('shows words, keys, interruptions and the end', () => {
    expect(
      [
        { type: 'line', line: { role: 'agent', text: 'Hello.' } },
        { type: 'line', line: { role: 'caller', text: 'Hi.' } },
        { type: 'dtmf', digit: '5', at: 1 },
        { type: 'latency', latency: {} },
        { type: 'ended', subStatus: 'USER_LEFT' },
      ].map(liveLine),
    ).toEqual([
      { speaker: 'agent', text: 'Hello.' },
      { speaker: 'caller', text: 'Hi.' },
      { speaker: 'note', text: 'The person pressed 5.' },
      null,
      { speaker: 'note', text: 'The call ended: USER_LEFT.' },
    ]);
  });
});
