import type { LineSource } from '@callwright/turns';
import { toMos } from '../../wire/events/conversation.ts';
import type { CallDetails, MediaStats, PartName, TranscriptLine } from '../../domain/calls/details.ts';

/**
 * The waterfall of every turn in ms, and nearest-rank percentiles of the totals. The round trip is not part of a turn's
 * total: the caller's audio needs half of it to arrive, and the reply the other half.
 */
export function toLatency(
  turns: CallDetails['latencies'],
  media: MediaStats | null,
  transcript: readonly TranscriptLine[] = [],
) {
  const textAt = new Map(
    transcript.filter(({ role }) => role === 'agent').map(({ startedAt, text }) => [startedAt, text]),
  );
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
      first_audio_ms: turn.firstAudioMs ?? null,
      stt: toPart(turn.stt),
      llm: toPart(turn.llm),
      ...toLineSource(turn.spokenBy),
      tts: toPart(turn.tts),
      input_tokens: turn.inputTokens ?? null,
      cached_tokens: turn.cachedTokens ?? null,
      output_tokens: turn.outputTokens ?? null,
      characters: turn.characters ?? null,
      heard_characters: turn.heardCharacters ?? null,
      heard: heardText(turn.lines, textAt),
    })),
    p50_ms: rank(0.5),
    p95_ms: rank(0.95),
    max_ms: waits.at(-1) ?? null,
  };
}

/** Who gave a reply of a call; all null: no engine, or an earlier version stored it. */
export const toLineSource = (source?: LineSource) => ({
  engine: source?.engine ?? null,
  vendor: source?.vendor ?? null,
  model: source?.model ?? null,
  is_fallback: source?.isFallback ?? false,
  agent: source?.agent === undefined ? null : { agent_id: source.agent.id, agent_name: source.agent.name },
});

const toPart = (part: PartName | null | undefined) =>
  part == null ? null : { vendor: part.vendor, model: part.model };

/** The agent's words in the turn as far as they were heard; null: unknown, or erased. */
function heardText(lines: readonly number[] | undefined, textAt: ReadonlyMap<number, string>): string | null {
  const texts = (lines ?? []).flatMap((at) => textAt.get(at) ?? []);
  return texts.length === 0 ? null : texts.join(' ');
}

const round = (value: number): number => Math.round(value * 10) / 10;
const percent = (share: number): number => Math.round(share * 10_000) / 100;

/** RTP and RTCP statistics of a leg. */
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
    ...toMos(media.mos ?? null),
  };
}
