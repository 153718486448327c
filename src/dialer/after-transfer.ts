import type { CallResult, ToolAnswer } from '../workers/protocol.ts';

/** The tool that handed the caller over, with what it answered. */
export interface Transferred {
  readonly name: string;
  readonly answer: ToolAnswer;
}

/**
 * The result of a conversation whose caller was handed over. A far side may hang up before the conversation hears that
 * the transfer is done, and how long a caller talked to the other one (`warm`) is known at the end. Pure.
 */
export function afterTransfer(
  result: CallResult,
  done: Transferred | null,
  warm: ToolAnswer | null,
): CallResult {
  if (done === null || (warm === null && result.reason !== 'USER_LEFT')) return result;
  const { ok, result: outcome } = warm ?? done.answer;
  const last = result.toolLog.findLastIndex((use) => use.name === done.name);
  const toolLog = result.toolLog.map((use, index) =>
    index === last ? { ...use, ok, result: outcome } : use,
  );
  const reason = result.reason === 'USER_LEFT' ? 'CALL_TRANSFERRED' : result.reason;
  return { ...result, reason, toolLog };
}
