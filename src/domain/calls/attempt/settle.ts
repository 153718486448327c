import type { ConversationProgress, ToolLogEntry } from '../../../voice/conversation.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { FailureReason } from '../../../shared/failure-reason.ts';
import { isMachineOutcome } from '../../../shared/machine-outcomes.ts';
import { storable } from '../../../shared/storable.ts';
import {
  type AttemptKey,
  type AttemptRef,
  type Ringing,
  chargeAttempt,
  endAttempt,
  moveCall,
  journalRinging,
} from '../../../store/calls/attempts.ts';
import { journalledCallback } from '../../../store/calls/callbacks.ts';
import { lockCall, lockLiveAttempt, type CallFacts } from '../../../store/calls/facts.ts';
import type { Db, Tx } from '../../../store/database.ts';
import { countAttempt } from '../../analytics/count-attempt.ts';
import { keepAnalyticsFolded } from '../../analytics/keep-folded.ts';
import { priceOf, type Rate } from '../../credits/price.ts';
import { queuePostCall } from '../../tools/post-call.ts';
import { conversationKeys, recordingKeys } from '../../../wire/events/conversation.ts';
import { appendEvent } from '../../webhooks/events.ts';
import { endProcessing } from '../end-processing.ts';
import { optOut } from '../opt-out.ts';
import {
  type RecordingDisk,
  type Recorded,
  keepRecording,
  findRecorded,
  recordingState,
} from '../recordings.ts';
import { resultOfEnding, type CallResult } from '../result.ts';
import { scheduleCallback } from '../schedule-callback.ts';
import { queueTrace } from '../trace.ts';
import { failureOf, nextStep, type NextStep, outcomeOf, type Ending } from './next-step.ts';
import { storedStatus } from './release.ts';
import { settleTransferLegs } from './transfer-charges.ts';
import { checkMove, isTerminal, type CallStatus, type StoredStatus } from './transitions.ts';
import type { AgentShare } from '../../../store/json/call-record.ts';
import { sharesOf } from '../agent-shares.ts';
import { appendToolLog, saveRecord } from '../../../store/calls/records.ts';
import { dropTalk, takeTalk } from '../../../store/calls/talk-journal.ts';

export interface SettleDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rate: Rate;
  /** The link under which a call's recording can be fetched. */
  readonly recordingUrl: (workspaceId: string, callId: string) => string;
  /** Destinations of ALLOWED_COUNTRIES; absent: all. */
  readonly countries?: readonly string[];
  /** Where traces of conversations are sent; null or absent: nowhere. */
  readonly traces?: object | null;
  /** The disk this process records on; absent: it has none. */
  readonly disk?: RecordingDisk;
}

export type Settlement = AttemptRef & Ending;

export type Settled =
  | {
      readonly settled: true;
      readonly status: CallStatus;
      readonly subStatus: string;
      readonly retryAt: Date | null;
    }
  /** The attempt was settled before: a repeat, or the reaper took this node for dead. `stored`: the call's status now. */
  | { readonly settled: false; readonly stored: StoredStatus | null };

/**
 * Ends an attempt in one transaction: journal, status, record, money, retry or final status, callback, events.
 * Idempotent: a caller that lost the answer repeats the call.
 */
export async function settleAttempt(deps: SettleDeps, settlement: Settlement): Promise<Settled> {
  // File repair and JSON work come first, so that no row lock waits for them.
  const recording = await findRecorded(deps.disk, settlement);
  const result = storable(settlement.result);
  const toolLog = storable(settlement.toolLog ?? []);
  return deps.db.transaction().execute(async (tx): Promise<Settled> => {
    const call = await lockLiveAttempt(tx, settlement);
    if (call === null) {
      const { workspaceId, callId } = settlement;
      return { settled: false, stored: storedStatus(await lockCall(tx, workspaceId, callId)) };
    }
    const next = await endAttemptOf(tx, deps, call, { ...settlement, result, toolLog, recording });
    return { settled: true, status: next.status, subStatus: next.subStatus, retryAt: next.retryAt };
  });
}

