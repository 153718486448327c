import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The audio packets of one leg, as the service sent them. */
export interface SentPackets {
  /** Epoch ms. */
  readonly atMs: number[];
  /** RTP timestamps. */
  readonly timestamps: number[];
}
export interface SendTiming {
  /** Between two packets of a leg, ms. */
  readonly intervals: number[];
  /** After the time that its RTP timestamp stands for, on the schedule of the leg's most punctual packet, ms. */
  readonly late: number[];
}

const TICKS_PER_MS = 8;

/** What the service's threads have written into the folder, between two times. */
export function readSends(folder: string, fromMs: number, toMs: number): SendTiming {
  const timing: SendTiming = { intervals: [], late: [] };
  for (const file of readdirSync(folder)) {
    const legs: SentPackets[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const leg of legs) addLeg(timing, leg, fromMs, toMs);
  }
  return timing;
}

function addLeg(timing: SendTiming, { atMs, timestamps }: SentPackets, fromMs: number, toMs: number): void {
  const begin = timestamps[0] ?? 0;
  const offsets = atMs.map((at, i) => at - (((timestamps[i] ?? 0) - begin) >>> 0) / TICKS_PER_MS);
  const inTime = offsets.reduce((least, offset) => Math.min(least, offset), Infinity);
  for (const [i, at] of atMs.entries()) {
    const before = atMs[i - 1];
    if (before === undefined || before < fromMs || at > toMs) continue;
    timing.intervals.push(at - before);
    timing.late.push((offsets[i] ?? 0) - inTime);
  }
}
