import type { WebRefusal } from '../calls/web-refusal.ts';
import { sha256 } from '../../shared/ids.ts';
import { holdNode, journalDialing, type AttemptRef } from '../../store/calls/attempts.ts';
import { lockCall } from '../../store/calls/facts.ts';
import { addLockedCredits } from '../../store/calls/inbound.ts';
import {
  findTokenAgent,
  insertWebCall,
  lockWebCallToken,
  useWebCallToken,
} from '../../store/calls/web-calls.ts';
import { startAttempts } from '../../store/scheduler/batch.ts';
import { reserve, type TakeInboundDeps, type TakenCall } from '../calls/take-inbound.ts';
import { appendEvent } from '../webhooks/events.ts';

/** A browser call as it was taken. */
export type TakenWebCall = Omit<TakenCall, 'trunkId'>;

/**
 * Accepts a browser call: uses its token, and commits the live attempt within the workspace's limits and balance. A
 * refused token stays unused. Lock order: node (share), token, workspace.
 */
export function takeWebCall(
  deps: TakeInboundDeps,
  { token, origin }: { readonly token: string; readonly origin: string | null },
): Promise<{ readonly taken: TakenWebCall } | WebRefusal> {
  return deps.db.transaction().execute(async (tx) => {
    const nodeId = deps.nodeId();
    if (!(await holdNode(tx, nodeId))) return { refuse: 503, reason: 'this process is being replaced' };
    const at = new Date(deps.clock.now());
    const opened = await lockWebCallToken(tx, sha256(token), at);
    if (opened === null) return { refuse: 401, reason: 'the token is unknown, used or expired' };
    if (opened.origin !== null && origin !== opened.origin)
      return { refuse: 403, reason: 'the token belongs to a page of another origin' };
    const agent = await findTokenAgent(tx, opened);
    if (agent === null) return { refuse: 404, reason: 'the agent does not exist any more' };
    const config = agent.versionConfig;
    const { workspaceId, callId } = opened;
    const longestMs = config.call_config.max_call_length * 1000;
    const maxCallMs = Math.min(longestMs, opened.maxMs ?? longestMs);
    const reserved = await reserve(tx, deps.rate, workspaceId, maxCallMs);
    if ('refuse' in reserved) {
      return { refuse: reserved.refuse === 486 ? 429 : 402, reason: reserved.reason };
    }
    await useWebCallToken(tx, opened.tokenHash, at);
    await insertWebCall(tx, opened, at);
    const none = { campaignId: null, numberId: null, fromNumber: null, toNumber: null, versionId: null };
    const start = { id: callId, attempt: 1, reserved: reserved.amount, ...none };
    await startAttempts(tx, workspaceId, nodeId, at, [start]);
    await addLockedCredits(tx, workspaceId, reserved.amount);
    const ref: AttemptRef = { workspaceId, callId, attempt: 1, nodeId };
    await journalDialing(tx, ref, null, at);
    const facts = await lockCall(tx, workspaceId, callId);
    if (facts !== null) await appendEvent(tx, facts, { type: 'call_started', attempt: 1, at });
    return {
      taken: {
        ...ref,
        agentName: agent.agentName,
        versionConfig: config,
        args: opened.args,
        capMs: reserved.capMs,
      },
    };
  });
}
