import { calleeVariables } from '../../shared/callee-variables.ts';
import type { VersionConfig } from '../../store/json/agent-version.ts';
import { listLiveVersions } from '../../store/agents/versions.ts';
import { holdNode, journalDialing, type AttemptRef } from '../../store/calls/attempts.ts';
import { lockCall } from '../../store/calls/facts.ts';
import type { Tx } from '../../store/database.ts';
import {
  findInboundTarget,
  numbersEndingIn,
  inboundOnTrunk,
  insertInboundCall,
  isCallStored,
  type InboundTarget,
} from '../../store/calls/inbound.ts';
import { takeInvite } from '../../store/calls/taken-invites.ts';
import { startAttempts } from '../../store/scheduler/batch.ts';
import { takesInboundCalls } from '../agents/agent-version.ts';
import { splitCall } from '../agents/version-choice.ts';
import { enter, judge, type GateDeps, type Judgement } from '../admission/gate.ts';
import type { Rate } from '../credits/price.ts';
import { takeInboundPace, type InboundPace } from '../trunks/inbound-pace.ts';
import { callerNumber } from '../numbers/caller-number.ts';
import { appendEvent } from '../webhooks/events.ts';
import { headerVariables, type InboundHeaders } from './header-variables.ts';

export interface TakeInboundDeps extends GateDeps {
  readonly rate: Rate;
  /** The pace of inbound calls by trunk in this process; absent: only the pace of all processes counts. */
  readonly inboundPace?: InboundPace;
  readonly nodeId: () => string;
}
export interface IncomingCall {
  readonly callId: string;
  /** Trunks of the caller's address, best match first. */
  readonly trunkIds: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly displayName: string | null;
  /** Absent: the INVITE says no more about the call. */
  readonly headers?: InboundHeaders;
  readonly sipCallId: string;
  /** Tag of the caller's From; absent: the call came without SIP, to this process alone. */
  readonly fromTag?: string;
}
export interface TakenCall extends AttemptRef {
  /** Trunk of the called number. */
  readonly trunkId: string;
  readonly agentName: string;
  readonly versionConfig: VersionConfig;
  readonly args: Record<string, string>;
  readonly capMs: number;
}
/** Where an answered call goes, for another one to the same number that comes while the database is away. */
export interface InboundRoute {
  readonly agentId: string;
  readonly versionId: string;
  readonly numberId: string;
  /** The dialled number, as the workspace has it. */
  readonly number: string;
}
export type InboundDecision =
  | { readonly taken: TakenCall; readonly route: InboundRoute }
  /**
   * SIP status: 404 unknown number, 480 no agent or no balance, 482 another process has the call, 486 every line in use, 503 this
   * node is fenced.
   */
  | { readonly refuse: 404 | 480 | 482 | 486 | 503; readonly reason: string };

const MAX_NUMBER = 64;
const TOO_FAST = {
  refuse: 486,
  reason: 'inbound calls of the trunk come faster than they may',
} as const;

const MAX_NAME = 60;

/**
 * Sanitises a caller's display name to one short line. The name is untrusted and becomes part of prompts, so everything
 * that could forge a section, a role, markup or a variable is removed.
 */
export function callerNameOf(displayName: string): string {
  const line = displayName
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'’()&+-]/gu, ' ')
    .replaceAll(/ +/gu, ' ')
    .trim();
  return Array.from(line).slice(0, MAX_NAME).join('').trim();
}

/**
 * Accepts an inbound call for the agent attached to the called number, within the workspace's limits and balance. The
 * live attempt is committed before the call is answered. Lock order: node (share), workspace, trunk.
 */
