import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseWav } from '@callwright/audio';
import { Recorder } from './recorder.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'recorder-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const frame = (value: number): Int16Array => new Int16Array(160).fill(value);

async function read(path: string) {
  const wav = parseWav(await readFile(path));
  if (!wav.ok) throw new Error(wav.reason);
  const left: number[] = [];
  const right: number[] = [];
  for (let i = 0; i < wav.pcm.length; i += 2) {
    left.push(wav.pcm[i]!);
    right.push(wav.pcm[i + 1]!);
  }
  return { left, right, rate: wav.sampleRate, channels: wav.channels };
}

describe('the recorder', () => {
  it('writes the caller left and the agent right, in place across several writes', async () => {
    const recorder = new Recorder(join(dir, 'a.wav'), 8000, () => undefined);
    recorder.start(0);
    for (let i = 0; i < 300; i++) {
      recorder.caller(frame(i === 100 ? 1000 : 0), i * 160);
      recorder.agent(i === 200 ? frame(2000) : null, 160, i * 20);
    }
    const done = await recorder.close();
    expect(done).toMatchObject({ durationMs: 6000, failed: false, bytes: 6000 * 32 + 44 });
    const { left, right, rate, channels } = await read(done.path);
    expect([rate, channels]).toEqual([8000, 2]);
    expect(Math.abs(left.indexOf(1000) - 100 * 160)).toBeLessThanOrEqual(160);
    expect(right.indexOf(2000)).toBe(200 * 160);
  });

  it('leaves both channels silent during a pause, at the same length', async () => {
    const recorder = new Recorder(join(dir, 'p.wav'), 8000, () => undefined);
    recorder.start(0);
    const late: (() => void)[] = [];
    for (let i = 0; i < 300; i++) {
      if (i === 100) recorder.pause();
      if (i === 200) {
        recorder.resume();
        // A packet of the pause that the network delayed.
        for (const arrive of late) arrive();
      }
      if (i === 195) late.push(() => recorder.caller(frame(777), i * 160));
      else recorder.caller(frame(1000), i * 160);
      recorder.agent(frame(2000), 160, i * 20);
    }
    const done = await recorder.close();
    expect(done).toMatchObject({ durationMs: 6000, failed: false });
    const { left, right } = await read(done.path);
    const paused = [100 * 160, 200 * 160] as const;
    expect(new Set(left.slice(...paused))).toEqual(new Set([0]));
    expect(new Set(right.slice(...paused))).toEqual(new Set([0]));
    expect(left.filter((sample) => sample === 1000)).toHaveLength(200 * 160);
    expect(right.filter((sample) => sample === 2000)).toHaveLength(200 * 160);
    expect(left).not.toContain(777);
  });

  it('fills steps that the wheel skipped with silence', async () => {
    const recorder = new Recorder(join(dir, 'b.wav'), 8000, () => undefined);
    recorder.start(0);
    recorder.agent(frame(1), 160, 0);
    recorder.agent(frame(2), 160, 1000);
    const done = await recorder.close();
    const { right } = await read(done.path);
    expect(Math.abs(right.indexOf(2) - 8000)).toBeLessThanOrEqual(160);
  });

  it('places late and reordered caller frames by RTP time', async () => {
    const recorder = new Recorder(join(dir, 'c.wav'), 8000, () => undefined);
    recorder.start(0);
    recorder.caller(frame(1), 0);
    recorder.agent(null, 160, 0);
    recorder.agent(null, 160, 20);
    recorder.caller(frame(3), 320);
    recorder.caller(frame(2), 160);
    recorder.agent(null, 160, 40);
    const done = await recorder.close();
    const { left } = await read(done.path);
    expect([left[0], left[160], left[320]]).toEqual([1, 2, 3]);
  });

  it('reports a failing disk once and keeps accepting frames', async () => {
    const failures: string[] = [];
    await writeFile(join(dir, 'taken'), 'a file where the folder should be');
    const recorder = new Recorder(join(dir, 'taken', 'd.wav'), 8000, (e) => failures.push(e.message));
    recorder.start(0);
    for (let i = 0; i < 200; i++) recorder.agent(frame(1), 160, i * 20);
    const done = await recorder.close();
    expect(done).toMatchObject({ failed: true, bytes: 0, durationMs: 0 });
    expect(failures).toHaveLength(1);
  });

  it.skipIf(!existsSync('/dev/full'))('ends as failed, not as a fault, when the disk is full', async () => {
    const failures: string[] = [];
    const recorder = new Recorder('/dev/full', 8000, (e) => failures.push(e.message));
    recorder.start(0);
    for (let i = 0; i < 200; i++) recorder.agent(frame(1), 160, i * 20);
    expect(await recorder.close()).toMatchObject({ failed: true, bytes: 0, durationMs: 0 });
    expect(failures).toEqual([expect.stringContaining('ENOSPC')]);
  });
});
