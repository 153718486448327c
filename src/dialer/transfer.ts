import type { CallTransferTool } from '../store/json/tools.ts';
import { TOOL_SECONDS } from '../domain/tools/tool-types.ts';
import type { Log } from '../shared/log.ts';
import { type AttemptRef, holdNode } from '../store/calls/attempts.ts';
import type { OutboundLeg } from '@callwright/sip';
import type { ConversationResult } from '../voice/conversation.ts';
import type { ToolAnswer } from '../session/protocol.ts';
import { enter, judge, type GateDeps, type Judgement } from '../domain/admission/gate.ts';
import {
  closeTransferLeg,
  referPrice,
  releaseRefer,
  transferTalkMs,
} from '../domain/calls/attempt/transfer-charges.ts';
import type { Rate } from '../domain/credits/price.ts';
import { pacesOf, take, trunkCapacity, waitMs } from '../domain/trunks/capacity.ts';
import { checkTransferTarget } from '../domain/workspaces/transfer-rules.ts';
import { lockLiveAttempt, type CallFacts } from '../store/calls/facts.ts';
import {
  answerTransferLeg,
  isTransferListed,
  journalRefer,
  journalTransferLeg,
  transferLegs,
  transferringCall,
  type TransferringCall,
} from '../store/calls/transfer-legs.ts';
import type { Tx } from '../store/database.ts';
import { holdTrunks, limitedTrunks } from '../store/numbers/trunks.ts';
import type { TransferDeps } from './warm-transfer.ts';

export const ringMsOf = (tool: CallTransferTool): number =>
  (tool.ringTimeoutSeconds ?? TOOL_SECONDS.ring.preset) * 1000;

export interface ColdTransfer {
  readonly answer: ToolAnswer;
  /** The far side refused the REFER, so it has not called the target: the service may call it itself. */
  readonly mayBridge: boolean;
}

/**
 * Cold transfer: after the dial gate the far side calls the target itself (REFER). On failure the caller stays with the
 * agent. Never rejects.
 */
