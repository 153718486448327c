import { describe, expect, it } from 'vitest';
import { readTranscript, regionsOf, spokenAt } from './transcript-lines.ts';

describe('the transcript of a call', () => {
  it('has the speaker, the words and the second of each line', () => {
    const text = JSON.stringify([
      { bot: 'Hello.', timestamp: 'x', audio_offset_ms: 500 },
      { user: 'Hi.', audio_offset_ms: 2250 },
      { bot: 'No offset.' },
      { user: '5#', by: 'keypad' },
      { other: 1 },
    ]);
    expect(readTranscript(text)).toEqual([
      { speaker: 'agent', text: 'Hello.', second: 0.5 },
      { speaker: 'caller', text: 'Hi.', second: 2.25 },
      { speaker: 'agent', text: 'No offset.', second: null },
      { speaker: 'caller', text: '5#', second: null, isKeys: true },
    ]);
  });

  it('names the agent that took the call over', () => {
    const text = JSON.stringify([{ bot: 'Hello.' }, { user: 'Hi.' }, { bot: 'This is billing.' }]);
    const replies = [null, null, { agent_name: 'Billing' }].map((agent) => ({ agent }));
    expect(readTranscript(text, replies).map(({ agent }) => agent)).toEqual([
      undefined,
      undefined,
      'Billing',
    ]);
  });

  it('is empty for a call without one, and for text that is no transcript', () => {
    expect([null, '', '{', '{}', '7'].map((text) => readTranscript(text))).toEqual([[], [], [], [], []]);
  });

  it('gives each line the stretch until the next one, and the last the rest of the recording', () => {
    const lines = readTranscript(
      JSON.stringify([
        { bot: 'a', audio_offset_ms: 500 },
        { user: 'b' },
        { user: 'c', audio_offset_ms: 2000 },
        { bot: 'd', audio_offset_ms: 9000 },
      ]),
    );
    expect(regionsOf(lines, 9)).toEqual([
      { speaker: 'agent', from: 0.5, to: 2 },
      { speaker: 'caller', from: 2, to: 9 },
    ]);
  });

  it('highlights the last line that has begun', () => {
    const lines = readTranscript(
      JSON.stringify([
        { bot: 'a', audio_offset_ms: 500 },
        { user: 'b', audio_offset_ms: 2000 },
      ]),
    );
    expect([0, 0.5, 1.9, 2, 60].map((second) => spokenAt(lines, second))).toEqual([-1, 0, 0, 1, 1]);
  });
});
