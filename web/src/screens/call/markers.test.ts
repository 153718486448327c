import { expect, it } from 'vitest';
import { markersOf } from './markers.ts';

const call = {
  answered_at: '2026-01-05T10:00:00.000Z',
  ended_at: '2026-01-05T10:00:20.000Z',
  hangup_by: 'caller',
  transcription_url: JSON.stringify([
    { bot: 'Hello, this is', interrupted: true, by: 'speech', audio_offset_ms: 0 },
    { user: 'Yes?', interrupted: false, by: 'speech', audio_offset_ms: 1500 },
    { user: '42', interrupted: false, by: 'keypad', audio_offset_ms: 9000 },
  ]),
  tool_call_logs: [
    { name: 'book', at: Date.parse('2026-01-05T10:00:05.000Z'), ok: false },
    { name: 'before', at: Date.parse('2026-01-05T09:59:58.000Z') },
    'not a tool' as never,
  ],
  vendor_faults: [],
  recording_pauses: [{ from_seconds: 12, to_seconds: 14 }],
  answered_by: {
    kind: 'voicemail' as const,
    confidence: 0.9,
    decided_ms: 2500,
    revised_ms: null,
    reasons: ['beep' as const, 'words' as const],
  },
};

it('marks who answered, interruptions, tools, keys, pauses and the hang-up at their seconds', () => {
  expect(markersOf(call).map(({ kind, second, text }) => [kind, second, text])).toEqual([
    ['interruption', 1.5, 'The person interrupts'],
    ['answer', 2.5, 'Answered by: a voicemail (beep)'],
    ['tool', 5, 'Tool book failed'],
    ['keys', 9, 'Keys: 42'],
    ['pause', 12, 'Not recorded from here'],
    ['hang-up', 20, 'The person hangs up'],
  ]);
});

it('marks nothing in a call without an answer or with an unreadable transcript', () => {
  expect(
    markersOf({
      ...call,
      answered_at: null,
      transcription_url: '{',
      recording_pauses: [],
      answered_by: null,
    }),
  ).toEqual([]);
});
