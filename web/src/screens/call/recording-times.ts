import type { Peaks } from './peaks.ts';
import type { Region } from './transcript-lines.ts';

/** Steps of the axis that people count in, in seconds. */
const STEPS = [5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800];
const MOST_TICKS = 8;

/** The seconds that the axis of a recording names, from its start. */
export function ticksOf(length: number): readonly number[] {
  const step = STEPS.find((each) => length / each <= MOST_TICKS) ?? 3_600;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}

/** A sound of this share of the loudest is speech. */
const QUIET = 0.05;

/** The stretches without the silence after their words, by the waveform of their speaker's channel. */
export function spokenRegions(regions: readonly Region[], peaks: Peaks, length: number): readonly Region[] {
  const values = peaks.data.slice(0, peaks.length * peaks.channels * 2);
  const quiet = Math.max(1, ...values.map(Math.abs)) * QUIET;
  const perSecond = peaks.length / Math.max(length, 0.001);
  const isHeard = (point: number, channel: number): boolean => {
    const at = (point * peaks.channels + channel) * 2;
    return Math.max(Math.abs(peaks.data[at] ?? 0), Math.abs(peaks.data[at + 1] ?? 0)) > quiet;
  };
  return regions.map((region) => {
    const channel = region.speaker === 'caller' || peaks.channels === 1 ? 0 : 1;
    const first = Math.floor(region.from * perSecond);
    let last = Math.min(peaks.length, Math.ceil(region.to * perSecond)) - 1;
    while (last > first && !isHeard(last, channel)) last -= 1;
    return { ...region, to: Math.min(region.to, (last + 1) / perSecond) };
  });
}
