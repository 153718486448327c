import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseWav, writeWav } from '@callwright/audio';

const run = promisify(execFile);
const RATE = 8000;

/** Synthesised speech, mono. */
export async function spoken(text: string, rate = RATE): Promise<Int16Array> {
  const directory = await mkdtemp(join(tmpdir(), 'spoken-'));
  try {
    const [wide, narrow] = [join(directory, 'wide.wav'), join(directory, 'narrow.wav')];
    await run('flite', ['-voice', 'slt', '-t', text, '-o', wide]);
    await run('sox', [wide, '-r', String(rate), '-c', '1', '-b', '16', narrow, 'gain', '-n', '-6']);
    return await readMono(narrow, rate);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Writes the audio of a phone from its answer on: silence with words at given times, mono WAV. */
export async function writeTrack(
  path: string,
  words: readonly { atMs: number; pcm: Int16Array }[],
  lengthMs: number,
  rate = RATE,
): Promise<void> {
  const track = new Int16Array((lengthMs * rate) / 1000);
  for (const { atMs, pcm } of words) track.set(pcm, (atMs * rate) / 1000);
  await writeFile(path, writeWav({ sampleRate: rate, channels: 1 }, track));
}

/** The samples of a mono WAV file of this rate. */
export async function readMono(path: string, rate = RATE): Promise<Int16Array> {
  const wav = parseWav(await readFile(path));
  if (!wav.ok) throw new Error(`${path}: ${wav.reason}`);
  if (wav.channels !== 1 || wav.sampleRate !== rate) throw new Error(`${path}: not mono at ${rate} Hz`);
  return wav.pcm;
}

/** Splits our stereo recording into caller and agent. */
export function sidesOf(file: Buffer): { caller: Int16Array; agent: Int16Array } {
  const wav = parseWav(file);
  if (!wav.ok) throw new Error(wav.reason);
  const side = (offset: number): Int16Array => wav.pcm.filter((_, i) => i % 2 === offset);
  return { caller: side(0), agent: side(1) };
}

/** Milliseconds of sound louder than about -40 dBFS. */
export function soundingMs(pcm: Int16Array): number {
  let steps = 0;
  // In steps finer than a frame, because frame boundaries differ between two recordings of one call.
  for (let at = 0; at + 160 <= pcm.length; at += 20) if (energy(pcm, at, 160) / 160 > 330 ** 2) steps++;
  return steps * 2.5;
}

/**
 * Similarity of the loudest `windowMs` of `part` to its best match in `whole`: the peak of the normalised
 * cross-correlation (1: equal up to gain) and the lag of the match.
 */
export function likeness(
  part: Int16Array,
  whole: Int16Array,
  windowMs = 1000,
): { peak: number; lagMs: number } {
  const size = Math.min((windowMs * RATE) / 1000, part.length, whole.length);
  const start = loudest(part, size);
  const window = part.subarray(start, start + size);
  // Coarse search first: a full-rate search over the whole recording would take seconds.
  const coarse = bestFit(averaged(window), averaged(whole), 0, Infinity);
  const fine = bestFit(window, whole, (coarse.at - 2) * COARSE, (coarse.at + 2) * COARSE);
  return { peak: fine.value, lagMs: ((fine.at - start) * 1000) / RATE };
}

/** The likeness of a sound's quarters in a recording, without the worst: a busy machine may play one packet late. */
export function peakOfQuarters(sound: Int16Array, recorded: Int16Array): number {
  const size = Math.floor(sound.length / 4);
  const peaks = [0, 1, 2, 3].map((at) => {
    const quarter = sound.subarray(at * size, (at + 1) * size);
    return likeness(quarter, recorded, (size * 1000) / RATE).peak;
  });
  return peaks.toSorted((one, other) => one - other)[1] ?? 0;
}

const COARSE = 4;

function averaged(pcm: Int16Array): Int16Array {
  const out = new Int16Array(Math.floor(pcm.length / COARSE));
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let j = 0; j < COARSE; j++) sum += pcm[i * COARSE + j] ?? 0;
    out[i] = sum / COARSE;
  }
  return out;
}

function bestFit(
  window: Int16Array,
  whole: Int16Array,
  from: number,
  to: number,
): { at: number; value: number } {
  const best = { at: 0, value: 0 };
  const own = energy(window, 0, window.length);
  const last = Math.min(to, whole.length - window.length);
  for (let at = Math.max(0, from); at <= last; at++) {
    let sum = 0;
    for (let i = 0; i < window.length; i++) sum += (window[i] ?? 0) * (whole[at + i] ?? 0);
    const value = sum / Math.sqrt(own * energy(whole, at, window.length) + 1);
    if (value > best.value) Object.assign(best, { at, value });
  }
  return best;
}

function loudest(pcm: Int16Array, size: number): number {
  let best = { at: 0, value: -1 };
  for (let at = 0; at + size <= pcm.length; at += 160) {
    const value = energy(pcm, at, size);
    if (value > best.value) best = { at, value };
  }
  return best.at;
}

function energy(pcm: Int16Array, from: number, length: number): number {
  let sum = 0;
  for (let i = from; i < from + length; i++) sum += (pcm[i] ?? 0) ** 2;
  return sum;
}
