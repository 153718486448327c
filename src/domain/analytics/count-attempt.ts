import { noteAttempt } from '../../store/analysis/attempt-figures.ts';
import type { CallFacts } from '../../store/calls/facts.ts';
import type { Tx } from '../../store/database.ts';
import type { TurnLatency } from '@callwright/turns';

/**
 * Counts an attempt that ends, with its reaction times, in the hour of its dialing. One that was never dialled counts
 * nowhere.
 */
export async function countAttempt(
  tx: Tx,
  call: CallFacts,
  end: {
    /** Of the talk; null: no person answered. */
    readonly durationMs: number | null;
    readonly endedAt: Date;
    readonly latencies: readonly TurnLatency[];
  },
): Promise<void> {
  const dialedAt = call.dialedAt ?? (call.callType === 'outbound' ? null : call.createdAt);
  if (dialedAt === null) return;
  await noteAttempt(tx, {
    workspaceId: call.workspaceId,
    agentId: call.agentId,
    versionId: call.versionId,
    numberId: call.numberId,
    campaignId: call.campaignId,
    attempt: call.attempt,
    dialedAt,
    endedAt: end.endedAt,
    isAnswered: end.durationMs !== null,
    durationMs: end.durationMs ?? 0,
    turns: end.latencies.map((turn) => [
      turn.totalMs,
      turn.endpointingMs,
      turn.recognitionMs,
      turn.modelMs,
      turn.voiceMs,
    ]),
  });
}
