import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import { listLiveVersions } from '../../store/agents/versions.ts';
import { holdNode, journalDialing, type AttemptRef } from '../../store/calls/attempts.ts';
import { lockCall } from '../../store/calls/facts.ts';
import { callsFree } from '../../store/scheduler/call-limit.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  addLockedCredits,
  findInboundTarget,
  insertInboundCall,
  lockWorkspace,
  type InboundTarget,
} from '../../store/calls/inbound.ts';
import { startAttempts } from '../../store/scheduler/batch.ts';
import { takesInboundCalls } from '../agents/agent-version.ts';
import { splitCall } from '../agents/version-choice.ts';
import { lockFor, type Rate } from '../credits/price.ts';
import { callerNumber } from '../numbers/caller-number.ts';
import { appendEvent } from '../webhooks/events.ts';

export interface TakeInboundDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rate: Rate;
  readonly nodeId: () => string;
}
export interface IncomingCall {
  /** Trunks of the caller's address, best match first. */
  readonly trunkIds: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly displayName: string | null;
  readonly sipCallId: string;
}
export interface TakenCall extends AttemptRef {
  /** Trunk of the called number. */
  readonly trunkId: string;
  readonly agentName: string;
  readonly versionConfig: VersionConfig;
  readonly args: Record<string, string>;
  readonly capMs: number;
}
export type InboundDecision =
  | { readonly taken: TakenCall }
  /** SIP status: 404 unknown number, 480 no agent or no balance, 486 every line in use, 503 this node is fenced. */
  | { readonly refuse: 404 | 480 | 486 | 503; readonly reason: string };

const MAX_NUMBER = 64;

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
 * live attempt is committed before the call is answered. Lock order: node (share), workspace.
 */
export function takeInbound(deps: TakeInboundDeps, incoming: IncomingCall): Promise<InboundDecision> {
  return deps.db.transaction().execute(async (tx): Promise<InboundDecision> => {
    const nodeId = deps.nodeId();
    if (!(await holdNode(tx, nodeId))) return { refuse: 503, reason: 'this node is fenced' };
    const target = await findInboundTarget(tx, incoming.trunkIds, incoming.to.slice(0, MAX_NUMBER));
    if (target === null) return { refuse: 404, reason: 'no such number on the trunks of this source' };
    const { agentId, agentName, agentType } = target;
    const callId = newId();
    const version = await versionOf(tx, target, callId);
    if (agentId === null || version === null || agentType === null) {
      return { refuse: 480, reason: 'no agent is attached to the number' };
    }
    if (!takesInboundCalls(agentType)) return { refuse: 480, reason: 'the agent takes no inbound calls' };
    const config = version.config;
    const maxCallMs = config.call_config.max_call_length * 1000;
    const reserved = await reserve(tx, deps.rate, target.workspaceId, maxCallMs);
    if ('refuse' in reserved) return reserved;
    const at = new Date(deps.clock.now());
    const from = callerNumber(incoming.from, target.number);
    const callerName = callerNameOf(incoming.displayName ?? '');
    const args = { mobile_number: from, callee_name: callerName };
    const ref: AttemptRef = { workspaceId: target.workspaceId, callId, attempt: 1, nodeId };
    await insertInboundCall(tx, {
      workspaceId: target.workspaceId,
      id: callId,
      agentId,
      versionId: version.id,
      numberId: target.numberId,
      from,
      to: target.number,
      callerName,
      args,
      at,
    });
    const none = { campaignId: null, numberId: null, fromNumber: null, toNumber: null, versionId: null };
    await startAttempts(tx, target.workspaceId, nodeId, at, [
      { id: callId, attempt: 1, reserved: reserved.amount, ...none },
    ]);
    await addLockedCredits(tx, target.workspaceId, reserved.amount);
    await journalDialing(tx, ref, incoming.sipCallId, at);
    const facts = await lockCall(tx, target.workspaceId, callId);
    if (facts !== null) await appendEvent(tx, facts, { type: 'call_started', attempt: 1, at });
    return {
      taken: {
        ...ref,
        trunkId: target.trunkId,
        agentName: agentName ?? '',
        versionConfig: config,
        args,
        capMs: reserved.capMs,
      },
    };
  });
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

/** Locks the workspace and determines what the call locks of its credits, and how long it may last. */
export async function reserve(
  tx: Tx,
  rate: Rate,
  workspaceId: string,
  maxCallMs: number,
): Promise<{ capMs: number; amount: number } | { refuse: 480 | 486; reason: string }> {
  const workspace = await lockWorkspace(tx, workspaceId);
  if (workspace === null) return { refuse: 480, reason: 'the workspace is archived or gone' };
  if ((await callsFree(tx, workspaceId)) <= 0)
    return { refuse: 486, reason: 'every line of the workspace is in use' };
  if (workspace.unlimited) return { capMs: maxCallMs, amount: 0 };
  const lock = lockFor(maxCallMs, workspace.credits - workspace.lockedCredits, rate);
  return lock ?? { refuse: 480, reason: 'the balance does not cover the call' };
}
