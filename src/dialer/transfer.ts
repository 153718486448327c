import type { CallTransferTool } from '../store/json/tools.ts';
import { TOOL_SECONDS } from '../domain/tools/tool-types.ts';
import type { Log } from '../shared/log.ts';
import { type AttemptRef, holdNode } from '../store/calls/attempts.ts';
import type { OutboundLeg } from '@callwright/sip';
import type { ConversationResult } from '../voice/conversation.ts';
import type { ToolAnswer } from '../session/protocol.ts';
import { closeTransferLeg, transferLock } from '../domain/calls/attempt/transfer-charges.ts';
import type { Rate } from '../domain/credits/price.ts';
import { pacesOf, take, trunkCapacity, waitMs } from '../domain/trunks/capacity.ts';
import type { CapNotices } from '../domain/workspaces/cap-notices.ts';
import { capCapacity, noteStarts, type CapName } from '../domain/workspaces/caps.ts';
import { workspaceLimits } from '../domain/workspaces/limits.ts';
import { checkTransferTarget } from '../domain/workspaces/transfer-rules.ts';
import type { Clock } from '../shared/clock.ts';
import { lockLiveAttempt, type CallFacts } from '../store/calls/facts.ts';
import { lockWorkspace } from '../store/calls/inbound.ts';
import {
  answerTransferLeg,
  isTransferListed,
  journalTransferLeg,
  transferLegs,
  transferringCall,
  type TransferringCall,
} from '../store/calls/transfer-legs.ts';
import type { Db, Tx } from '../store/database.ts';
import { holdTrunks, limitedTrunks } from '../store/numbers/trunks.ts';
import type { TransferDeps } from './warm-transfer.ts';

export const ringMsOf = (tool: CallTransferTool): number =>
  (tool.ring_timeout_seconds ?? TOOL_SECONDS.ring.preset) * 1000;

/**
 * Cold transfer: after the dial gate the far side calls the target itself (REFER). On failure the caller stays with the
 * agent. Never rejects.
 */
export async function coldTransfer(
  deps: {
    readonly log: Log;
    /** The dial gate of a cold transfer, right before its REFER. */
    permitRefer(ref: AttemptRef, trunkId: string, to: string): Promise<ReferPermit>;
  },
  call: {
    readonly ref: AttemptRef;
    readonly trunkId: string;
    readonly leg: Pick<OutboundLeg, 'refer'> | null;
  },
  tool: CallTransferTool,
): Promise<ToolAnswer> {
  const { ref, trunkId, leg } = call;
  if (leg === null) return failed('the call is not up');
  const permit = await deps.permitRefer(ref, trunkId, tool.transfer_to).catch((error: unknown) => {
    deps.log.error({ err: error, callId: ref.callId }, 'the dial gate of a transfer failed');
    return { go: false as const, reason: 'the dial gate is not available' };
  });
  if (!permit.go) return failed(permit.reason);
  const { transferred, sipCode, reason } = await leg.refer(tool.transfer_to, ringMsOf(tool));
  if (!transferred) return { ok: false, result: { status: 'failed', sip_code: sipCode, reason } };
  return { ok: true, result: { status: 'transferred', sip_code: sipCode }, ends: 'CALL_TRANSFERRED' };
}

const failed = (reason: string): ToolAnswer => ({ ok: false, result: { status: 'failed', reason } });

/** The tool that transferred the caller, and its answer. */
export interface Transferred {
  readonly name: string;
  readonly answer: ToolAnswer;
}

/**
 * The result of a conversation that ended with a transfer. The far side may hang up before the conversation learns that
 * the transfer succeeded, so USER_LEFT becomes CALL_TRANSFERRED; the talk time of a warm transfer (`warm`) is known
 * only at the end. Pure.
 */
export function afterTransfer(
  result: ConversationResult,
  done: Transferred | null,
  warm: ToolAnswer | null,
): ConversationResult {
  if (done === null || (warm === null && result.reason !== 'USER_LEFT')) return result;
  const { ok, result: outcome } = warm ?? done.answer;
  const last = result.toolLog.findLastIndex((use) => use.name === done.name);
  const toolLog = result.toolLog.map((use, index) =>
    index === last ? { ...use, ok, result: outcome } : use,
  );
  const reason = result.reason === 'USER_LEFT' ? 'CALL_TRANSFERRED' : result.reason;
  return { ...result, reason, toolLog };
}

export type ReferPermit = { readonly go: true } | { readonly go: false; readonly reason: string };

export type TransferPermit =
  | {
      readonly go: true;
      readonly from: string;
      readonly displayName: string | null;
      /** Number of the leg in the attempt. */
      readonly leg: number;
      /** The talk time that the locked credits cover; null: no limit. */
      readonly capMs: number | null;
    }
  | { readonly go: false; readonly reason: string }
  /** Only the trunk's pace refuses. */
  | { readonly go: 'later'; readonly waitMs: number };

const no = (reason: string): { readonly go: false; readonly reason: string } => ({ go: false, reason });

interface GateDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rate: Rate;
  readonly notices?: CapNotices;
  /** Destinations of ALLOWED_COUNTRIES; absent: all. */
  readonly countries?: readonly string[];
}

