import { describe, expect, it } from 'vitest';
import { narrowed, widened } from '../../offline/recogniser/telephone-speech.ts';
import { utteranceBuffer } from './utterance.ts';

const frame = (value: number): Int16Array => new Int16Array(160).fill(value);

describe('utteranceBuffer', () => {
  it('contains the audio from 300 ms before the start of speech to its end', () => {
    const buffer = utteranceBuffer(8000);
    for (let i = 1; i <= 50; i++) buffer.write(frame(i));
    buffer.begin();
    for (let i = 51; i <= 60; i++) buffer.write(frame(i));
    const utterance = buffer.end();
    expect(utterance?.length).toBe((15 + 10) * 160);
    expect(utterance?.[0]).toBe(36);
    expect(utterance?.at(-1)).toBe(60);
  });

  it('contains as much from before the start of speech as the recogniser wants, but no earlier utterance', () => {
    const buffer = utteranceBuffer(8000, 600);
    for (let i = 1; i <= 50; i++) buffer.write(frame(i));
    buffer.begin();
    expect([buffer.end()?.length, buffer.end()]).toEqual([30 * 160, null]);
    for (let i = 51; i <= 60; i++) buffer.write(frame(i));
    buffer.begin();
    const next = buffer.end();
    expect([next?.length, next?.[0]]).toEqual([10 * 160, 51]);
  });

  it('returns null without a begin and starts the next utterance empty', () => {
    const buffer = utteranceBuffer(8000);
    buffer.write(frame(1));
    expect(buffer.end()).toBeNull();
    buffer.begin();
    expect(buffer.end()?.length).toBe(160);
    buffer.begin();
    buffer.write(frame(2));
    expect([...new Set(buffer.end())]).toEqual([2]);
  });

  it('is bounded at twelve seconds', () => {
    const buffer = utteranceBuffer(8000);
    buffer.begin();
    for (let i = 0; i < 3000; i++) buffer.write(frame(1));
    expect(buffer.end()?.length).toBe(12 * 8000);
  });
});

describe('telephone band', () => {
  it('doubles the rate of telephone audio and leaves 16 kHz audio unchanged', () => {
    expect([...widened(Int16Array.of(5, -7), 8000)]).toEqual([5, 0, -7, 0]);
    const wide = Int16Array.of(1, 2, 3);
    expect(widened(wide, 16_000)).toBe(wide);
  });

  it('resamples a recording to 8 kHz', () => {
    expect(Math.abs(narrowed(new Int16Array(16_000), 16_000).length - 8000)).toBeLessThan(40);
  });
});
