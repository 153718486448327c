import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { findAgent, findVersion } from '../../store/agents/agents.ts';
import { callsWithLog, readEventLogs } from '../../store/calls/flow-logs.ts';
import type { Db } from '../../store/database.ts';
import type { FlowMove } from '../../shared/flow-moves.ts';
import { flowPath } from './flow-path.ts';
import { unpackedLog } from './replay.ts';

/** Calls that are counted at most, and how many logs are held at once. */
export const MOST_CALLS = 500;
const BATCH = 25;
const DAY_MS = 86_400_000;

/** How often calls took each way of a flow. */
export interface FlowCounts {
  readonly versionId: string;
  /** Calls that were counted. */
  readonly calls: number;
  readonly edges: readonly (FlowMove & { readonly count: number })[];
  /** The last node of each call that left its first one. */
  readonly ends: readonly { readonly node: string; readonly count: number }[];
}

/** Counts the moves of paths. Pure. */
function countMoves(paths: readonly (readonly FlowMove[])[]): Pick<FlowCounts, 'edges' | 'ends'> {
  const edges = new Map<string, FlowMove & { count: number }>();
  const ends = new Map<string, number>();
  for (const path of paths) {
    for (const { from, to, by } of path) {
      const key = JSON.stringify([from, to, by]);
      const known = edges.get(key) ?? { from, to, by, count: 0 };
      edges.set(key, { ...known, count: known.count + 1 });
    }
    const last = path.at(-1)?.to;
    if (last !== undefined) ends.set(last, (ends.get(last) ?? 0) + 1);
  }
  return {
    edges: [...edges.values()].toSorted((a, b) => b.count - a.count),
    ends: [...ends].map(([node, count]) => ({ node, count })).toSorted((a, b) => b.count - a.count),
  };
}

/**
 * Counts the ways of a version's newest calls, at most `MOST_CALLS` of the last `days`, by their event logs; `versionId` null:
 * the active version. Throws 404 for an unknown agent or version.
 */
export async function readFlowCounts(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  target: { readonly agentId: string; readonly versionId: string | null; readonly days: number },
): Promise<FlowCounts> {
  const agent = isUuid(target.agentId) ? await findAgent(db, workspaceId, target.agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  const versionId = target.versionId ?? agent.activeVersionId;
  const version = isUuid(versionId) ? await findVersion(db, workspaceId, agent.id, versionId) : undefined;
  if (version === undefined) throw errors.versionNotFound();
  const since = new Date(clock.now() - target.days * DAY_MS);
  const ids = await callsWithLog(db, workspaceId, agent.id, { versionId, since, limit: MOST_CALLS });
  const paths: FlowMove[][] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    const logs = await readEventLogs(db, workspaceId, ids.slice(from, from + BATCH));
    for (const log of logs) paths.push(flowPath(await unpackedLog(log)));
  }
  return { versionId: version.id, calls: paths.length, ...countMoves(paths) };
}
