import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The audio packets of one leg, as the service sent them. */
export interface SentPackets {
  /** RTP packets, or frames of a browser call. */
  readonly kind: 'phone' | 'browser';
  /** Epoch ms. */
  readonly atMs: number[];
  /** RTP timestamps; frames of a browser call have none. */
  readonly timestamps: number[];
}
export interface SendTiming {
  /** Between two packets of a phone call, ms. */
  readonly intervals: number[];
  /** Between two frames of a browser call, ms; its agent sends nothing while it is silent. */
  readonly browserIntervals: number[];
  /** After the time that its RTP timestamp stands for, on the schedule of the leg's most punctual packet, ms. */
  readonly late: number[];
}

const TICKS_PER_MS = 8;

/** What the service's threads have written into the folder, between two times. */
export function readSends(folder: string, fromMs: number, toMs: number): SendTiming {
  const timing: SendTiming = { intervals: [], browserIntervals: [], late: [] };
  for (const file of readdirSync(folder)) {
    const legs: SentPackets[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const leg of legs) addLeg(timing, leg, fromMs, toMs);
  }
  return timing;
}

function addLeg(timing: SendTiming, leg: SentPackets, fromMs: number, toMs: number): void {
  const { atMs, timestamps } = leg;
  if (leg.kind === 'browser') {
    for (const [i, at] of atMs.entries()) {
      const before = atMs[i - 1];
      if (before !== undefined && before >= fromMs && at <= toMs) timing.browserIntervals.push(at - before);
    }
    return;
  }
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
