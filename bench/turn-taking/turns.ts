import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createResampler, parseWav, resample } from '@callwright/audio';
import { Fields } from '@callwright/fields';
import type { WholeWords } from '../../test/helpers/audio/decode-whole.ts';
import { overTheLine } from '../../test/helpers/audio/speech.ts';

const RATE = 8_000;
const PER_MS = RATE / 1_000;
/** Line noise before a turn, and the silence that the speech gate needs to notice an end. */
const LEAD_MS = 300;
export const GATE_MS = 80;
/** A recording ends at its last 10 ms that are at most this much below its loudest. */
const QUIETER = 10 ** (-35 / 20);

/** A recording of one turn. */
export interface Recording {
  readonly voice: string;
  /** At 8 kHz. */
  readonly pcm: Int16Array;
  /** Its pauses; absent: the recording is one whole sentence, and is cut at word ends for pauses inside a turn. */
  readonly pauses?: readonly { readonly atMs: number; readonly lengthMs: number | null }[];
}

/** The sound and words of a turn up to a pause. */
export interface Pause {
  readonly voice: string;
  readonly pcm: Int16Array;
  readonly text: string;
  /** Equally likely lengths of a pause inside the turn; null: the turn is over. */
  readonly lengthsMs: readonly number[] | null;
  /** The agent has asked for a number. */
  readonly isNumber?: true;
}

/**
 * A hundred quantiles of pauses inside a turn: log-normal, so that silence alone cuts off as often as eot-bench publishes for its
 * recordings of people (55.6 % at 300 ms, 21.7 % at 600 ms, 5 % at 1,600 ms).
 */
const MEDIAN_MS = 342;
const SPREAD = 0.937;
export const PAUSES_MS = Array.from(
  { length: 100 },
  (_, i) => MEDIAN_MS * Math.exp(SPREAD * normalAt((i + 0.5) / 100)),
);

/** Quantile of the normal distribution (Abramowitz and Stegun 26.2.23). */
function normalAt(share: number): number {
  if (share > 0.5) return -normalAt(1 - share);
  const t = Math.sqrt(-2 * Math.log(share));
  const above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
  return above / (1 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308))) - t;
}

/** Where sentences are cut, as shares of their words. */
const CUTS = [0.3, 0.55, 0.8];
const FEWEST_WORDS = 3;

/** The pauses of a recording, with the words that the recogniser wrote before each. */
export function pausesOf(
  { voice, pcm, pauses }: Recording,
  decode: (pcm: Int16Array) => WholeWords,
): Pause[] {
  const { words } = decode(overTheLine(pcm, 0, 0));
  const until = (atMs: number, count: number, lengthsMs: Pause['lengthsMs']): Pause => ({
    voice,
    pcm: overTheLine(pcm.subarray(0, Math.round(atMs * PER_MS)), LEAD_MS, GATE_MS),
    text: words
      .slice(0, count)
      .map(({ text }) => text)
      .join(' '),
    lengthsMs,
  });
  if (words.length === 0) return [];
  if (pauses !== undefined) {
    return pauses.flatMap(({ atMs, lengthMs }) => {
      const count = words.filter(({ startMs, endMs }) => (startMs + endMs) / 2 <= atMs).length;
      return count === 0 ? [] : [until(atMs, count, lengthMs === null ? null : [lengthMs])];
    });
  }
  const whole = until(spokenMs(pcm), words.length, null);
  if (words.length < FEWEST_WORDS) return [whole];
  const counts = new Set(CUTS.map((share) => Math.max(1, Math.round(share * words.length))));
  const inside = [...counts].flatMap((count) => {
    const last = words[count - 1];
    return last === undefined || count >= words.length ? [] : [until(last.endMs, count, PAUSES_MS)];
  });
  return [...inside, whole];
}

/** From the beginning to the last sound of a recording, ms. */
function spokenMs(pcm: Int16Array): number {
  const piece = 10 * PER_MS;
  const loudest = (at: number): number =>
    pcm.subarray(at, at + piece).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const peaks = Array.from({ length: Math.ceil(pcm.length / piece) }, (_, i) => loudest(i * piece));
  const floor = Math.max(...peaks) * QUIETER;
  return (peaks.findLastIndex((peak) => peak > floor) + 1) * 10;
}

/**
 * Recordings of a folder: WAV files (16 bits, one channel). With `turns.jsonl`, each line names a file, its voice and its
 * pauses; without it, each file of 1 to 8 seconds is one whole sentence.
 */
export function recordingsOf(folder: string): Recording[] {
  const list = join(folder, 'turns.jsonl');
  if (existsSync(list)) {
    const lines = readFileSync(list, 'utf8').split('\n');
    return lines.filter((line) => line.trim() !== '').map((line) => listed(folder, line));
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.wav'))
    .toSorted()
    .map((name) => ({ voice: folder, pcm: readPcm(join(folder, name)) }))
    .filter(({ pcm }) => pcm.length >= RATE && pcm.length <= 8 * RATE);
}

function listed(folder: string, line: string): Recording {
  const entry = Fields.parse(line);
  return {
    voice: entry.text('voice'),
    pcm: readPcm(join(folder, entry.text('file'))),
    pauses: entry.list('pauses').map((pause) => ({
      atMs: pause.number('at_ms') ?? 0,
      lengthMs: pause.number('length_ms'),
    })),
  };
}

function readPcm(path: string): Int16Array {
  const wav = parseWav(readFileSync(path));
  if (!wav.ok) throw new Error(`${path}: ${wav.reason}`);
  if (wav.channels !== 1) throw new Error(`${path} has ${wav.channels} channels: it has to have one`);
  return wav.sampleRate === RATE ? wav.pcm : resample(createResampler(wav.sampleRate, RATE), wav.pcm, true);
}
