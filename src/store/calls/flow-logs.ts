import type { Db } from '../database.ts';

/** Calls of the agent that are looked at for those of one version: other versions may have taken any number since. */
const SCANNED = 20_000;

/** Ended calls of a version with an event log, newest first, at most `limit`. */
export async function callsWithLog(
  db: Db,
  workspaceId: string,
  agentId: string,
  { versionId, since, limit }: { readonly versionId: string; readonly since: Date; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom((newest) =>
      newest
        .selectFrom('calls')
        .select(['id', 'version_id', 'created_at'])
        .where('workspace_id', '=', workspaceId)
        .where('agent_id', '=', agentId)
        .where('created_at', '>=', since)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(SCANNED)
        .as('calls'),
    )
    .innerJoin('call_records', (join) =>
      join.on('call_records.workspace_id', '=', workspaceId).onRef('call_records.call_id', '=', 'calls.id'),
    )
    .select('calls.id')
    .where('calls.version_id', '=', versionId)
    .where('call_records.event_log', 'is not', null)
    .orderBy('calls.created_at', 'desc')
    .orderBy('calls.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The compressed event logs of calls, as far as they are still kept. */
export async function readEventLogs(
  db: Db,
  workspaceId: string,
  callIds: readonly string[],
): Promise<Buffer[]> {
  if (callIds.length === 0) return [];
  const rows = await db
    .selectFrom('call_records')
    .select('event_log')
    .where('workspace_id', '=', workspaceId)
    .where('call_id', 'in', [...callIds])
    .where('event_log', 'is not', null)
    .execute();
  return rows.flatMap(({ event_log: log }) => (log === null ? [] : [log]));
}
