import type { Settlement } from '../../src/domain/calls/settle-call.ts';
import type { AttemptRef } from '../../src/store/attempts.ts';

/** The settlement of an attempt whose caller hung up at `endedAt`, with what is told otherwise. */
export const settlementOf = (
  { workspaceId, callId, attempt, nodeId }: AttemptRef,
  endedAt: number,
  more: Partial<Settlement> = {},
): Settlement => ({
  workspaceId,
  callId,
  attempt,
  nodeId,
  end: { kind: 'answered', reason: 'USER_LEFT' },
  endedAt,
  answeredAt: null,
  hangupBy: 'caller',
  sipCallId: 'sip-1',
  sipCode: 200,
  reason: null,
  result: null,
  ...more,
});
