import type { Clock } from '../../shared/clock.ts';
import { storable } from '../../shared/storable.ts';
import type { AttemptRef, Ringing } from '../../store/attempts.ts';
import { journalledCallback } from '../../store/callbacks.ts';
import { lockCall, type CallFacts } from '../../store/call-facts.ts';
import { saveRecord, type CallRecord } from '../../store/call-records.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import { appendToolLog } from '../../store/tool-log.ts';
import { chargeAttempt, endAttempt, moveCall } from '../../store/settlements.ts';
import { keepAnalyticsFolded } from '../analytics/keep-folded.ts';
import { priceOf, type Rate } from '../credits/price.ts';
import { queuePostCall } from '../tools/post-call.ts';
import { asJson, type ToolLogEntry } from '../tools/tool-log.ts';
import { conversationKeys, recordingKeys } from '../webhooks/completed.ts';
import { appendEvent } from '../webhooks/events.ts';
import type { ConversationResult } from './conversation-result.ts';
import { endProcessing } from './end-processing.ts';
import { settledTalk, type Talk } from './journalled-talk.ts';
import { findRecorded, keepRecording, recordingState } from './keep-recording.ts';
import { nextStep } from './next-step.ts';
import { optOut } from './opt-out.ts';
import { outcomeOf, type AttemptEnd } from './outcome.ts';
import type { RecordingDisk } from './recordings.ts';
import { tellRinging } from './tell-ringing.ts';
import { scheduleCallback } from './schedule-callback.ts';
import { canMove, isTerminal, type CallStatus } from './transitions.ts';

export interface SettleDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rate: Rate;
  /** The link under which a call's recording can be fetched. */
  readonly recordingUrl: (workspaceId: string, callId: string) => string;
  /** The disk this process records on; absent: it has none. */
  readonly disk?: RecordingDisk;
}

interface Recorded extends Settlement {
  readonly recording: ConversationResult['recording'];
}

/** What the signalling and the conversation say about an ended attempt. Times in epoch ms. */
export interface Settlement extends AttemptRef {
  readonly end: AttemptEnd;
  readonly endedAt: number;
  /** Known to the signalling even when the journal could not be written; null: what the journal says. */
  readonly answeredAt: number | null;
  /** Set when it rang and the journal could not be written; absent: what the journal says. */
  readonly missedRinging?: Ringing | null;
  readonly hangupBy: 'caller' | 'agent' | 'system' | null;
  readonly sipCallId: string | null;
  readonly sipCode: number | null;
  readonly reason: string | null;
  /** Null when no conversation came to be, or the worker that held it is gone. */
  readonly result: ConversationResult | null;
  /** Tools used although no conversation came to be. */
  readonly toolLog?: readonly ToolLogEntry[];
  /** When the person was promised a call, of a conversation without a result; null: what the journal says. */
  readonly callbackAt?: number | null;
}

export type Settled =
  | {
      readonly settled: true;
      readonly status: CallStatus;
      readonly subStatus: string;
      readonly retryAt: Date | null;
    }
  /** Somebody settled this attempt before: a repeat, or a reaper that took this node for dead. */
  | { readonly settled: false };

/**
 * Ends an attempt in one transaction: journal, status, record, money, retry or final, events. Repeating it changes
 * nothing, so a caller that lost the answer just calls again.
 */
export async function settleAttempt(deps: SettleDeps, settlement: Settlement): Promise<Settled> {
  const recording = await findRecorded(deps.disk, settlement);
  const left = { result: storable(settlement.result), toolLog: storable(settlement.toolLog ?? []) };
  return deps.db.transaction().execute(async (tx) => {
    const call = await lockCall(tx, settlement.workspaceId, settlement.callId);
    if (
      call === null ||
      call.status !== 'ongoing' ||
      call.attempt !== settlement.attempt ||
      call.nodeId !== settlement.nodeId
    ) {
      return { settled: false };
    }
    return settleLocked(tx, deps, call, { ...settlement, ...left, recording });
  });
}