/** Ends the live attempt of a locked call: the only code that does. Lock order: call, workspace, campaign. */
export async function endAttemptOf(
  tx: Tx,
  deps: SettleDeps,
  call: CallFacts,
  s: Ending & { readonly recording: Recorded },
): Promise<NextStep> {
  const at = new Date(s.endedAt);
  const outcome = outcomeOf(s.end);
  const answeredAt = s.answeredAt === null ? call.answeredAt : new Date(s.answeredAt);
  const durationMs = answeredAt === null ? null : Math.max(0, s.endedAt - answeredAt.getTime());
  const transfer = await transferOf(tx, deps, call, s, answeredAt !== null);
  const charge = chargeOf(
    { ...call, reserved: call.reserved - transfer.reserved },
    durationMs ?? 0,
    deps.rate,
  );
  const cost = charge + transfer.charge;
  const optedOut = s.result?.optedOut === true || outcome.subStatus === 'OPTED_OUT';
  const now = Math.max(deps.clock.now(), s.endedAt);
  const next = nextStep(call, outcome, { optedOut, now, retryAfterMs: s.retryAfterMs ?? null });
  const failure = failureOf(s, outcome);
  const variables = storable(s.variables ?? {});
  checkMove('settle', call.status, next.status);
  const ref = { workspaceId: call.workspaceId, callId: call.id, attempt: call.attempt };

  await recordMissed(tx, call, ref, s);
  await endAttempt(tx, call.workspaceId, call.id, call.attempt, {
    subStatus: outcome.subStatus,
    sipCallId: s.sipCallId,
    sipCode: s.sipCode,
    reason: s.end.kind === 'not_answered' ? s.reason : (failure?.message ?? s.reason),
    failureCode: failure?.code ?? null,
    answeredAt,
    endedAt: at,
    durationMs,
    cost,
    sipMessages: storable(s.sipMessages ?? null),
  });
  const { reserved, byStranger } = call;
  const money = { reserved, charge, transfer: transfer.charge, byStranger, at };
  await chargeAttempt(tx, call.workspaceId, call.id, call.attempt, money);
  await moveCall(tx, call.workspaceId, call.id, {
    ...next,
    charge: cost,
    answeredAt,
    endedAt: at,
    durationMs,
    hangupBy: s.hangupBy,
    result: next.retryAt === null ? endingOf(call, s, durationMs) : null,
    variables,
  });
  const talk = await settledTalk(tx, call, s);
  const { agentId } = call;
  const { handovers = [] } = talk ?? {};
  const held = { agentId, handovers, answeredAt, endedAt: s.endedAt };
  const agents = sharesOf({ ...held, charge, transferCharge: transfer.charge });
  const toolLog = await keepTalk(tx, call, s, talk, at, agents);
  const isByPerson = durationMs !== null && !isMachineOutcome(outcome.subStatus);
  await countAttempt(tx, call, {
    durationMs: isByPerson ? durationMs : null,
    endedAt: at,
    latencies: talk?.latencies ?? [],
  });
  const recorded = {
    recording: s.recording,
    isCutOff: s.result === null,
    wasAnswered: answeredAt !== null,
  };
  await keepRecording(tx, deps.disk, call, recorded, at);
  const promisedAt =
    s.result === null
      ? (s.callbackAt ?? (await journalledCallback(tx, ref)))
      : (s.result.callback?.at ?? null);
  // A retry replaces the callback, and a call that was ended from outside gets none.
  if (promisedAt !== null && next.retryAt === null && !optedOut && !call.noRetry) {
    await scheduleCallback(tx, call, promisedAt, now, deps.countries);
  }
  const after: CallFacts = {
    ...call,
    args: { ...call.args, ...variables },
    status: next.status,
    subStatus: next.retryAt === null ? next.subStatus : outcome.subStatus,
    cost: call.cost + cost,
    sipCallId: s.sipCallId ?? call.sipCallId,
  };
  await appendEndEvents(tx, deps, after, s, { talk, toolLog, durationMs: durationMs ?? 0, failure, at, now });
  if (optedOut) await optOut(tx, call, at);
  // A call refused for the do-not-call list ends like one refused in the queue: without post-call tools.
  if (isTerminal(next.status) && s.end.kind !== 'do_not_call') await queuePostCall(tx, after, at);
  if (deps.traces != null && talk !== null) await queueTrace(tx, call, at);
  await keepAnalyticsFolded(tx, call.workspaceId, [call.id]);
  return next;
}

