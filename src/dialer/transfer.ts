import { TOOL_SECONDS, type CallTransferTool } from '../domain/tools/tool-types.ts';
import type { Log } from '../shared/log.ts';
import type { AttemptRef } from '../store/calls/attempts.ts';
import type { OutboundLeg } from '../telephony/sip/call.ts';
import type { ConversationResult } from '../voice/conversation.ts';
import type { ToolAnswer } from '../workers/protocol.ts';
import type { ReferPermit } from './transfer-gate.ts';

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
