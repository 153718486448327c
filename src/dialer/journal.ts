import { endProcessing } from '../domain/calls/end-processing.ts';
import { tellRinging } from '../domain/calls/tell-ringing.ts';
import { appendEvent } from '../domain/webhooks/events.ts';
import { noConversation } from '../domain/webhooks/completed.ts';
import type { Clock } from '../shared/clock.ts';
import {
  holdLane,
  holdNode,
  journalAnswered,
  journalDialing,
  journalRedialing,
  type AttemptRef,
  type LaneGate,
  type Ringing,
} from '../store/attempts.ts';
import { lockCall, type CallFacts } from '../store/call-facts.ts';
import type { Db, Tx } from '../store/database.ts';
import { isDoNotCall } from '../store/do-not-call.ts';
import { chargeAttempt, endAttempt, moveCall, releaseAttempt } from '../store/settlements.ts';
import { closingAfter, openingAfter, whyStopped } from './gate.ts';

export interface JournalDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export type DialDecision =
  | {
      readonly go: true;
      readonly at: number;
      /** No INVITE may leave from then on: the window closes, or the campaign is over. Null: no such moment is near. */
      readonly inviteUntil: number | null;
      /** Nobody may ring from then on: the window closes. */
      readonly ringUntil: number | null;
    }
  /**
   * Nothing may be sent. `gone`: the attempt is no longer this node's. `fenced`: this node is taken for dead.
   * Otherwise the call went back to the queue (`window_closed`, `campaign_stopped`) or ended (`do_not_call`).
   */
  | {
      readonly go: false;
      readonly why: 'gone' | 'fenced' | 'window_closed' | 'campaign_stopped' | 'do_not_call';
    };

/**
 * The last gate, right before the INVITE: when it answers go, the attempt's journal row is committed with its
 * dialling time, so that no crash can lead to a second ring.
 */
export async function markDialing(
  deps: JournalDeps,
  ref: AttemptRef,
  sipCallId: string | null = null,
): Promise<DialDecision> {
  const decision = await passGate(deps, ref, {
    isDue: (call) => call.dialedAt === null,
    journal: async (tx, call, at) => {
      await journalDialing(tx, ref, sipCallId, at);
      await appendEvent(tx, { ...call, sipCallId }, { type: 'call_started', attempt: ref.attempt, at });
    },
  });
  if (!decision.go) await turnAway(deps, ref, decision.why);
  return decision;
}

/**
 * The same gate for an attempt that is journalled and whose INVITE leaves later than its word holds, or once more with
 * credentials. Turned away it stays as it is: the process that asks knows what has left.
 */
export const markRedialing = (deps: JournalDeps, ref: AttemptRef): Promise<DialDecision> =>
  passGate(deps, ref, {
    isDue: (call) => call.dialedAt !== null && call.answeredAt === null && !call.noRetry,
    journal: (tx, _call, at) => journalRedialing(tx, ref, at),
  });

function passGate(
  deps: JournalDeps,
  ref: AttemptRef,
  step: {
    readonly isDue: (call: CallFacts) => boolean;
    readonly journal: (tx: Tx, call: CallFacts, at: Date) => Promise<void>;
  },
): Promise<DialDecision> {
  return deps.db.transaction().execute(async (tx): Promise<DialDecision> => {
    if (!(await holdNode(tx, ref.nodeId))) return { go: false, why: 'fenced' };
    const lane = await holdLane(tx, ref);
    const call = await ours(tx, ref);
    if (call === null || !step.isDue(call)) return { go: false, why: 'gone' };
    const now = deps.clock.now();
    if (lane?.doNotCall === true || (await isDoNotCall(tx, ref.workspaceId, call.toNumber))) {
      return { go: false, why: 'do_not_call' };
    }
    const endAt = lane?.endAt?.getTime() ?? null;
    if (lane !== null && isStopped(lane, now)) return { go: false, why: 'campaign_stopped' };
    const ringUntil = closingAfter(call.versionConfig, call.callConfig, call.toNumber, now);
    if (ringUntil === now) return { go: false, why: 'window_closed' };
    await step.journal(tx, call, new Date(now));
    const inviteUntil = endAt === null ? ringUntil : Math.min(endAt, ringUntil ?? endAt);
    return { go: true, at: now, inviteUntil, ringUntil };
  });
}

const isStopped = ({ isOwn, state, endAt }: LaneGate, now: number): boolean =>
  isOwn
    ? state !== 'ongoing' || (endAt !== null && endAt.getTime() <= now)
    : whyStopped({ state, endAt: endAt?.getTime() ?? null }, now) !== null;

/** A window that has come to be never open ends the call at its next claim. */
const openingOf = (call: CallFacts, now: number): number | null =>
  openingAfter(call.versionConfig, call.callConfig, call.toNumber, now);

