import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordingFormat } from '../../../src/domain/calls/recordings.ts';
import { Disk } from '../../../src/recordings/disk.ts';
import { Recordings } from '../../../src/recordings/recordings.ts';
import { wavHeader } from '@callwright/audio';

let root: string;
let recordings: Recordings;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'callwright-recordings-'));
  recordings = new Recordings(new Disk(join(root, 'inside')));
  await mkdir(join(root, 'inside', '2026'), { recursive: true });
  await writeFile(join(root, 'inside', '2026', 'call.wav'), tone(20));
  await writeFile(join(root, 'outside.wav'), tone(1));
});
afterAll(async () => {
  await recordings.close();
  await rm(root, { recursive: true });
});

const open = (path: string, format: RecordingFormat) =>
  recordings.open(path, format, 'disk', () => async () => async () => undefined);

/** Stereo at 8 kHz: 440 Hz left, 1 kHz right. */
function tone(seconds: number): Buffer {
  const frames = seconds * 8000;
  const pcm = Buffer.alloc(frames * 4);
  for (let i = 0; i < frames; i += 1) {
    pcm.writeInt16LE(Math.round(9000 * Math.sin((2 * Math.PI * 440 * i) / 8000)), i * 4);
    pcm.writeInt16LE(Math.round(9000 * Math.sin((2 * Math.PI * 1000 * i) / 8000)), i * 4 + 2);
  }
  return Buffer.concat([wavHeader({ sampleRate: 8000, channels: 2 }, pcm.length), pcm]);
}

/** Bit rates in kbit/s by MPEG-2.5 layer III index, and the frames of a file, parsed header by header. */
const KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
function mp3Frames(file: Buffer): { frames: number; channels: number; sampleRate: number } {
  let at = 0;
  let frames = 0;
  let [channels, sampleRate] = [0, 0];
  while (at + 4 <= file.length && file[at] === 0xff && (file[at + 1]! & 0xe0) === 0xe0) {
    const rate = [11_025, 12_000, 8000][(file[at + 2]! >> 2) & 3]!;
    const kbps = KBPS[file[at + 2]! >> 4]!;
    sampleRate = rate;
    channels = file[at + 3]! >> 6 === 3 ? 1 : 2;
    at += Math.floor((72 * kbps * 1000) / rate) + ((file[at + 2]! >> 1) & 1);
    frames += 1;
  }
  return { frames, channels, sampleRate };
}

describe('recordings on disk', () => {
  it('are read by byte range', async () => {
    const file = await open('2026/call.wav', 'wav');
    const whole = await readFile(join(root, 'inside', '2026', 'call.wav'));
    expect(file?.bytes).toBe(whole.length);
    expect(await buffer(file!.stream(40, 99))).toEqual(whole.subarray(40, 100));
    const absolute = await open(join(root, 'inside', '2026', 'call.wav'), 'wav');
    expect(absolute?.bytes).toBe(whole.length);
  });

  it.each(['../outside.wav', '2026/../../outside.wav', '', '.', '2026', 'absent.wav', '/etc/passwd'])(
    'do not exist at %j',
    async (path) => {
      expect(await open(path, 'wav')).toBeNull();
      expect(await open(path, 'mp3')).toBeNull();
      expect(await open(path, 'peaks')).toBeNull();
    },
  );

  it('are encoded to MP3 once for concurrent requests, without partial files', async () => {
    const files = await Promise.all(Array.from({ length: 4 }, () => open('2026/call.wav', 'mp3')));
    const mp3 = await buffer(files[0]!.stream(0, files[0]!.bytes - 1));
    const { frames, channels, sampleRate } = mp3Frames(mp3);
    expect([channels, sampleRate]).toEqual([2, 8000]);
    expect((frames * 576) / 8000).toBeGreaterThanOrEqual(20);
    expect((frames * 576) / 8000).toBeLessThan(20.5);
    expect((await readdir(join(root, 'inside', '2026'))).sort()).toEqual(['call.mp3', 'call.wav']);
    const again = await open('2026/call.wav', 'mp3');
    expect(again?.modifiedAt).toEqual(files[0]?.modifiedAt);
  });

  it('fail to encode for an invalid file, and encode the next one', async () => {
    await writeFile(join(root, 'inside', 'noise.wav'), Buffer.alloc(5000, 7));
    await expect(open('noise.wav', 'mp3')).rejects.toThrow('not a 16-bit WAV');
    await writeFile(join(root, 'inside', 'next.wav'), tone(1));
    expect((await open('next.wav', 'mp3'))?.bytes).toBeGreaterThan(1000);
    expect(await readdir(join(root, 'inside', '.part'))).toEqual([]);
  });

  it('have a waveform of both channels, computed once', async () => {
    const file = await open('2026/call.wav', 'peaks');
    const peaks = JSON.parse((await buffer(file!.stream(0, file!.bytes - 1))).toString());
    expect(peaks).toMatchObject({ version: 2, channels: 2, sample_rate: 8000, bits: 8 });
    expect(peaks.data).toHaveLength(peaks.length * 4);
    expect(peaks.length * peaks.samples_per_pixel).toBeGreaterThanOrEqual(20 * 8000);
    expect((peaks.length - 1) * peaks.samples_per_pixel).toBeLessThan(20 * 8000);
    // 9000 of 32768 is 35 of 128; every point covers more than one period.
    for (const at of [0, 1, 2, 3]) expect(Math.abs(Math.abs(peaks.data[at]) - 35)).toBeLessThanOrEqual(1);
    expect((await open('2026/call.wav', 'peaks'))?.modifiedAt).toEqual(file?.modifiedAt);
  });
});