/** The rules that cold and warm transfers share: node, call, target and do-not-call lists. */
async function checkTransfer(
  tx: Tx,
  ref: AttemptRef,
  trunkId: string,
  to: string,
  countries: readonly string[] | undefined,
): Promise<{ go: true; call: TransferringCall; facts: CallFacts } | ReturnType<typeof no>> {
  if (!(await holdNode(tx, ref.nodeId))) return no('this process does not hold the call any more');
  const facts = await lockLiveAttempt(tx, ref);
  const call = facts === null ? null : await transferringCall(tx, ref, trunkId);
  if (facts === null || call === null) return no('the call is over');
  const { settings, trunkUri, ourNumber } = call;
  const rules = { settings, countries, trunkUris: trunkUri === null ? [] : [trunkUri], numbers: [ourNumber] };
  const verdict = checkTransferTarget(rules, to);
  if (!verdict.ok) return no(verdict.reason);
  if (await isTransferListed(tx, ref, verdict.target.numbers)) {
    return no('the number is on the do-not-call list');
  }
  return { go: true, call, facts };
}

/**
 * The dial gate of a cold transfer. It counts as a call of the minute, because the carrier dials it for the workspace;
 * see `attempt/transfer-charges` for why it costs nothing. Lock order: node (share), call, workspace.
 */
export function permitRefer(
  deps: GateDeps,
  ref: AttemptRef,
  trunkId: string,
  to: string,
): Promise<ReferPermit> {
  return deps.db.transaction().execute(async (tx) => {
    const checked = await checkTransfer(tx, ref, trunkId, to, deps.countries);
    if (!checked.go) return checked;
    const { caps } = workspaceLimits(checked.call.settings, deps.countries);
    if (caps.callsPerMinute === null) return { go: true };
    const now = deps.clock.now();
    const balance = await lockWorkspace(tx, ref.workspaceId);
    if (balance === null) return no('the workspace is gone');
    const free = await capCapacity(tx, { id: ref.workspaceId, ...balance }, caps, deps.rate, now);
    if (free.exhausted === 'calls_per_minute') return capReached(deps, ref, free.exhausted);
    await noteStarts(tx, ref.workspaceId, caps, 1, now);
    return { go: true };
  });
}

/**
 * The dial gate of a warm transfer's second leg: the rules of every transfer, the caps and the balance of the workspace,
 * and the trunk's channels and pace. A permitted leg is in the database with its locked credits, and counts as a channel
 * of its trunk. Lock order: node (share), call, workspace, trunk.
 */
export function permitTransfer(
  deps: GateDeps,
  ref: AttemptRef,
  trunkId: string,
  to: string,
): Promise<TransferPermit> {
  return deps.db.transaction().execute(async (tx) => {
    const checked = await checkTransfer(tx, ref, trunkId, to, deps.countries);
    if (!checked.go) return checked;
    const { call, facts } = checked;
    const now = deps.clock.now();
    const { caps } = workspaceLimits(call.settings, deps.countries);
    const balance = await lockWorkspace(tx, ref.workspaceId);
    if (balance === null) return no('the workspace is gone');
    const free = await capCapacity(tx, { id: ref.workspaceId, ...balance }, caps, deps.rate, now);
    if (free.exhausted !== null) return capReached(deps, ref, free.exhausted);
    const available = Math.min(balance.credits - balance.lockedCredits, free.credits);
    const lock = transferLock(facts, await transferLegs(tx, ref), available, deps.rate, now);
    if (lock === null) return no('the credits of the workspace do not cover the transfer');
    // Trunk rows are the contention point between workspaces, so they are locked last.
    await holdTrunks(tx, [trunkId]);
    const trunks = await limitedTrunks(tx, [trunkId]);
    if (trunks.some(({ pausedUntil }) => pausedUntil !== null && pausedUntil > now))
      return no('the carrier takes no new calls now');
    if ((trunkCapacity(trunks, new Map()).get(trunkId) ?? 0) < 1)
      return no('every line of the trunk is in use');
    const pace = pacesOf(trunks, now).get(trunkId) ?? null;
    if (pace !== null && waitMs(pace) > 0) return { go: 'later', waitMs: waitMs(pace) };
    const after = pace === null ? null : take(pace, 1);
    const spent = after === null ? null : { tokens: after.tokens, at: new Date(after.at) };
    const start = { trunkId, reserved: lock.amount, pace: spent, at: new Date(now) };
    const leg = await journalTransferLeg(tx, ref, start);
    await noteStarts(tx, ref.workspaceId, caps, 1, now);
    return { go: true, from: call.ourNumber, displayName: call.displayName, leg, capMs: lock.capMs };
  });
}

const CAP_REASONS: Readonly<Record<CapName, string>> = {
  calls_per_minute: 'the workspace has started as many calls as it may start in a minute',
  credits_per_day: 'the workspace has spent what it may spend in a day',
};

function capReached(deps: GateDeps, ref: AttemptRef, cap: CapName): ReturnType<typeof no> {
  deps.notices?.note(deps.db, ref.workspaceId, cap);
  return no(CAP_REASONS[cap]);
}

/** The gates of transfers and the journal of their legs. A leg that a write misses is made up for by the settlement. */
export function transferJournal(
  deps: GateDeps & { readonly log: Log },
): Pick<TransferDeps, 'permit' | 'permitRefer' | 'legAnswered' | 'legEnded'> {
  const missed = (callId: string, step: string) => (error: unknown) =>
    deps.log.warn(
      { err: error, callId, step },
      'a transfer leg was not journalled; the settlement makes up for it',
    );
  return {
    permit: (ref, trunkId, to) => permitTransfer(deps, ref, trunkId, to),
    permitRefer: (ref, trunkId, to) => permitRefer(deps, ref, trunkId, to),
    legAnswered: (ref, leg, at) =>
      answerTransferLeg(deps.db, ref, leg, new Date(at)).catch(missed(ref.callId, 'answer')),
    legEnded: (ref, times) => closeTransferLeg(deps, ref, times).catch(missed(ref.callId, 'end')),
  };
}
