import type { Clock } from '../../../shared/clock.ts';
import { storable } from '../../../shared/storable.ts';
import {
  holdCampaignOfCall,
  holdNode,
  journalDialing,
  journalRedialing,
  type AttemptRef,
  type CampaignGate,
  journalAnswered,
  type Ringing,
} from '../../../store/calls/attempts.ts';
import { lockCall, lockLiveAttempt, type CallFacts } from '../../../store/calls/facts.ts';
import type { Db, Tx } from '../../../store/database.ts';
import { isDoNotCall } from '../../../store/numbers/do-not-call.ts';
import type { ToolLogEntry } from '../../../voice/conversation.ts';
import { appendEvent } from '../../webhooks/events.ts';
import { closingAfter } from '../../call-windows/call-window.ts';
import { whyStopped } from '../campaign-hold.ts';
import { isUndialled, releaseLocked, storedStatus } from './release.ts';
import { endAttemptOf, type SettleDeps, recordRinging } from './settle.ts';
import type { StoredStatus } from './transitions.ts';

/**
 * Lifetime of a dial permit, measured from the request: an INVITE that leaves later needs a new one. A pause or
 * termination waits this long; after that no permitted INVITE can be on its way out (`stop-queued`).
 */
export const DIAL_PERMIT_MS = 800;

/** The limits of a dial permit beside its lifetime; epoch ms, null: no limit is near. */
export interface PermitLimits {
  /** No INVITE may leave from then on: the window closes or the campaign ends. */
  readonly inviteUntil: number | null;
  /** The phone must stop ringing then: the window closes. */
  readonly ringUntil: number | null;
}

/** `gone`: the attempt is no longer live on this node. `fenced`: other nodes took this one for dead. */
export type RefusalReason = 'gone' | 'fenced' | 'window_closed' | 'campaign_stopped' | 'do_not_call';

export type GateDecision =
  | ({ readonly go: true; readonly at: number } & PermitLimits)
  | { readonly go: false; readonly why: RefusalReason };

export type DialDecision =
  | ({ readonly go: true; readonly at: number } & PermitLimits)
  /** `stored` is the call's status after the refusal; null: no such call. */
  | { readonly go: false; readonly why: RefusalReason; readonly stored: StoredStatus | null };

/**
 * Passes the dial gate with a claimed attempt and journals it as dialing. After a refusal nothing may be sent: a call
 * whose window closed or whose campaign stopped is queued again, one on a do-not-call list has ended, and one that
 * this node no longer holds is left to its holder.
 */
export async function dial(
  deps: SettleDeps,
  ref: AttemptRef,
  before: { readonly sipCallId?: string; readonly toolLog?: readonly ToolLogEntry[] } = {},
): Promise<DialDecision> {
  const { sipCallId = null, toolLog = [] } = before;
  const decision = await passGate(deps, ref, {
    isDue: (call) => call.dialedAt === null,
    journal: async (tx, call, at) => {
      await journalDialing(tx, ref, sipCallId, at);
      await appendEvent(tx, { ...call, sipCallId }, { type: 'call_started', attempt: ref.attempt, at });
    },
  });
  if (decision.go) return decision;
  return { ...decision, stored: await refuse(deps, ref, decision.why, storable(toolLog)) };
}

/**
 * Passes the gate again for an attempt whose INVITE leaves after its permit expired, or a second time with
 * credentials. A refusal changes nothing: only the process that holds the attempt knows which INVITEs have left.
 */
export const redial = (deps: SettleDeps, ref: AttemptRef): Promise<GateDecision> =>
  passGate(deps, ref, {
    isDue: (call) => call.dialedAt !== null && call.answeredAt === null && !call.noRetry,
    journal: (tx, _call, at) => journalRedialing(tx, ref, at),
  });

/**
 * Ends or releases a refused attempt. A second transaction, because it updates the workspace's row, which must not be
 * taken while the gate holds a campaign (see `releaseLocked`). A crash between the two leaves a claim without a dial, which
 * the reaper releases.
 */
