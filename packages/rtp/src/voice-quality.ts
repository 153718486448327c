import { mosOf, ratingOf } from './e-model.ts';

/** MOS of one direction over a call. */
export interface MosSummary {
  average: number;
  lowest: number;
  /** Intervals with audio. */
  samples: number;
}

/** Counters of a leg at the end of an interval. */
export interface QualityReading {
  /** Packets that came in time, since the start of the stream. */
  received: number;
  /** Packets missing at their playout time, since the start of the stream. */
  missing: number;
  packetMs: number;
  jitterMs: number;
  roundTripMs: number | null;
  /** The far side's reports of our stream so far, and the values of the last one. */
  reports: number;
  remoteLostShare: number;
  remoteJitterMs: number;
  /** Delay in the far side's device, jitter buffer included; null: not reported. */
  remoteDelayMs: number | null;
}

export interface VoiceQuality {
  toUs: MosSummary | null;
  toFarSide: MosSummary | null;
  received: number;
  missing: number;
  reports: number;
}

export const createVoiceQuality = (): VoiceQuality => ({
  toUs: null,
  toFarSide: null,
  received: 0,
  missing: 0,
  reports: 0,
});

/** A jitter buffer holds about twice the mean jitter. */
const BUFFERED_JITTERS = 2;

function withSample(summary: MosSummary | null, lostShare: number, delayMs: number): MosSummary {
  const mos = mosOf(ratingOf({ lostShare, delayMs }));
  if (summary === null) return { average: mos, lowest: mos, samples: 1 };
  const samples = summary.samples + 1;
  return {
    average: summary.average + (mos - summary.average) / samples,
    lowest: Math.min(summary.lowest, mos),
    samples,
  };
}

/**
 * Rates the interval since the last reading in both directions. An interval without a packet (silence suppression,
 * hold) has no rating to us, one without a report of the far side none to it.
 */
export function rateInterval(quality: VoiceQuality, reading: QualityReading): void {
  const received = reading.received - quality.received;
  const missing = reading.missing - quality.missing;
  const networkMs = (reading.roundTripMs ?? 0) / 2 + reading.packetMs;
  // Counters that fell belong to a new stream: its first interval is not whole.
  if (received >= 0 && missing >= 0 && received + missing > 0) {
    const delayMs = networkMs + BUFFERED_JITTERS * reading.jitterMs;
    quality.toUs = withSample(quality.toUs, missing / (received + missing), delayMs);
  }
  if (reading.reports > quality.reports) {
    const deviceMs = reading.remoteDelayMs ?? BUFFERED_JITTERS * reading.remoteJitterMs;
    quality.toFarSide = withSample(quality.toFarSide, reading.remoteLostShare, networkMs + deviceMs);
  }
  quality.received = reading.received;
  quality.missing = reading.missing;
  quality.reports = reading.reports;
}