/**
 * Undoes the claim of a call that the gate has turned away. In a transaction of its own: it changes the workspace's
 * row, which nobody may wait for who holds a campaign's.
 */
async function turnAway(
  deps: JournalDeps,
  ref: AttemptRef,
  why: Extract<DialDecision, { go: false }>['why'],
): Promise<void> {
  if (why === 'gone' || why === 'fenced') return;
  await deps.db.transaction().execute(async (tx) => {
    const call = await ours(tx, ref);
    if (call === null || call.dialedAt !== null) return;
    const now = deps.clock.now();
    const at = new Date(now);
    if (why === 'do_not_call') return skip(tx, call, at);
    const isClosed = why === 'window_closed';
    const dueAt = new Date(isClosed ? (openingOf(call, now) ?? now) : now);
    await releaseAttempt(tx, call, { subStatus: isClosed ? 'WINDOW_CLOSED' : 'QUEUED', dueAt, at });
  });
}

/** The far side rings. False when the attempt is no longer this node's. */
export function markRinging(deps: JournalDeps, ref: AttemptRef, ringing: Ringing): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const call = await ours(tx, ref);
    if (call === null || call.answeredAt !== null) return false;
    await tellRinging(tx, call, ref, ringing);
    return true;
  });
}

/**
 * The far side answered, after a ringing that may still be to be told. False when the attempt is no longer this
 * node's: then the leg must be hung up.
 */
export function markAnswered(
  deps: JournalDeps,
  ref: AttemptRef,
  info: { readonly at: number; readonly missedRinging?: Ringing | null },
): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const call = await ours(tx, ref);
    if (call === null) return false;
    // Told before: talk time counts from the first word of it.
    if (call.answeredAt !== null) return true;
    if (info.missedRinging != null) await tellRinging(tx, call, ref, info.missedRinging);
    const at = new Date(info.at);
    await journalAnswered(tx, ref, at);
    const after = { ...call, subStatus: 'ACCEPTED' };
    await appendEvent(tx, after, { type: 'call_ongoing', attempt: ref.attempt, at });
    return true;
  });
}

/** Puts a claimed call back whose INVITE has not left (no port, node drains). False when it is no longer ours. */
export function releaseClaim(deps: JournalDeps, ref: AttemptRef, again: Again): Promise<boolean> {
  return giveBack(deps, ref, again, (call) => call.dialedAt === null);
}

/**
 * The same for a call that is journalled as dialled: only the process that was to send its INVITE knows that it has
 * not. Its call_started stays the attempt's, which is made again under the same number. False too for one that is not
 * to be tried again.
 */
export function releaseUnsent(deps: JournalDeps, ref: AttemptRef, again: Again): Promise<boolean> {
  return giveBack(deps, ref, again, (call) => !call.noRetry);
}

interface Again {
  readonly subStatus: string;
  readonly dueAt: number;
}

function giveBack(
  deps: JournalDeps,
  ref: AttemptRef,
  again: Again,
  mayGo: (call: CallFacts) => boolean,
): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const call = await ours(tx, ref);
    if (call === null || !mayGo(call)) return false;
    const at = new Date(deps.clock.now());
    const opening = openingOf(call, again.dueAt) ?? again.dueAt;
    const subStatus = opening > again.dueAt ? 'WINDOW_CLOSED' : again.subStatus;
    await releaseAttempt(tx, call, { subStatus, dueAt: new Date(opening), at });
    return true;
  });
}

/** The call, locked, while this attempt of it is live on this node; else null. */
async function ours(tx: Tx, ref: AttemptRef): Promise<CallFacts | null> {
  const call = await lockCall(tx, ref.workspaceId, ref.callId);
  const isOurs =
    call !== null && call.status === 'ongoing' && call.attempt === ref.attempt && call.nodeId === ref.nodeId;
  return isOurs ? call : null;
}

/** Ends an attempt whose callee was put on the do-not-call list after it was claimed. */
async function skip(tx: Tx, call: CallFacts, at: Date): Promise<void> {
  const none = { answeredAt: null, endedAt: at, durationMs: null };
  const subStatus = 'DND_SKIPPED';
  await endAttempt(tx, call.workspaceId, call.id, call.attempt, {
    ...none,
    subStatus,
    sipCallId: null,
    sipCode: null,
    reason: null,
    cost: 0,
  });
  await chargeAttempt(tx, call.workspaceId, call.id, call.attempt, {
    reserved: call.reserved,
    charge: 0,
    at,
  });
  await moveCall(tx, call.workspaceId, call.id, {
    ...none,
    status: 'failed',
    subStatus,
    charge: 0,
    hangupBy: null,
    retryAt: null,
  });
  const after: CallFacts = { ...call, status: 'failed', subStatus };
  const more = noConversation(call.createdAt);
  await appendEvent(tx, after, { type: 'call_completed', attempt: call.attempt, at, more });
  await endProcessing(tx, call.workspaceId, [after], at);
}
