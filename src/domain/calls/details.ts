import type { CallFault, RecordingPause, ToolLogEntry } from '../../voice/conversation.ts';
import type { Evaluation, StoredFeedback } from '../../store/json/call-record.ts';
import { errors } from '../../errors.ts';
import type { AnsweredBy, TranscriptLine, TurnLatency } from '@callwright/turns';
import { storedFailure, type FailureReason } from '../../shared/failure-reason.ts';
import { isUuid } from '../../shared/ids.ts';
import { audioStartOf } from '../../shared/transcript-entry.ts';
import { listAttempts, type AttemptRow } from '../../store/calls/attempts.ts';
import { findFollowUp, type FollowUp } from '../../store/calls/follow-ups.ts';
import { findCall } from '../../store/calls/history.ts';
import { listListeners, type Listening } from '../../store/calls/listeners.ts';
import { listFindings, type FindingRow } from '../../store/quality/checks.ts';
import { findScore, type StoredScore } from '../../store/quality/scorecards.ts';
import { findRecord } from '../../store/calls/records.ts';
import type { Db } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { PartName, TurnMeasure, VendorUse } from '../../voice/measures.ts';
import type { MediaStats } from '@callwright/rtp';
import type { SignedLinks } from '../links/signed-links.ts';
import { agentsOf, type CallAgent } from './agent-shares.ts';
import { callFailure } from './call-failure.ts';
import { toCallRecord, type CallRecord } from './call-record.ts';
import { readLadder, type LadderStep } from './sip-ladder.ts';
import { attemptRecordingUrl } from './recording-link.ts';

export type { MediaStats, PartName, TranscriptLine, TurnLatency, TurnMeasure, VendorUse };

export interface CallAttempt {
  readonly attempt: number;
  readonly claimedAt: Date;
  readonly dialedAt: Date | null;
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  readonly status: AttemptRow['status'];
  readonly subStatus: string | null;
  readonly sipCode: number | null;
  readonly sipCallId: string | null;
  readonly reason: string | null;
  readonly failure: FailureReason | null;
  readonly sipMessages: readonly LadderStep[];
  /** Micro-credits. */
  readonly cost: number;
  readonly durationMs: number | null;
  readonly recordingUrl: string | null;
}

export interface CallDetails {
  readonly call: CallRecord;
  /** Null: the call did not fail, or is not over. */
  readonly failure: FailureReason | null;
  readonly transcript: readonly TranscriptLine[] | null;
  /** The zero point of the transcript's audio offsets, in ms since the epoch; null: there are no offsets. */
  readonly audioStartedAt: number | null;
  readonly isTranscriptPartial: boolean;
  readonly recordingMs: number | null;
  /** Stretches of the recording that were left silent. */
  readonly recordingPauses: readonly RecordingPause[];
  readonly attempts: readonly CallAttempt[];
  /** Records of earlier versions have no measures. */
  readonly latencies: readonly (TurnLatency & Partial<TurnMeasure>)[];
  readonly usage: readonly VendorUse[];
  /** Those that had the call, its first one first. */
  readonly agents: readonly CallAgent[];
  /** What went wrong at vendors. */
  readonly faults: readonly CallFault[];
  readonly media: MediaStats | null;
  /** Media statistics of answered transfer legs. */
  readonly transferMedia: readonly MediaStats[];
  readonly firstUtteranceMs: number | null;
  /** Null: not decided, or the agent did not listen for machines. */
  readonly answeredBy: AnsweredBy | null;
  readonly interruptions: number;
  /** Null: nobody marked the call as done. */
  readonly followUp: FollowUp | null;
  /** Null: the detectors have not read the call. */
  readonly findings: readonly FindingRow[] | null;
  /** Null: the call was not scored. */
  readonly score: StoredScore | null;
  readonly toolLog: readonly ToolLogEntry[];
  /** The caller's rating of the call; null: none. */
  readonly feedback: StoredFeedback | null;
  /** Members of the workspace who listened to it live. */
  readonly listeners: readonly Listening[];
  readonly erasedAt: Date | null;
  readonly platformAnalysis: JsonObject | null;
  readonly clientAnalysis: JsonObject | null;
  /** Null: the agent had no criteria, or the analysis has not run. */
  readonly evaluations: readonly Evaluation[] | null;
}