export async function coldTransfer(
  deps: {
    readonly log: Log;
    /** The dial gate of a cold transfer, right before its REFER. */
    permitRefer(ref: AttemptRef, trunkId: string, to: string): Promise<ReferPermit>;
    /** Frees what a permitted cold transfer locked. Never rejects. */
    referFailed(ref: AttemptRef, leg: number): Promise<void>;
  },
  call: {
    readonly ref: AttemptRef;
    readonly trunkId: string;
    readonly leg: Pick<OutboundLeg, 'refer'> | null;
    /** Those of the call at its start, for the headers of the trunk. */
    readonly variables: Readonly<Record<string, string>>;
  },
  tool: CallTransferTool,
): Promise<ColdTransfer> {
  const { ref, trunkId, leg, variables } = call;
  if (leg === null) return { answer: failed('the call is not up'), mayBridge: false };
  const permit = await deps.permitRefer(ref, trunkId, tool.transferTo).catch((error: unknown) => {
    deps.log.error({ err: error, callId: ref.callId }, 'the dial gate of a transfer failed');
    return { go: false as const, reason: 'the dial gate is not available' };
  });
  if (!permit.go) return { answer: failed(permit.reason), mayBridge: false };
  const { transferred, accepted, sipCode, reason } = await leg.refer(
    tool.transferTo,
    ringMsOf(tool),
    variables,
  );
  if (!transferred) {
    if (permit.leg !== null) await deps.referFailed(ref, permit.leg);
    const answer = { ok: false, result: { status: 'failed', sip_code: sipCode, reason } };
    return { answer, mayBridge: !accepted };
  }
  return {
    answer: { ok: true, result: { status: 'transferred', sip_code: sipCode }, ends: 'CALL_TRANSFERRED' },
    mayBridge: false,
  };
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

export type ReferPermit =
  /** `leg`: the number of the transfer in the attempt; null: it costs nothing. */
  { readonly go: true; readonly leg: number | null } | { readonly go: false; readonly reason: string };

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

interface TransferGateDeps extends GateDeps {
  readonly rate: Rate;
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
 * The dial gate of a cold transfer: the rules of every transfer, and the caps and the balance of the workspace, because the
 * carrier dials it for the workspace. Lock order: node (share), call, workspace.
 */
export function permitRefer(
  deps: TransferGateDeps,
  ref: AttemptRef,
  trunkId: string,
  to: string,
): Promise<ReferPermit> {
  return deps.db.transaction().execute(async (tx) => {
    const checked = await checkTransfer(tx, ref, trunkId, to, deps.countries);
    if (!checked.go) return checked;
    const { facts } = checked;
    const price = { amount: referPrice(facts, deps.rate) };
    const { byStranger } = facts;
    const admission = await judge(tx, deps, ref.workspaceId, { kind: 'refer', price, byStranger });
    if (!admission.admitted) return no(TRANSFER_REFUSALS[admission.reason]);
    await enter(tx, deps, ref.workspaceId, admission);
    const { amount: reserved } = admission;
    const at = new Date(deps.clock.now());
    return { go: true, leg: reserved === 0 ? null : await journalRefer(tx, ref, { trunkId, reserved, at }) };
  });
}

/**
 * Whether a call may follow a redirect of its carrier: node, call, target and do-not-call lists as for a transfer. The call
 * itself has passed its dial gate, so it needs no further line or credits. Lock order: node (share), call.
 */
export const permitRedirect = (
  deps: TransferGateDeps,
  ref: AttemptRef,
  trunkId: string,
  to: string,
): Promise<{ readonly go: true } | ReturnType<typeof no>> =>
  deps.db.transaction().execute(async (tx) => {
    const checked = await checkTransfer(tx, ref, trunkId, to, deps.countries);
    return checked.go ? { go: true } : checked;
  });

/**
 * The dial gate of a warm transfer's second leg: the rules of every transfer, the caps and the balance of the workspace,
 * and the trunk's channels and pace. A permitted leg is in the database with its locked credits, and counts as a channel
 * of its trunk. Lock order: node (share), call, workspace, trunk.
 */
export function permitTransfer(
  deps: TransferGateDeps,
  ref: AttemptRef,
  trunkId: string,
  to: string,
): Promise<TransferPermit> {
  return deps.db.transaction().execute(async (tx) => {
    const checked = await checkTransfer(tx, ref, trunkId, to, deps.countries);
    if (!checked.go) return checked;
    const { call, facts } = checked;
    const now = deps.clock.now();
    const talkMs = transferTalkMs(facts, await transferLegs(tx, ref), deps.rate, now);
    const { byStranger, unlimited } = facts;
    const price = { talkMs, rate: deps.rate };
    const admission = await judge(tx, deps, ref.workspaceId, { kind: 'transfer', price, byStranger });
    if (!admission.admitted) return no(TRANSFER_REFUSALS[admission.reason]);
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
    await enter(tx, deps, ref.workspaceId, admission);
    const start = { trunkId, reserved: admission.amount, pace: spent, at: new Date(now) };
    const leg = await journalTransferLeg(tx, ref, start);
    const capMs = unlimited ? null : admission.capMs;
    return { go: true, from: call.ourNumber, displayName: call.displayName, leg, capMs };
  });
}

const TRANSFER_REFUSALS: Readonly<Record<Extract<Judgement, { admitted: false }>['reason'], string>> = {
  gone: 'the workspace is gone',
  lines: 'every line of the workspace is in use',
  balance: 'the credits of the workspace do not cover the transfer',
  calls_per_minute: 'the workspace has started as many calls as it may start in a minute',
  credits_per_day: 'the workspace has spent what it may spend in a day',
  stranger_calls_per_minute: 'as many calls came in as the workspace takes in a minute',
  stranger_credits_per_day: 'the workspace has spent what it may spend in a day on calls that come in',
  model_turns_per_day: 'the workspace has used its model turns of the day',
  outbound_paused: 'outbound calls of the workspace are paused',
};

/** The gates of transfers and the journal of their legs. A leg that a write misses is made up for by the settlement. */
export function transferJournal(
  deps: TransferGateDeps & { readonly log: Log },
): Pick<
  TransferDeps,
  'permit' | 'permitRefer' | 'permitRedirect' | 'referFailed' | 'legAnswered' | 'legEnded'
> {
  const missed = (callId: string, step: string) => (error: unknown) =>
    deps.log.warn(
      { err: error, callId, step },
      'a transfer leg was not journalled; the settlement makes up for it',
    );
  return {
    permit: (ref, trunkId, to) => permitTransfer(deps, ref, trunkId, to),
    permitRefer: (ref, trunkId, to) => permitRefer(deps, ref, trunkId, to),
    permitRedirect: (ref, trunkId, to) => permitRedirect(deps, ref, trunkId, to),
    referFailed: (ref, leg) => releaseRefer(deps, ref, leg).catch(missed(ref.callId, 'refusal')),
    legAnswered: (ref, leg, at) =>
      answerTransferLeg(deps.db, ref, leg, new Date(at)).catch(missed(ref.callId, 'answer')),
    legEnded: (ref, times) => closeTransferLeg(deps, ref, times).catch(missed(ref.callId, 'end')),
  };
}
