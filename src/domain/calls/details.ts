import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { findCall, findRecord, listAttempts, type AttemptRow } from '../../store/history.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { TranscriptLine, TurnLatency } from '../../voice/turn/types.ts';
import { toCallRecord, type RecordingLink } from './call-record.ts';

/**
 * Everything about one call (interface, GET /calling/call-details). Analyses come with `withAnalysis`, once they
 * have run. Throws 404 when the workspace has no such call.
 */
export async function readDetails(
  deps: { db: Db; link: RecordingLink },
  workspaceId: string,
  callId: string,
  withAnalysis: boolean,
) {
  const call = isUuid(callId) ? await findCall(deps.db, workspaceId, callId) : undefined;
  if (call === undefined) throw errors.callNotFound();
  const record = await findRecord(deps.db, workspaceId, call.id);
  const attempts = await listAttempts(deps.db, workspaceId, call.id);
  const transcript = record?.transcript as unknown as readonly TranscriptLine[] | null | undefined;
  return {
    ...toCallRecord(call, workspaceId, deps.link),
    transcription_url:
      transcript == null
        ? null
        : JSON.stringify(toTranscript(transcript, call.answered_at?.getTime() ?? null)),
    recording_duration: record?.recording_ms == null ? null : record.recording_ms / 1000,
    attempts: attempts.map(toAttempt),
    latency: toLatency((record?.latency ?? []) as unknown as readonly TurnLatency[]),
    first_utterance_seconds: record?.first_utterance_ms == null ? null : record.first_utterance_ms / 1000,
    interruptions: record?.interruptions ?? 0,
    tool_call_logs: [...(record?.tool_log ?? [])],
    ...(withAnalysis ? analyses(record?.platform_analysis ?? null, record?.client_analysis ?? null) : {}),
  };
}

const analyses = (platform: JsonObject | null, client: JsonObject | null) => ({
  ...(platform === null ? {} : { platform_analysis: platform }),
  ...(client === null ? {} : { client_analysis: client }),
});

/** One `{bot}` or `{user}` entry a line, with its time and its place in the recording. */
function toTranscript(lines: readonly TranscriptLine[], answeredAt: number | null) {
  return lines.map((line) => ({
    [line.role === 'agent' ? 'bot' : 'user']: line.text,
    timestamp: new Date(line.startedAt).toISOString(),
    audio_offset_ms: answeredAt === null ? null : Math.max(0, Math.round(line.startedAt - answeredAt)),
    interrupted: line.interrupted,
    by: line.by,
  }));
}

function toAttempt(attempt: AttemptRow) {
  return {
    attempt_number: attempt.attempt,
    started_at: (attempt.dialed_at ?? attempt.claimed_at).toISOString(),
    answered_at: attempt.answered_at?.toISOString() ?? null,
    ended_at: attempt.ended_at?.toISOString() ?? null,
    status: attempt.status,
    sub_status: attempt.sub_status,
    sip_code: attempt.sip_code,
    duration: attempt.duration_ms === null ? null : attempt.duration_ms / 1000,
  };
}

/** Waterfall of every turn in milliseconds, and nearest-rank percentiles of the whole waits. */
function toLatency(turns: readonly TurnLatency[]) {
  const waits = turns.map((turn) => turn.totalMs).sort((a, b) => a - b);
  const rank = (share: number): number | null => waits[Math.ceil(share * waits.length) - 1] ?? null;
  return {
    turns: turns.map((turn) => ({
      turn: turn.turn,
      endpointing_ms: turn.endpointingMs,
      recognition_ms: turn.recognitionMs,
      model_ms: turn.modelMs,
      voice_ms: turn.voiceMs,
      total_ms: turn.totalMs,
      prepared: turn.prepared,
    })),
    p50_ms: rank(0.5),
    p95_ms: rank(0.95),
    max_ms: waits.at(-1) ?? null,
  };
}