/** Reads everything about one call (interface, GET /calling/call-details). Throws 404. */
export async function readDetails(
  deps: { db: Db; link: SignedLinks },
  workspaceId: string,
  callId: string,
): Promise<CallDetails> {
  const call = isUuid(callId) ? await findCall(deps.db, workspaceId, callId) : undefined;
  if (call === undefined) throw errors.callNotFound();
  const record = await findRecord(deps.db, workspaceId, call.id);
  const listeners = await listListeners(deps.db, workspaceId, call.id);
  const followUp = await findFollowUp(deps.db, workspaceId, call.id);
  const findings = await listFindings(deps.db, workspaceId, call.id);
  const score = await findScore(deps.db, workspaceId, call.id);
  const attempts = await listAttempts(deps.db, workspaceId, call.id);
  // The attempt with the conversation need not be the last one.
  const conversation = attempts.find(({ attempt }) => attempt === record?.attempt) ?? call;
  const media = (record?.media ?? null) as (MediaStats & { transfers?: readonly MediaStats[] }) | null;
  return {
    call: toCallRecord(call, workspaceId, deps.link),
    failure: failureOf(call, attempts.at(-1)),
    transcript: record?.transcript ?? null,
    audioStartedAt: audioStartOf(record, conversation.answeredAt),
    isTranscriptPartial: record?.transcriptPartial ?? false,
    recordingMs: record?.recordingMs ?? null,
    recordingPauses: record?.recordingPauses ?? [],
    attempts: attempts.map((row) => toAttempt(row, workspaceId, call.id, deps.link)),
    latencies: record?.latency ?? [],
    usage: record?.usage ?? [],
    agents: agentsOf(call, record?.agents ?? [], record?.usage ?? []),
    faults: record?.vendorFaults ?? [],
    media,
    transferMedia: media?.transfers ?? [],
    firstUtteranceMs: record?.firstUtteranceMs ?? null,
    answeredBy: record?.answeredBy ?? null,
    interruptions: record?.interruptions ?? 0,
    followUp,
    findings,
    score,
    toolLog: record?.toolLog ?? [],
    feedback: record?.feedback ?? null,
    listeners,
    erasedAt: record?.erasedAt ?? null,
    platformAnalysis: record?.platformAnalysis ?? null,
    clientAnalysis: record?.clientAnalysis ?? null,
    evaluations: record?.evaluations ?? null,
  };
}

const failureOf = (
  call: { readonly status: string; readonly subStatus: string },
  last: AttemptRow | undefined,
): FailureReason | null =>
  callFailure({
    status: call.status,
    subStatus: call.subStatus,
    last:
      last === undefined
        ? null
        : { failureCode: last.failureCode, reason: last.reason, sipCode: last.sipCode },
  });

const toAttempt = (row: AttemptRow, workspaceId: string, callId: string, link: SignedLinks): CallAttempt => ({
  attempt: row.attempt,
  claimedAt: row.claimedAt,
  dialedAt: row.dialedAt,
  ringingAt: row.ringingAt,
  answeredAt: row.answeredAt,
  endedAt: row.endedAt,
  status: row.status,
  subStatus: row.subStatus,
  sipCode: row.sipCode,
  sipCallId: row.sipCallId,
  reason: row.reason,
  failure: storedFailure({ failureCode: row.failureCode, reason: row.reason, sipCode: row.sipCode }),
  sipMessages: readLadder(row.sipMessages),
  cost: row.cost,
  durationMs: row.durationMs,
  recordingUrl: row.isRecorded ? attemptRecordingUrl(link, workspaceId, callId, row.attempt) : null,
});
