import type { Settlement } from '../../../src/domain/calls/attempt/settle.ts';
import type { AttemptRef } from '../../../src/store/calls/attempts.ts';
import type { Ending } from '../../../src/domain/calls/attempt/next-step.ts';

/** The end of an answered attempt whose caller hung up at `endedAt`, with the changes of `more`. */
export const endingOf = (endedAt: number, more: Partial<Ending> = {}): Ending => ({
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

/** The same as the settlement of an attempt. */
export const settlementOf = (
  { workspaceId, callId, attempt, nodeId }: AttemptRef,
  endedAt: number,
  more: Partial<Settlement> = {},
): Settlement => ({ workspaceId, callId, attempt, nodeId, ...endingOf(endedAt), ...more });
