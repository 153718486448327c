import { describe, expect, it } from 'vitest';
import { latencyBar, noColours, renderLive } from './live-view.ts';

describe('the live view of a call', () => {
  it('prints speaker, text and time of each line', () => {
    const line = {
      role: 'caller' as const,
      text: 'Tuesday',
      startedAt: 65_000,
      endedAt: 66_000,
      interrupted: false,
      by: 'keypad' as const,
    };
    expect(renderLive({ type: 'line', line }, 0, noColours)).toEqual(['01:05 caller  Tuesday [keypad]']);
  });

  it('draws the parts of a latency in chronological order', () => {
    const latency = {
      turn: 3,
      endpointingMs: 350,
      recognitionMs: 50,
      modelMs: 100,
      voiceMs: null,
      totalMs: 500,
      prepared: true,
    };
    expect(latencyBar(latency)).toBe(`rr${'e'.repeat(14)}mmmm`);
    expect(renderLive({ type: 'latency', latency }, 0, noColours)[0]).toContain('500 ms prepared');
  });

  it('limits the length of the latency bar', () => {
    const slow = {
      endpointingMs: 60_000,
      recognitionMs: null,
      modelMs: null,
      voiceMs: null,
      totalMs: 60_000,
    };
    expect(latencyBar(slow)).toHaveLength(40);
  });
});