/** Writes the ringing of a locked call's attempt and its event. Idempotent. */
export async function recordRinging(
  tx: Tx,
  call: CallFacts,
  ref: AttemptKey,
  ringing: Ringing,
): Promise<void> {
  const at = new Date(ringing.at);
  await journalRinging(tx, ref, ringing.sipCode, at);
  const event = { type: 'call_ringing', attempt: ref.attempt, at } as const;
  await appendEvent(tx, { ...call, subStatus: 'RINGING' }, event);
}

/** The result of a call whose last attempt ended so; its analysis may find a better one. */
const endingOf = (call: CallFacts, { end, result }: Ending, durationMs: number | null): CallResult =>
  resultOfEnding({
    subStatus: outcomeOf(end).subStatus,
    isOutbound: call.callType === 'outbound',
    isDeclined: end.kind === 'not_answered' && end.failure === 'rejected',
    durationMs,
    answeredBy: result?.answeredBy?.kind ?? null,
  });

/** Writes steps that the live journal missed, so that receivers get every event of the attempt, in order. */
async function recordMissed(tx: Tx, call: CallFacts, ref: AttemptKey, s: Ending): Promise<void> {
  if (s.missedRinging != null) await recordRinging(tx, call, ref, s.missedRinging);
  if (s.answeredAt !== null && call.answeredAt === null) {
    const at = new Date(s.answeredAt);
    const answered = { ...call, subStatus: 'ACCEPTED', sipCallId: s.sipCallId ?? call.sipCallId };
    await appendEvent(tx, answered, { type: 'call_ongoing', attempt: call.attempt, at });
  }
}

/** Ends the legs of the attempt's warm transfers. Only an answered call has any. */
const transferOf = (
  tx: Tx,
  deps: SettleDeps,
  call: CallFacts,
  s: Ending,
  wasAnswered: boolean,
): Promise<{ charge: number; reserved: number }> =>
  wasAnswered
    ? settleTransferLegs(tx, call, { times: s.transferLegs ?? [], endedAt: s.endedAt, rate: deps.rate })
    : Promise.resolve({ charge: 0, reserved: 0 });

/** The price of the talk time, at most the amount locked at the claim: a call never costs more than was reserved. */
function chargeOf(call: CallFacts, durationMs: number, rate: Rate): number {
  return Math.min(priceOf(durationMs, rate), call.reserved);
}

async function appendEndEvents(
  tx: Tx,
  deps: SettleDeps,
  call: CallFacts,
  s: Ending & { readonly recording: Recorded },
  end: {
    readonly talk: ConversationProgress | null;
    readonly toolLog: readonly ToolLogEntry[];
    readonly durationMs: number;
    readonly failure: FailureReason | null;
    readonly at: Date;
    readonly now: number;
  },
): Promise<void> {
  const { at, talk, toolLog } = end;
  const conversation = conversationKeys({
    calledOn: call.dialedAt ?? call.createdAt,
    durationMs: end.durationMs,
    transcript: talk?.transcript ?? [],
    audioStartedAt: s.recording === null ? null : s.answeredAt,
    latencies: talk?.latencies ?? [],
    firstUtteranceMs: talk?.firstUtteranceMs ?? null,
    answeredBy: talk?.answeredBy ?? null,
    hangupBy: s.hangupBy,
    mos: s.result?.media?.mos ?? null,
    failure: end.failure,
  });
  await appendEvent(tx, call, {
    type: 'call_completed',
    attempt: call.attempt,
    at,
    toolLog,
    more: conversation,
  });
  const { recording } = s;
  const hasRecording = recording !== null && recordingState(recording) !== 'failed';
  // With an object store, `recording_completed` follows the upload: before it, other processes cannot read the file.
  if (hasRecording && deps.disk?.hasStore !== true) {
    const url = deps.recordingUrl(call.workspaceId, call.id);
    const more = recordingKeys(url, recording.durationMs);
    await appendEvent(tx, call, { type: 'recording_completed', attempt: call.attempt, at, toolLog, more });
  }
  if (isTerminal(call.status)) await endProcessing(tx, call.workspaceId, [call], at, end.now);
}

