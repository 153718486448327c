import type { DtmfDigit } from '@callwright/audio';

/**
 * Detects keys as tones in the audio (ITU-T Q.23), for peers without telephone-event. A key is two pure tones, one of each
 * group, that hold most of the power for two frames of 20 ms; the same key counts again after two frames without it.
 */
export interface DtmfDetector {
  /** The key of the last frame, and for how many frames it has lasted; null: none. */
  key: DtmfDigit | null;
  frames: number;
  /** The key that was reported and still sounds; null: none. */
  reported: DtmfDigit | null;
  quiet: number;
  readonly rate: number;
}

const LOW_HZ = [697, 770, 852, 941] as const;
const HIGH_HZ = [1209, 1336, 1477, 1633] as const;
const KEYS: readonly (readonly DtmfDigit[])[] = [
  ['1', '2', '3', 'A'],
  ['4', '5', '6', 'B'],
  ['7', '8', '9', 'C'],
  ['*', '0', '#', 'D'],
];
const LEAST_FRAMES = 2;
/** Mean square of the softest key, about -42 dBFS. */
const FLOOR = 260 ** 2;
/** Share of the power in the two tones: speech spreads it over many. */
const PURITY = 0.6;
/** One group may be this much louder than the other, and each tone than the others of its group. */
const TWIST = 8;
const CLARITY = 4;

export const createDtmfDetector = (rate = 8000): DtmfDetector => ({
  key: null,
  frames: 0,
  reported: null,
  quiet: 0,
  rate,
});

/** Handles one frame of 20 ms; returns a key once, when it is certain. */
export function stepDtmf(detector: DtmfDetector, pcm: Int16Array): DtmfDigit | null {
  const key = keyOf(pcm, detector.rate);
  detector.frames = key !== null && key === detector.key ? detector.frames + 1 : 1;
  detector.key = key;
  if (key === detector.reported) {
    detector.quiet = 0;
    return null;
  }
  if (key !== null && detector.frames >= LEAST_FRAMES) {
    detector.reported = key;
    detector.quiet = 0;
    return key;
  }
  detector.quiet += 1;
  if (detector.quiet >= LEAST_FRAMES) detector.reported = null;
  return null;
}

function keyOf(pcm: Int16Array, rate: number): DtmfDigit | null {
  let energy = 0;
  for (let i = 0; i < pcm.length; i++) energy += pcm[i]! * pcm[i]!;
  if (energy < FLOOR * pcm.length) return null;
  const low = loudest(pcm, rate, LOW_HZ);
  const high = loudest(pcm, rate, HIGH_HZ);
  if (low === null || high === null) return null;
  if (low.power > high.power * TWIST || high.power > low.power * TWIST) return null;
  const share = ((low.power + high.power) * 2) / (pcm.length * energy);
  return share < PURITY ? null : (KEYS[low.at]?.[high.at] ?? null);
}

/** The tone of a group that stands out; null: none does. */
function loudest(
  pcm: Int16Array,
  rate: number,
  group: readonly number[],
): { at: number; power: number } | null {
  const powers = group.map((hz) => powerAt(pcm, rate, hz));
  const power = Math.max(...powers);
  const isClear = powers.filter((other) => other * CLARITY > power).length === 1;
  return isClear ? { at: powers.indexOf(power), power } : null;
}

/** Goertzel: the squared magnitude at one frequency. */
function powerAt(pcm: Int16Array, rate: number, hz: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hz) / rate);
  let [before, last] = [0, 0];
  for (let i = 0; i < pcm.length; i++) {
    const next = pcm[i]! + turn * last - before;
    before = last;
    last = next;
  }
  return before * before + last * last - turn * before * last;
}
