import { describe, expect, it } from 'vitest';
import { linesIn, NOTHING_SPOKEN, withEvent, withLine, withWords } from './spoken.ts';

const line = (text: string) => ({ role: 'caller', text, by: 'speech', interrupted: false }) as const;

describe('what a test call shows', () => {
  it('are words as they come, until their line takes their place', () => {
    const first = withWords(NOTHING_SPOKEN, 'I wan', false);
    expect(first).toMatchObject({ settled: '', partial: 'I wan' });
    const settled = withWords(first, 'I want', true);
    const more = withWords(settled, 'to bo', false);
    expect(more).toMatchObject({ settled: 'I want', partial: 'to bo' });
    expect(withWords(more, 'to book', true)).toMatchObject({ settled: 'I want to book', partial: '' });
    expect(withLine(more, line('I want to book.'))).toEqual({
      entries: [{ kind: 'line', line: line('I want to book.') }],
      settled: '',
      partial: '',
    });
  });

  it('are latencies and interruptions of the live stream, and none of its lines again', () => {
    const latency = {
      turn: 2,
      endpointingMs: 200,
      recognitionMs: 50,
      modelMs: null,
      voiceMs: 40,
      totalMs: 300,
      prepared: false,
    };
    const events = [
      { type: 'status', status: 'ongoing' },
      { type: 'line', line: line('Hello') },
      { type: 'latency', latency },
      { type: 'interrupted', at: 1, stopMs: 120 },
    ];
    const spoken = events.reduce(withEvent, withLine(NOTHING_SPOKEN, line('Hello')));
    expect(linesIn(spoken)).toEqual([line('Hello')]);
    expect(spoken.entries.slice(1)).toEqual([
      {
        kind: 'latency',
        latency: {
          turn: 2,
          endpointing_ms: 200,
          recognition_ms: 50,
          model_ms: null,
          voice_ms: 40,
          network_ms: null,
          total_ms: 300,
        },
      },
      { kind: 'interruption', stopMs: 120 },
    ]);
  });
});
