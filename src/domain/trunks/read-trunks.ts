import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import {
  trunkFailures,
  trunksInUse,
  type TrunkFailure,
  type UsedTrunk,
} from '../../store/numbers/trunk-use.ts';

/** How far back failures are shown. */
const FAILURES_MS = 86_400_000;

/** The state of a trunk at the SIP stack of a process, by the trunk's name. */
export interface TrunkProbe {
  readonly name: string;
  /** Null: not probed. */
  readonly reachable: boolean | null;
  /** Null: the trunk does not register. */
  readonly registered: boolean | null;
  /** Status with which the registrar refused the last REGISTER; null or absent: it did not. */
  readonly refusal?: number | null;
  /** The declared gateways, in their order. */
  readonly gateways: readonly GatewayState[];
  /** What is wrong with the account of a carrier's API; null or absent: nothing, or not checked. */
  readonly fault?: TrunkFault | null;
}

/** What is wrong with a trunk and the field of its settings to mend. */
export interface TrunkFault {
  readonly field: string;
  readonly message: string;
}

export interface GatewayState {
  readonly priority: number;
  readonly weight: number;
  /** Null: not probed yet. */
  readonly health: 'healthy' | 'suspect' | 'down' | null;
}

export interface WorkspaceTrunk extends UsedTrunk {
  /** Null: not probed, or another process carries the calls. */
  readonly isReachable: boolean | null;
  /** Null: the trunk does not register, or another process registers it. */
  readonly isRegistered: boolean | null;
  /** Those that the trunk declares; empty: none, or another process carries the calls. */
  readonly gateways: readonly GatewayState[];
  readonly failures: readonly TrunkFailure[];
}

/** The trunks of the workspace's numbers with their health. A pause that is over is left out. */
export async function readTrunks(
  deps: { db: Db; clock: Clock; probeTrunks: () => Promise<readonly TrunkProbe[]> },
  workspaceId: string,
): Promise<WorkspaceTrunk[]> {
  const now = deps.clock.now();
  const [used, failures, probes] = await Promise.all([
    trunksInUse(deps.db, workspaceId),
    trunkFailures(deps.db, workspaceId, new Date(now - FAILURES_MS)),
    deps.probeTrunks(),
  ]);
  const probeOf = new Map(probes.map((probe) => [probe.name, probe]));
  return used.map((trunk) => ({
    ...trunk,
    pausedUntil: (trunk.pausedUntil?.getTime() ?? 0) > now ? trunk.pausedUntil : null,
    isReachable: probeOf.get(trunk.name)?.reachable ?? null,
    isRegistered: probeOf.get(trunk.name)?.registered ?? null,
    gateways: probeOf.get(trunk.name)?.gateways ?? [],
    failures: failures.get(trunk.id) ?? [],
  }));
}