/** Whether an attempt that ends so may have been answered. */
export const mayHaveTalk = ({ kind }: Ending['end']): boolean =>
  kind === 'answered' || kind === 'crashed' || kind === 'stopped';

/** The conversation of the attempt that ends; null: none. Its talk journal is deleted in the same transaction. */
export async function settledTalk(tx: Tx, call: CallFacts, s: Ending): Promise<ConversationProgress | null> {
  if (!mayHaveTalk(s.end)) return null;
  const attempt = { workspaceId: call.workspaceId, callId: call.id, attempt: call.attempt };
  // A conversation that was cut off has no result; the journal is its only source.
  if (s.result === null) return joinedTalk(await takeTalk(tx, attempt));
  await dropTalk(tx, attempt);
  return s.result;
}

/** Joins the pieces of a talk journal; null without any. */
export function joinedTalk(pieces: readonly string[]): ConversationProgress | null {
  const parts = pieces.map((piece) => JSON.parse(piece) as ConversationProgress);
  const last = parts.at(-1);
  if (last === undefined) return null;
  return {
    transcript: parts.flatMap(({ transcript }) => transcript),
    latencies: parts.flatMap(({ latencies }) => latencies),
    toolLog: parts.flatMap(({ toolLog }) => toolLog),
    interruptions: last.interruptions,
    firstUtteranceMs: last.firstUtteranceMs,
    recordingPauses: last.recordingPauses ?? [],
    turns: [...new Map(parts.flatMap(({ turns = [] }) => turns.map((turn) => [turn.turn, turn]))).values()],
    usage: last.usage ?? [],
    ...(last.handovers === undefined ? {} : { handovers: last.handovers }),
    faults: last.faults ?? [],
    answeredBy: last.answeredBy ?? null,
  };
}

/**
 * Stores the talk as the call's record and returns the attempt's tool log. A cut-off attempt without any talk adds its
 * tools to the record of an earlier attempt and leaves the rest of that record alone.
 */
export async function keepTalk(
  tx: Tx,
  call: CallFacts,
  s: Ending,
  talk: ConversationProgress | null,
  at: Date,
  agents: readonly AgentShare[] | null,
): Promise<readonly ToolLogEntry[]> {
  const toolLog = talk?.toolLog ?? s.toolLog ?? [];
  if (talk === null || (s.result === null && talk.transcript.length === 0)) {
    await appendToolLog(tx, call.workspaceId, call.id, toolLog, at);
    return toolLog;
  }
  const { result } = s;
  const recording = result?.recording ?? null;
  const record = {
    attempt: call.attempt,
    isPartial: result === null,
    transcript: talk.transcript,
    latency: measuredTurns(talk),
    usage: talk.usage ?? [],
    agents,
    faults: talk.faults ?? [],
    toolLog: talk.toolLog,
    media: result === null || result.media === null ? null : { ...result.media, transfers: result.transfers },
    interruptions: talk.interruptions,
    firstUtteranceMs: talk.firstUtteranceMs,
    answeredBy: talk.answeredBy ?? null,
    recording:
      recording === null
        ? null
        : {
            path: recording.path,
            durationMs: recording.durationMs,
            bytes: recording.bytes,
            state: recordingState(recording),
          },
    recordingPauses: talk.recordingPauses ?? [],
    eventLog: result?.eventLog == null ? null : Buffer.from(result.eventLog, 'base64'),
  };
  await saveRecord(tx, call.workspaceId, call.id, record, at);
  return toolLog;
}

/** The latency of each turn with its measures. */
function measuredTurns({ latencies, turns = [] }: ConversationProgress): readonly object[] {
  const measures = new Map(turns.map((turn) => [turn.turn, turn]));
  return latencies.map((latency) => ({ ...latency, ...measures.get(latency.turn) }));
}
