import type { CallTransferTool } from '../domain/tools/tool-types.ts';
import { TOOL_SECONDS } from '../domain/tools/tool-types.ts';
import type { OutboundLeg } from '../telephony/leg.ts';
import type { ToolAnswer } from '../workers/protocol.ts';

export const ringMsOf = (tool: CallTransferTool): number =>
  (tool.ring_timeout_seconds ?? TOOL_SECONDS.ring.preset) * 1000;

/** Asks the far side to call the number itself. The caller stays where that fails. */
export async function coldTransfer(
  leg: Pick<OutboundLeg, 'refer'> | null,
  tool: CallTransferTool,
): Promise<ToolAnswer> {
  if (leg === null) return { ok: false, result: { status: 'failed', reason: 'the call is not up' } };
  const { transferred, sipCode, reason } = await leg.refer(tool.transfer_to, ringMsOf(tool));
  if (!transferred) return { ok: false, result: { status: 'failed', sip_code: sipCode, reason } };
  return { ok: true, result: { status: 'transferred', sip_code: sipCode }, ends: 'CALL_TRANSFERRED' };
}