export function takeInbound(deps: TakeInboundDeps, incoming: IncomingCall): Promise<InboundDecision> {
  return deps.db.transaction().execute(async (tx): Promise<InboundDecision> => {
    const nodeId = deps.nodeId();
    if (!(await holdNode(tx, nodeId))) return { refuse: 503, reason: 'this node is fenced' };
    const target = await calledTarget(tx, incoming.trunkIds, incoming.to.slice(0, MAX_NUMBER));
    if (target === null) return { refuse: 404, reason: 'no such number on the trunks of this source' };
    const { agentId, agentName, agentType, inboundCallsPerSecond: perSecond } = target;
    if (perSecond !== null && deps.inboundPace?.take(target.trunkId, perSecond) === false) return TOO_FAST;
    const version = await versionOf(tx, target, incoming.callId);
    if (agentId === null || version === null || agentType === null) {
      return { refuse: 480, reason: 'no agent is attached to the number' };
    }
    if (!takesInboundCalls(agentType)) return { refuse: 480, reason: 'the agent takes no inbound calls' };
    const config = version.config;
    const talkMs = config.callConfig.maxCallLength * 1000;
    const price = { talkMs, rate: deps.rate };
    const admission = await judge(tx, deps, target.workspaceId, { kind: 'inbound', price, byStranger: true });
    if (!admission.admitted) return refusalOf(admission.reason);
    const { trunkId, maxInboundCalls } = target;
    if (maxInboundCalls !== null && (await inboundOnTrunk(tx, trunkId)) >= maxInboundCalls)
      return { refuse: 486, reason: 'the trunk carries as many inbound calls as it may' };
    if (perSecond !== null && !(await takeInboundPace(tx, trunkId, perSecond, deps.clock.now())))
      return TOO_FAST;
    const { sipCallId, fromTag } = incoming;
    const at = deps.clock.now();
    if (fromTag !== undefined && !(await takeInvite(tx, { sipCallId, fromTag }, nodeId, new Date(at))))
      return { refuse: 482, reason: 'another process has taken the call' };
    const { workspaceId, numberId, number } = target;
    const route = { agentId, versionId: version.id, numberId, number };
    const ref: AttemptRef = { workspaceId, callId: incoming.callId, attempt: 1, nodeId };
    const caller = callerOf(incoming, number);
    await begin(tx, deps, { ref, route, caller, sipCallId, at }, admission);
    return {
      taken: {
        ...ref,
        trunkId: target.trunkId,
        agentName: agentName ?? '',
        versionConfig: config,
        args: inboundVariables(caller),
        capMs: admission.capMs,
      },
      route,
    };
  });
}

/** A national number without its leading zeros has at least so many digits. */
const MIN_NATIONAL_DIGITS = 6;

/**
 * The called number as the carrier spells it: in E.164 form with or without plus sign, else as its country dials it
 * (`0…`, `00…`, ten digits). A spelling that fits two numbers of the trunks fits none.
 */
async function calledTarget(
  tx: Tx,
  trunkIds: readonly string[],
  dialled: string,
): Promise<InboundTarget | null> {
  const target = await findInboundTarget(tx, trunkIds, dialled);
  const digits = dialled.replaceAll(/\D/g, '').replace(/^0+/, '');
  if (target !== null || digits.length < MIN_NATIONAL_DIGITS) return target;
  const numbers = await numbersEndingIn(tx, trunkIds, digits.slice(-MIN_NATIONAL_DIGITS));
  const [number, ...others] = numbers.filter((one) => callerNumber(dialled, one) === one);
  return number === undefined || others.length > 0 ? null : findInboundTarget(tx, trunkIds, number);
}

