import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import { listLiveVersions } from '../../store/agent-versions.ts';
import { holdNode, journalDialing, type AttemptRef } from '../../store/attempts.ts';
import { lockCall } from '../../store/call-facts.ts';
import { callsFree } from '../../store/call-limit.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  addLockedCredits,
  findInboundTarget,
  insertInboundCall,
  lockWorkspace,
  type InboundTarget,
} from '../../store/inbound.ts';
import type { JsonObject } from '../../store/schema.ts';
import { startAttempts } from '../../store/turn-end.ts';
import { takesInboundCalls, type VersionConfig } from '../agents/agent-version.ts';
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
  readonly trunkId: string;
  readonly from: string;
  readonly to: string;
  readonly displayName: string | null;
  readonly sipCallId: string;
}
export interface TakenCall extends AttemptRef {
  readonly agentName: string;
  readonly versionConfig: VersionConfig;
  readonly args: Record<string, string>;
  readonly capMs: number;
}
export type InboundDecision =
  | { readonly taken: TakenCall }
  /** The SIP status that says why not: 404 no such number, 480 nobody to take it, 486 all lines in use. */
  | { readonly refuse: 404 | 480 | 486 | 503; readonly reason: string };

const MAX_NUMBER = 64;
const MAX_NAME = 120;

/**
 * Takes a call that comes in for the agent attached to the called number, within the workspace's limits and
 * balance: the live attempt is in the database before anything is answered.
 */
export function takeInbound(deps: TakeInboundDeps, incoming: IncomingCall): Promise<InboundDecision> {
  return deps.db.transaction().execute(async (tx): Promise<InboundDecision> => {
    const nodeId = deps.nodeId();
    if (!(await holdNode(tx, nodeId))) return { refuse: 503, reason: 'this node is fenced' };
    const target = await findInboundTarget(tx, incoming.trunkId, incoming.to.slice(0, MAX_NUMBER));
    if (target === null) return { refuse: 404, reason: 'no such number on this trunk' };
    const { agentId, agentName, agentType } = target;
    const callId = newId();
    const version = await versionOf(tx, target, callId);
    if (agentId === null || version === null || agentType === null) {
      return { refuse: 480, reason: 'no agent is attached to the number' };
    }
    if (!takesInboundCalls(agentType)) return { refuse: 480, reason: 'the agent takes no inbound calls' };
    const config = version.config as unknown as VersionConfig;
    const room = await reserve(tx, deps.rate, target, config);
    if ('refuse' in room) return room;
    const at = new Date(deps.clock.now());
    const from = callerNumber(incoming.from, target.number);
    const callerName = (incoming.displayName ?? '').slice(0, MAX_NAME);
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
    const ours = { laneId: null, numberId: null, fromNumber: null, toNumber: null, versionId: null };
    await startAttempts(tx, target.workspaceId, nodeId, at, [
      { id: callId, attempt: 1, reserved: room.amount, ...ours },
    ]);
    await addLockedCredits(tx, target.workspaceId, room.amount);
    await journalDialing(tx, ref, incoming.sipCallId, at);
    const facts = await lockCall(tx, target.workspaceId, callId);
    if (facts !== null) await appendEvent(tx, facts, { type: 'call_started', attempt: 1, at });
    return { taken: { ...ref, agentName: agentName ?? '', versionConfig: config, args, capMs: room.capMs } };
  });
}

/** The agent's active version, or the call's share of a running A/B test. */
async function versionOf(
  tx: Tx,
  target: InboundTarget,
  callId: string,
): Promise<{ id: string; config: JsonObject } | null> {
  const { workspaceId, agentId, versionId, versionConfig } = target;
  if (agentId === null || versionId === null || versionConfig === null) return null;
  if (!target.isAbLive) return { id: versionId, config: versionConfig };
  return splitCall(await listLiveVersions(tx, workspaceId, agentId), callId);
}

async function reserve(
  tx: Tx,
  rate: Rate,
  target: InboundTarget,
  config: VersionConfig,
): Promise<{ capMs: number; amount: number } | { refuse: 480 | 486; reason: string }> {
  const workspace = await lockWorkspace(tx, target.workspaceId);
  if (workspace === null) return { refuse: 480, reason: 'the workspace is gone' };
  if ((await callsFree(tx, target.workspaceId)) <= 0)
    return { refuse: 486, reason: 'every line of the workspace is in use' };
  const maxCallMs = config.call_config.max_call_length * 1000;
  if (workspace.unlimited) return { capMs: maxCallMs, amount: 0 };
  const lock = lockFor(maxCallMs, workspace.credits - workspace.lockedCredits, rate);
  return lock ?? { refuse: 480, reason: 'the balance does not cover the call' };
}
