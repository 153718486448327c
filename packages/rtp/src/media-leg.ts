import type { DtmfDigit, SampleRate } from '@callwright/audio';
import type { MosSummary } from './voice-quality.ts';

/** What a media leg delivers to and pulls from the conversation. Called on the audio path: no throw, no allocation. */
export interface MediaSink {
  /**
   * One decoded 20 ms frame from the far side, in order. `pcm` is reused after the call returns: copy to keep.
   * `timestamp` counts samples since the leg's first packet (unwrapped RTP time at the leg's rate).
   */
  onAudio(pcm: Int16Array, timestamp: number, concealed: boolean, at: number): void;
  /** Fills the next 20 ms to send; false: the leg sends silence. Called every 20 ms. */
  fill(out: Int16Array, at: number): boolean;
  onDtmf(digit: DtmfDigit, at: number): void;
  /** Words that the far side typed. Absent: nothing can be typed. */
  onText?(text: string, at: number): void;
  /** No valid packet for the leg's media timeout while the far side should send. */
  onMediaTimeout(at: number): void;
}

export interface MediaStats {
  codec: string;
  packetsSent: number;
  packetsReceived: number;
  packetsLost: number;
  packetsLate: number;
  duplicates: number;
  concealedMs: number;
  jitterMs: number;
  roundTripMs: number | null;
  /** What the far side reports of our stream by RTCP. */
  remoteLossFraction: number | null;
  remoteJitterMs: number | null;
  strayPackets: number;
  /** E-model MOS of both directions in intervals of five seconds; absent: the transport measures none. */
  mos?: { toUs: MosSummary | null; toFarSide: MosSummary | null };
}

/** The media of one leg, independent of its transport. */
export interface MediaLeg {
  readonly sampleRate: SampleRate;
  start(sink: MediaSink): void;
  sendDtmf(digits: readonly DtmfDigit[]): void;
  /** Has the far side drop what it has not played yet. Absent: it holds no more than its jitter buffer. */
  flush?(): void;
  /** Audio that was sent and that the far side has not played yet, ms. Absent: no more than its jitter buffer. */
  unplayedMs?(): number;
  stats(): MediaStats;
  close(): Promise<void>;
}
