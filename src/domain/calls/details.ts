import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { findCall, findRecord, listAttempts, type AttemptRow } from '../../store/history.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { MediaStats } from '../../voice/ports.ts';
import type { TranscriptLine, TurnLatency } from '../../voice/turn/types.ts';
import { toCredits } from '../credits/price.ts';
import { toLatency, toNetwork } from './call-quality.ts';
import { toCallRecord, type RecordingLink } from './call-record.ts';
import { attemptRecordingUrl } from './recording-link.ts';

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
  // Another attempt may have followed the one that talked.
  const talked = attempts.find(({ attempt }) => attempt === record?.attempt) ?? call;
  const answeredAt = isOfAnother(record) ? null : (talked.answered_at?.getTime() ?? null);
  const media = (record?.media ?? null) as (MediaStats & { transfers?: readonly MediaStats[] }) | null;
  const transcript = record?.transcript as unknown as readonly TranscriptLine[] | null | undefined;
  return {
    ...toCallRecord(call, workspaceId, deps.link),
    transcription_url: transcript == null ? null : JSON.stringify(toTranscript(transcript, answeredAt)),
    transcript_partial: record?.transcript_partial ?? false,
    recording_duration: record?.recording_ms == null ? null : record.recording_ms / 1000,
    attempts: attempts.map((attempt) => ({
      ...toAttempt(attempt),
      recording_url: attempt.is_recorded
        ? attemptRecordingUrl(deps.link, workspaceId, call.id, attempt.attempt)
        : null,
    })),
    latency: toLatency((record?.latency ?? []) as unknown as readonly TurnLatency[], media),
    network: media === null ? null : toNetwork(media),
    transfer_network: (media?.transfers ?? []).map(toNetwork),
    first_utterance_seconds: record?.first_utterance_ms == null ? null : record.first_utterance_ms / 1000,
    interruptions: record?.interruptions ?? 0,
    tool_call_logs: [...(record?.tool_log ?? [])],
    erased_at: record?.erased_at?.toISOString() ?? null,
    ...(withAnalysis ? analyses(record?.platform_analysis ?? null, record?.client_analysis ?? null) : {}),
  };
}

/** The recording is of a later attempt than the words: that one was cut off before its own were written. */
function isOfAnother(record: { attempt: number | null; recording_path: string | null } | undefined): boolean {
  const recorded = /-(\d+)\.wav$/.exec(record?.recording_path ?? '')?.[1];
  return record?.attempt != null && recorded !== undefined && Number(recorded) !== record.attempt;
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

/** Seconds from one moment to another; null where either is not known. */
const between = (from: Date | null, to: Date | null): number | null =>
  from === null || to === null ? null : Math.max(0, to.getTime() - from.getTime()) / 1000;

function toAttempt(attempt: AttemptRow) {
  const startedAt = attempt.dialed_at ?? attempt.claimed_at;
  return {
    attempt_number: attempt.attempt,
    started_at: startedAt.toISOString(),
    ringing_at: attempt.ringing_at?.toISOString() ?? null,
    answered_at: attempt.answered_at?.toISOString() ?? null,
    ended_at: attempt.ended_at?.toISOString() ?? null,
    status: attempt.status,
    sub_status: attempt.sub_status,
    sip_code: attempt.sip_code,
    sip_call_id: attempt.sip_call_id,
    reason: attempt.reason,
    // Until somebody answered or the ringing ended.
    ring_seconds: between(attempt.ringing_at, attempt.answered_at ?? attempt.ended_at),
    setup_seconds: between(attempt.dialed_at, attempt.ringing_at ?? attempt.answered_at),
    cost: toCredits(attempt.cost),
    duration: attempt.duration_ms === null ? null : attempt.duration_ms / 1000,
  };
}