interface Caller {
  readonly name: string;
  readonly number: string;
  /** What the headers of the INVITE say, by variable; absent: nothing. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Who calls, as the agent may know it. */
export const callerOf = (
  { from, displayName, headers = {} }: Pick<IncomingCall, 'from' | 'displayName' | 'headers'>,
  dialled: string,
): Caller => ({
  name: callerNameOf(displayName ?? ''),
  number: callerNumber(from, dialled),
  variables: headerVariables(headers, dialled),
});

/** The variables of an inbound call. */
export const inboundVariables = (caller: Caller): Record<string, string> => ({
  ...caller.variables,
  ...calleeVariables(caller),
});

/** A call that was answered before it could be stored. */
export interface LateInbound {
  readonly ref: AttemptRef;
  readonly route: InboundRoute;
  readonly caller: Caller;
  readonly sipCallId: string;
  /** When it came, epoch ms. */
  readonly at: number;
  /** The longest that it may last. */
  readonly talkMs: number;
}

/**
 * Stores a call that was answered while the database was away; no effect if it is stored, also by an earlier try that
 * commits during this one. A workspace that could not pay for it now is not charged for it.
 */
export function storeLateInbound(deps: TakeInboundDeps, late: LateInbound): Promise<void> {
  const { ref, talkMs } = late;
  const storing = deps.db.transaction().execute(async (tx) => {
    if ((await lockCall(tx, ref.workspaceId, ref.callId)) !== null) return;
    const price = { talkMs, rate: deps.rate };
    const admission = await judge(tx, deps, ref.workspaceId, { kind: 'inbound', price, byStranger: true });
    await begin(tx, deps, late, admission);
  });
  return storing.catch((error: unknown) => {
    if (!isCallStored(error)) throw error;
  });
}

/** Inserts the call with its live attempt, and locks the credits that were admitted for it. */
async function begin(
  tx: Tx,
  deps: TakeInboundDeps,
  call: Omit<LateInbound, 'talkMs'>,
  admission: Judgement,
): Promise<void> {
  const { ref, route, caller } = call;
  const { workspaceId, callId, nodeId } = ref;
  const at = new Date(call.at);
  const { agentId, versionId, numberId, number } = route;
  await insertInboundCall(tx, {
    workspaceId,
    id: callId,
    agentId,
    versionId,
    numberId,
    from: caller.number,
    to: number,
    callerName: caller.name,
    args: inboundVariables(caller),
    at,
  });
  const none = { campaignId: null, numberId: null, fromNumber: null, toNumber: null, versionId: null };
  const reserved = admission.admitted ? admission.amount : 0;
  await startAttempts(tx, workspaceId, nodeId, at, [{ id: callId, attempt: 1, reserved, ...none }]);
  if (admission.admitted) await enter(tx, deps, workspaceId, admission);
  await journalDialing(tx, ref, call.sipCallId, at);
  const facts = await lockCall(tx, workspaceId, callId);
  if (facts !== null) await appendEvent(tx, facts, { type: 'call_started', attempt: 1, at });
}

/** The agent's active version, or the version that a running A/B test assigns to this call. */
async function versionOf(
  tx: Tx,
  target: InboundTarget,
  callId: string,
): Promise<{ id: string; config: VersionConfig } | null> {
  const { workspaceId, agentId, versionId, versionConfig } = target;
  if (agentId === null || versionId === null || versionConfig === null) return null;
  if (!target.isAbLive) return { id: versionId, config: versionConfig };
  return splitCall(await listLiveVersions(tx, workspaceId, agentId), callId);
}

type Reason = Extract<Judgement, { readonly admitted: false }>['reason'];

/** Why a call of a stranger is refused, for logs and for the page; 486: it may work later. */
const REFUSALS: Readonly<Record<Reason, { readonly refuse: 480 | 486; readonly reason: string }>> = {
  gone: { refuse: 480, reason: 'the workspace is archived or gone' },
  lines: { refuse: 486, reason: 'every line of the workspace is in use' },
  balance: { refuse: 480, reason: 'the balance does not cover the call' },
  credits_per_day: { refuse: 480, reason: 'the workspace has spent what it may spend in a day' },
  stranger_credits_per_day: {
    refuse: 480,
    reason: 'the workspace has spent what it may spend in a day on calls that come in',
  },
  calls_per_minute: {
    refuse: 486,
    reason: 'the workspace has started as many calls as it may start in a minute',
  },
  stranger_calls_per_minute: {
    refuse: 486,
    reason: 'as many calls came in as the workspace takes in a minute',
  },
  model_turns_per_day: { refuse: 480, reason: 'the workspace has used its model turns of the day' },
  outbound_paused: { refuse: 480, reason: 'outbound calls are paused' },
};
export const refusalOf = (reason: Reason): { readonly refuse: 480 | 486; readonly reason: string } =>
  REFUSALS[reason];
