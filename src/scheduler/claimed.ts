import type { AttemptRef } from '../store/calls/attempts.ts';
import type { VersionConfig } from '../store/json/agent-version.ts';
import type { CallLevelConfig } from '../store/json/call-config.ts';
import type { AttemptStart } from '../store/scheduler/batch.ts';
import type { Started } from './choose.ts';

/** A call that this node may dial now: its status is `ongoing`, its attempt is journalled, its money is locked. */
export interface Claimed extends AttemptRef {
  readonly claimedAt: number;
  readonly campaignId: string | null;
  readonly agentId: string;
  readonly agentName: string;
  readonly agentType: string;
  readonly versionId: string;
  readonly versionConfig: VersionConfig;
  readonly callConfig: CallLevelConfig | null;
  readonly numberId: string;
  readonly numberDisplayName: string;
  readonly trunkId: string;
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly calleeName: string;
  readonly args: Record<string, string>;
  /** The longest the call may last: max_call_length, or less if the balance covers less. */
  readonly capMs: number;
}

/** The attempt that the end of the batch inserts for a chosen call. */
export const startOf = ({ candidate, number, versionId, amount }: Started): AttemptStart => ({
  id: candidate.id,
  attempt: candidate.attempt + 1,
  reserved: amount,
  campaignId: candidate.campaignId,
  numberId: number.id,
  fromNumber: candidate.campaignId === null ? null : number.number,
  toNumber: candidate.toNumber,
  versionId,
});

/** The call for its dialer. `claimedAt`: epoch ms. */
export function claimedOf(nodeId: string, claimedAt: number, workspaceId: string, start: Started): Claimed {
  const { candidate, number } = start;
  return {
    workspaceId,
    callId: candidate.id,
    attempt: candidate.attempt + 1,
    nodeId,
    claimedAt,
    campaignId: candidate.campaignId,
    agentId: candidate.agentId,
    agentName: candidate.agentName,
    agentType: candidate.agentType,
    versionId: start.versionId,
    versionConfig: start.versionConfig,
    callConfig: start.callConfig,
    numberId: number.id,
    numberDisplayName: number.displayName,
    trunkId: start.trunkId,
    fromNumber: candidate.campaignId === null ? candidate.fromNumber : number.number,
    toNumber: candidate.toNumber,
    calleeName: candidate.calleeName,
    args: candidate.args,
    capMs: start.capMs,
  };
}
