import type { MediaStats } from '../../voice/ports.ts';
import type { TurnLatency } from '../../voice/turn/types.ts';

/**
 * Waterfall of every turn in milliseconds, and nearest-rank percentiles of the whole waits. The network's share lies
 * outside of a turn's total: what was said took half a round trip to arrive here, and the answer half of one back.
 */
export function toLatency(turns: readonly TurnLatency[], media: MediaStats | null) {
  const waits = turns.map((turn) => turn.totalMs).sort((a, b) => a - b);
  const rank = (share: number): number | null => waits[Math.ceil(share * waits.length) - 1] ?? null;
  const networkMs = media?.roundTripMs == null ? null : round(media.roundTripMs);
  return {
    turns: turns.map((turn) => ({
      turn: turn.turn,
      endpointing_ms: turn.endpointingMs,
      recognition_ms: turn.recognitionMs,
      model_ms: turn.modelMs,
      voice_ms: turn.voiceMs,
      network_ms: networkMs,
      total_ms: turn.totalMs,
      prepared: turn.prepared,
    })),
    p50_ms: rank(0.5),
    p95_ms: rank(0.95),
    max_ms: waits.at(-1) ?? null,
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
const percent = (share: number): number => Math.round(share * 10_000) / 100;

/** What RTP and RTCP told of the call's audio. */
export function toNetwork(media: MediaStats) {
  const expected = media.packetsReceived + media.packetsLost;
  return {
    codec: media.codec,
    packets_sent: media.packetsSent,
    packets_received: media.packetsReceived,
    packets_lost: media.packetsLost,
    loss_percent: expected === 0 ? 0 : percent(media.packetsLost / expected),
    packets_late: media.packetsLate,
    duplicates: media.duplicates,
    stray_packets: media.strayPackets,
    concealed_ms: Math.round(media.concealedMs),
    jitter_ms: round(media.jitterMs),
    round_trip_ms: media.roundTripMs === null ? null : round(media.roundTripMs),
    remote_loss_percent: media.remoteLossFraction === null ? null : percent(media.remoteLossFraction),
    remote_jitter_ms: media.remoteJitterMs === null ? null : round(media.remoteJitterMs),
  };
}