async function settleLocked(tx: Tx, deps: SettleDeps, call: CallFacts, s: Recorded): Promise<Settled> {
  const at = new Date(s.endedAt);
  const outcome = outcomeOf(s.end);
  const answeredAt = s.answeredAt === null ? call.answeredAt : new Date(s.answeredAt);
  const durationMs = answeredAt === null ? null : Math.max(0, s.endedAt - answeredAt.getTime());
  const charge = chargeOf(call, durationMs ?? 0, deps.rate);
  const optedOut = s.result?.optedOut === true || outcome.subStatus === 'OPTED_OUT';
  const now = Math.max(deps.clock.now(), s.endedAt);
  const next = nextStep(call, outcome, { optedOut, now });
  if (!canMove(call.status, next.status)) throw new Error(`call cannot move to ${next.status}`);

  await tellMissed(tx, call, s);
  await endAttempt(tx, call.workspaceId, call.id, call.attempt, {
    subStatus: outcome.subStatus,
    sipCallId: s.sipCallId,
    sipCode: s.sipCode,
    reason: s.reason,
    answeredAt,
    endedAt: at,
    durationMs,
    cost: charge,
  });
  await chargeAttempt(tx, call.workspaceId, call.id, call.attempt, { reserved: call.reserved, charge, at });
  await moveCall(tx, call.workspaceId, call.id, {
    ...next,
    charge,
    answeredAt,
    endedAt: at,
    durationMs,
    hangupBy: s.hangupBy,
  });
  const talk = await settledTalk(tx, s);
  const toolLog = asJson(talk?.toolLog ?? s.toolLog ?? []);
  // Without a word of its own, an attempt that was cut off leaves an earlier one's as they are.
  if (talk !== null && (s.result !== null || talk.transcript.length > 0)) {
    await saveRecord(tx, call.workspaceId, call.id, recordOf(call.attempt, talk, s.result), at);
  } else await appendToolLog(tx, call.workspaceId, call.id, toolLog, at);
  const recorded = {
    recording: s.recording,
    isCutOff: s.result === null,
    wasAnswered: answeredAt !== null,
  };
  await keepRecording(tx, deps.disk, call, recorded, at);
  const wishedAt = s.result === null ? await promisedAt(tx, s) : (s.result.callback?.at ?? null);
  // Nobody is rung twice for one wish: not where the call itself is tried again, nor after an end from outside.
  if (wishedAt !== null && next.retryAt === null && !optedOut && !call.noRetry) {
    await scheduleCallback(tx, call, wishedAt, now);
  }
  const after: CallFacts = {
    ...call,
    status: next.status,
    subStatus: next.retryAt === null ? next.subStatus : outcome.subStatus,
    cost: call.cost + charge,
    sipCallId: s.sipCallId ?? call.sipCallId,
  };
  await appendEvents(tx, deps, after, s, { talk, toolLog, durationMs: durationMs ?? 0, at, now });
  if (optedOut) await optOut(tx, call, at);
  if (isTerminal(next.status)) await queuePostCall(tx, after, at);
  await keepAnalyticsFolded(tx, call.workspaceId, [call.id]);
  return { settled: true, status: next.status, subStatus: next.subStatus, retryAt: next.retryAt };
}

const promisedAt = async (tx: Tx, s: Settlement): Promise<number | null> =>
  s.callbackAt ?? (await journalledCallback(tx, s));

/** What the journal missed is told now, before the end: a receiver hears of every step whatever could be written. */
async function tellMissed(tx: Tx, call: CallFacts, s: Settlement): Promise<void> {
  if (s.missedRinging != null) await tellRinging(tx, call, s, s.missedRinging);
  if (s.answeredAt !== null && call.answeredAt === null) {
    const at = new Date(s.answeredAt);
    const answered = { ...call, subStatus: 'ACCEPTED', sipCallId: s.sipCallId ?? call.sipCallId };
    await appendEvent(tx, answered, { type: 'call_ongoing', attempt: call.attempt, at });
  }
}

/** The price of the talk time, never above what was locked for it: that was the promise when the call was dialled. */
function chargeOf(call: CallFacts, durationMs: number, rate: Rate): number {
  if (call.unlimited && call.reserved === 0) return 0;
  const price = priceOf(durationMs, rate);
  return call.reserved > 0 ? Math.min(price, call.reserved) : price;
}

const mediaOf = (result: ConversationResult | null): CallRecord['media'] =>
  result === null || result.media === null ? null : { ...result.media, transfers: result.transfers };

function recordOf(attempt: number, talk: Talk, result: ConversationResult | null): CallRecord {
  const recording = result?.recording ?? null;
  return {
    attempt,
    isPartial: result === null,
    transcript: talk.transcript,
    latency: talk.latencies,
    toolLog: talk.toolLog,
    media: mediaOf(result),
    interruptions: talk.interruptions,
    firstUtteranceMs: talk.firstUtteranceMs,
    recording:
      recording === null
        ? null
        : {
            path: recording.path,
            durationMs: recording.durationMs,
            bytes: recording.bytes,
            state: recordingState(recording),
          },
  };
}

async function appendEvents(
  tx: Tx,
  deps: SettleDeps,
  call: CallFacts,
  s: Recorded,
  end: {
    readonly talk: Talk | null;
    readonly toolLog: readonly JsonObject[];
    readonly durationMs: number;
    readonly at: Date;
    readonly now: number;
  },
): Promise<void> {
  const { at, talk, toolLog } = end;
  const conversation = conversationKeys({
    calledOn: call.dialedAt ?? call.createdAt,
    durationMs: end.durationMs,
    transcript: talk?.transcript ?? [],
    latencies: talk?.latencies ?? [],
    firstUtteranceMs: talk?.firstUtteranceMs ?? null,
    hangupBy: s.hangupBy,
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
  // One that goes to a store is told of by who brings it there: before, other processes cannot read it.
  if (hasRecording && deps.disk?.hasStore !== true) {
    const url = deps.recordingUrl(call.workspaceId, call.id);
    const more = recordingKeys(url, recording.durationMs);
    await appendEvent(tx, call, { type: 'recording_completed', attempt: call.attempt, at, toolLog, more });
  }
  if (isTerminal(call.status)) await endProcessing(tx, call.workspaceId, [call], at, end.now);
}
