import { wordsIn } from '@callwright/stand-ins';

/** A stretch of sound in a phone's recording, ms. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

const RATE = 8000;
const WINDOW_MS = 5;
const WINDOW = (RATE * WINDOW_MS) / 1000;
/** Peaks below this are silence: a lowered voice is ten times as loud. */
const FLOOR = 150;
/** Level to which the windows of a lowered voice are raised before its words are read. */
const NORMAL = 14_000;
const AROUND = 2;

/** The stretches of sound; silences of up to `gapMs` are part of one. */
export function soundsIn(pcm: Int16Array, gapMs: number): Stretch[] {
  const found: { fromMs: number; toMs: number }[] = [];
  for (let at = 0; at < pcm.length; at += WINDOW) {
    if (peakOf(pcm.subarray(at, at + WINDOW)) < FLOOR) continue;
    const fromMs = (at * 1000) / RATE;
    const last = found.at(-1);
    if (last === undefined || fromMs - last.toMs > gapMs) found.push({ fromMs, toMs: fromMs + WINDOW_MS });
    else last.toMs = fromMs + WINDOW_MS;
  }
  return found;
}

/** Coded words, those of a lowered voice included, with their places in the recording. */
export function wordsHeard(pcm: Int16Array): { text: string; fromMs: number; toMs: number }[] {
  const peaks = Array.from({ length: Math.ceil(pcm.length / WINDOW) }, (_, i) =>
    peakOf(pcm.subarray(i * WINDOW, (i + 1) * WINDOW)),
  );
  const level = new Int16Array(pcm.length);
  for (const i of peaks.keys()) {
    // Over more than a period of the voice.
    const loudest = Math.max(...peaks.slice(Math.max(0, i - AROUND), i + AROUND + 1));
    if ((peaks[i] as number) < FLOOR) continue;
    const gain = loudest > NORMAL / 2 ? 1 : NORMAL / loudest;
    for (let at = i * WINDOW; at < Math.min(pcm.length, (i + 1) * WINDOW); at++) {
      level[at] = Math.round((pcm[at] as number) * gain);
    }
  }
  return wordsIn(level, RATE).map(({ text, startMs, endMs }) => ({ text, fromMs: startMs, toMs: endMs }));
}

/** The longest silence between two times; sound before and after bounds it. */
export function longestSilence(sounds: readonly Stretch[], fromMs: number, toMs: number): number {
  let [most, quietSince] = [0, fromMs];
  for (const sound of sounds) {
    if (sound.toMs <= fromMs) continue;
    if (sound.fromMs >= toMs) break;
    most = Math.max(most, sound.fromMs - quietSince);
    quietSince = sound.toMs;
  }
  return Math.max(most, toMs - quietSince);
}

function peakOf(pcm: Int16Array): number {
  let most = 0;
  for (const sample of pcm) most = Math.max(most, Math.abs(sample));
  return most;
}