function refuse(
  deps: SettleDeps,
  ref: AttemptRef,
  why: RefusalReason,
  toolLog: readonly ToolLogEntry[],
): Promise<StoredStatus | null> {
  return deps.db.transaction().execute(async (tx) => {
    const call = why === 'gone' || why === 'fenced' ? null : await lockLiveAttempt(tx, ref);
    if (call === null || !isUndialled(call)) {
      return storedStatus(call ?? (await lockCall(tx, ref.workspaceId, ref.callId)));
    }
    const now = deps.clock.now();
    if (why !== 'do_not_call') {
      return storedStatus(await releaseLocked(tx, call, { subStatus: 'QUEUED', dueAt: now, toolLog }, now));
    }
    const { status, subStatus } = await endAttemptOf(tx, deps, call, {
      end: { kind: 'do_not_call' },
      endedAt: now,
      answeredAt: null,
      hangupBy: null,
      sipCallId: null,
      sipCode: null,
      reason: null,
      result: null,
      toolLog,
      recording: null,
    });
    return { status, subStatus };
  });
}

/**
 * The last check before an INVITE: node, campaign, do-not-call lists and calling window. `journal` runs in the same
 * transaction, so the permit exists only with its journal row: a crash after the commit can never lead to a second
 * ring.
 *
 * Lock order: node (share), campaign (share), call. Stopping a campaign takes its row exclusively: it waits for gates
 * under way, and every later gate sees the campaign stopped.
 */
function passGate(
  deps: { readonly db: Db; readonly clock: Clock },
  ref: AttemptRef,
  step: {
    readonly isDue: (call: CallFacts) => boolean;
    readonly journal: (tx: Tx, call: CallFacts, at: Date) => Promise<void>;
  },
): Promise<GateDecision> {
  return deps.db.transaction().execute(async (tx): Promise<GateDecision> => {
    if (!(await holdNode(tx, ref.nodeId))) return { go: false, why: 'fenced' };
    const campaign = await holdCampaignOfCall(tx, ref);
    const call = await lockLiveAttempt(tx, ref);
    if (call === null || !step.isDue(call)) return { go: false, why: 'gone' };
    const now = deps.clock.now();
    if (campaign?.doNotCall === true || (await isDoNotCall(tx, ref.workspaceId, call.toNumber))) {
      return { go: false, why: 'do_not_call' };
    }
    const endAt = campaign?.endAt?.getTime() ?? null;
    if (campaign !== null && isStopped(campaign, now)) return { go: false, why: 'campaign_stopped' };
    const ringUntil = closingAfter(call.versionConfig, call.callConfig, call.toNumber, now);
    if (ringUntil === now) return { go: false, why: 'window_closed' };
    await step.journal(tx, call, new Date(now));
    const inviteUntil = endAt === null ? ringUntil : Math.min(endAt, ringUntil ?? endAt);
    return { go: true, at: now, inviteUntil, ringUntil };
  });
}

const isStopped = ({ isOwn, state, endAt }: CampaignGate, now: number): boolean =>
  isOwn
    ? state !== 'ongoing' || (endAt !== null && endAt.getTime() <= now)
    : whyStopped({ state, endAt: endAt?.getTime() ?? null }, now) !== null;

interface ProgressDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Journals that the far side rings. False when the attempt is no longer live on its node, or was answered before. */
export function markRinging(deps: ProgressDeps, ref: AttemptRef, ringing: Ringing): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const call = await lockLiveAttempt(tx, ref);
    if (call === null || call.answeredAt !== null) return false;
    await recordRinging(tx, call, ref, ringing);
    return true;
  });
}

/**
 * Journals the answer, after a ringing that could not be written before (`missedRinging`). False when the attempt is no
 * longer live on its node: the leg must be hung up.
 */
export function markAnswered(
  deps: ProgressDeps,
  ref: AttemptRef,
  info: { readonly at: number; readonly missedRinging?: Ringing | null },
): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const call = await lockLiveAttempt(tx, ref);
    if (call === null) return false;
    // Talk time counts from the first answer written, so a repeat must not move it.
    if (call.answeredAt !== null) return true;
    if (info.missedRinging != null) await recordRinging(tx, call, ref, info.missedRinging);
    const at = new Date(info.at);
    await journalAnswered(tx, ref, at);
    const after = { ...call, subStatus: 'ACCEPTED' };
    await appendEvent(tx, after, { type: 'call_ongoing', attempt: ref.attempt, at });
    return true;
  });
}
