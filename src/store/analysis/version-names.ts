import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface VersionName {
  readonly agentId: string;
  readonly agentName: string | null;
  readonly versionId: string;
  readonly versionSlug: string | null;
}

/** The names of versions and their agents, in the order of `keys`; null: unknown, or of another agent. */
export async function findVersionNames(
  db: Db,
  workspaceId: string,
  keys: readonly { readonly agentId: string; readonly versionId: string }[],
): Promise<VersionName[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<VersionName>`
    select k.agent_id as "agentId", a.display_name as "agentName", k.version_id as "versionId",
           v.slug as "versionSlug"
    from unnest(${keys.map(({ agentId }) => agentId)}::uuid[], ${keys.map(({ versionId }) => versionId)}::uuid[])
      with ordinality k (agent_id, version_id, at)
    left join agents a on a.workspace_id = ${workspaceId} and a.id = k.agent_id
    left join agent_versions v on v.workspace_id = ${workspaceId} and v.agent_id = k.agent_id and v.id = k.version_id
    order by k.at`.execute(db);
  return rows;
}
