import { describe, expect, it } from 'vitest';
import { dbfs } from '@callwright/audio';
import { createEchoGuard, isEcho, sentFrame } from './caller-filter.ts';

/** A voice without words: harmonics of a pitch that wanders, syllable by syllable. */
function voice(ms: number, rate: 8000 | 16_000, pitch: number, peak = 3000): Int16Array {
  let phase = 0;
  return Int16Array.from({ length: (ms * rate) / 1000 }, (_, i) => {
    const second = i / rate;
    phase +=
      (2 * Math.PI * pitch * (1 + 0.2 * Math.sin(5 * second * (pitch / 100)) + 0.1 * Math.sin(17 * second))) /
      rate;
    const swell = 0.55 - 0.45 * Math.cos(2 * Math.PI * (pitch / 33) * second);
    let sum = 0;
    for (let n = 1; n <= 12; n++) sum += Math.sin(phase * n + n * n * Math.sin(3 * second)) / Math.sqrt(n);
    return (peak / 4) * swell * sum;
  });
}

/** Shares of the frames that are taken for an echo, in the first 200 ms and after. */
function run(
  sent: Int16Array | null,
  heard: Int16Array,
  rate: 8000 | 16_000 = 8000,
): { start: number; after: number } {
  const guard = createEchoGuard(rate);
  const size = rate / 50;
  const marks: boolean[] = [];
  for (let from = 0; from + size <= heard.length; from += size) {
    const out = sent === null || from + size > sent.length ? null : sent.subarray(from, from + size);
    sentFrame(guard, out, out === null ? -100 : dbfs(out));
    const frame = heard.subarray(from, from + size);
    const level = dbfs(frame);
    const taken = isEcho(guard, frame, level);
    if (level > -50) marks.push(taken);
  }
  const share = (part: readonly boolean[]): number => part.filter(Boolean).length / Math.max(1, part.length);
  return { start: share(marks.slice(0, 10)), after: share(marks.slice(10)) };
}

const delayed = (pcm: Int16Array, ms: number, db: number, rate = 8000): Int16Array => {
  const by = (ms * rate) / 1000;
  return Int16Array.from({ length: pcm.length + by }, (_, i) => (pcm[i - by] ?? 0) * 10 ** (db / 20));
};

describe('the echo guard', () => {
  const agent = voice(3000, 8000, 190, 10_000);

  it.each([20, 97, 180, 250])('recognises the agent’s own voice after %d ms', (ms) => {
    for (const db of [-12, -24]) expect(run(agent, delayed(agent, ms, db)).after).toBeGreaterThan(0.95);
  });

  it('recognises it at 16 kHz', () => {
    const wide = voice(3000, 16_000, 190, 10_000);
    expect(run(wide, delayed(wide, 120, -18, 16_000), 16_000).after).toBeGreaterThan(0.95);
  });

  it('takes no other voice for it', () => {
    const { start, after } = run(agent, voice(3000, 8000, 110));
    expect(start).toBeLessThanOrEqual(0.2);
    expect(after).toBeLessThanOrEqual(0.05);
  });

  it('hears the caller over the echo', () => {
    const echo = delayed(agent, 120, -18);
    const caller = voice(1000, 8000, 110);
    const heard = echo.slice();
    for (const [i, sample] of caller.entries()) heard[12_000 + i] = (heard[12_000 + i] ?? 0) + sample;
    const guard = createEchoGuard(8000);
    let kept = 0;
    for (let from = 0; from + 160 <= agent.length; from += 160) {
      const [out, frame] = [agent.subarray(from, from + 160), heard.subarray(from, from + 160)];
      sentFrame(guard, out, dbfs(out));
      const own = isEcho(guard, frame, dbfs(frame));
      if (from >= 12_000 && from < 20_000 && !own) kept += 1;
    }
    expect(kept).toBeGreaterThan(40);
  });

  it('mutes nothing while the agent is silent', () => {
    expect(run(null, voice(1000, 8000, 110))).toEqual({ start: 0, after: 0 });
  });
});
