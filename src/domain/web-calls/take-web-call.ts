import type { WebRefusal } from '../calls/web-refusal.ts';
import { sha256 } from '../../shared/ids.ts';
import { holdNode, journalDialing, type AttemptRef } from '../../store/calls/attempts.ts';
import { lockCall } from '../../store/calls/facts.ts';
import {
  findTokenAgent,
  insertWebCall,
  lockWebCallToken,
  useWebCallToken,
} from '../../store/calls/web-calls.ts';
import { startAttempts } from '../../store/scheduler/batch.ts';
import { enter, judge } from '../admission/gate.ts';
import { refusalOf, type TakeInboundDeps, type TakenCall } from '../calls/take-inbound.ts';
import { appendEvent } from '../webhooks/events.ts';

/** A browser call as it was taken. */
export type TakenWebCall = Omit<TakenCall, 'trunkId'> & { readonly byStranger: boolean };

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
    const longestMs = config.callConfig.maxCallLength * 1000;
    const talkMs = Math.min(longestMs, opened.maxMs ?? longestMs);
    const price = { talkMs, rate: deps.rate };
    const { byStranger } = opened;
    const admission = await judge(tx, deps, workspaceId, { kind: 'webcall', price, byStranger });
    if (!admission.admitted) {
      const { refuse, reason } = refusalOf(admission.reason);
      return { refuse: refuse === 486 ? 429 : 402, reason };
    }
    await useWebCallToken(tx, opened.tokenHash, at);
    await insertWebCall(tx, opened, at);
    const none = { campaignId: null, numberId: null, fromNumber: null, toNumber: null, versionId: null };
    const start = { id: callId, attempt: 1, reserved: admission.amount, ...none };
    await startAttempts(tx, workspaceId, nodeId, at, [start]);
    await enter(tx, deps, workspaceId, admission);
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
        capMs: admission.capMs,
        byStranger,
      },
    };
  });
}
