import { sql } from 'kysely';
import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import { VERSION, versionRows, type VersionRow } from './agents.ts';
import type { Db, Tx } from '../database.ts';

/** The versions of a running A/B test, oldest first. */
export async function listLiveVersions(db: Db, workspaceId: string, agentId: string): Promise<VersionRow[]> {
  const rows = await db
    .selectFrom('agent_versions')
    .select(VERSION)
    .where('workspace_id', '=', workspaceId)
    .where('agent_id', '=', agentId)
    .where('call_traffic', '>', 0)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return versionRows(rows);
}

export async function insertVersion(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  version: { id: string; slug: string; description: string; config: VersionConfig; author?: string | null },
  at: Date,
): Promise<void> {
  await tx
    .insertInto('agent_versions')
    .values({
      workspace_id: workspaceId,
      agent_id: agentId,
      id: version.id,
      slug: version.slug,
      description: version.description,
      call_traffic: 0,
      config: versionDocument.text(version.config),
      author: version.author ?? null,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

/** Sets the traffic shares of the agent's versions; unlisted versions get none. `active` is one of the listed. */
export async function setTraffic(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  split: {
    readonly active: string;
    readonly abStartedAt: Date | null;
    readonly shares: readonly { readonly versionId: string; readonly callTraffic: number }[];
  },
): Promise<void> {
  const ids = split.shares.map((share) => share.versionId);
  const shares = split.shares.map((share) => share.callTraffic);
  await sql`
    update agent_versions v set call_traffic = coalesce(
      (select q.share from unnest(${ids}::uuid[], ${shares}::int[]) as q (id, share) where q.id = v.id), 0)
    where v.workspace_id = ${workspaceId} and v.agent_id = ${agentId}`.execute(tx);
  await tx
    .updateTable('agents')
    .set({ active_version_id: split.active, ab_started_at: split.abStartedAt })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', agentId)
    .execute();
}

/** The results of one version since its A/B test began. */
export interface AbResult {
  readonly agentId: string;
  readonly versionId: string;
  readonly slug: string;
  readonly callTraffic: number;
  readonly calls: number;
  readonly answered: number;
  readonly completed: number;
  readonly averageMs: number | null;
  /** Analysed calls by classification, most calls first. */
  readonly classifications: readonly { readonly label: string; readonly calls: number }[];
}

/** Results of these agents' running A/B tests, by version, oldest first. */
export async function abResults(
  db: Db,
  workspaceId: string,
  agentIds: readonly string[],
): Promise<AbResult[]> {
  if (agentIds.length === 0) return [];
  const { rows } = await sql<AbResult>`
    select a.id as "agentId", v.id as "versionId", v.slug, v.call_traffic as "callTraffic",
           coalesce(c.calls, 0)::int as calls, coalesce(c.answered, 0)::int as answered,
           coalesce(c.completed, 0)::int as completed, c.average_ms::float8 as "averageMs",
           coalesce(l.classifications, '[]') as classifications
    from agents a
    join agent_versions v on v.workspace_id = a.workspace_id and v.agent_id = a.id and v.call_traffic > 0
    left join lateral (
      select version_id, count(*) as calls, count(answered_at) as answered,
             count(*) filter (where status = 'completed') as completed,
             avg(duration_ms) filter (where answered_at is not null) as average_ms
      from calls
      where workspace_id = a.workspace_id and agent_id = a.id and created_at >= a.ab_started_at
        and version_id = v.id
      group by version_id) c on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('label', label, 'calls', calls) order by calls desc, label)
             as classifications
      from (
        select r.platform_analysis ->> 'classification' as label, count(*) as calls
        from calls k
        join call_records r on r.workspace_id = k.workspace_id and r.call_id = k.id
        where k.workspace_id = a.workspace_id and k.agent_id = a.id and k.created_at >= a.ab_started_at
          and k.version_id = v.id and r.platform_analysis ->> 'status' is distinct from 'failed'
          and r.platform_analysis ->> 'classification' is not null
        group by label) counted) l on true
    where a.workspace_id = ${workspaceId} and a.id = any(${agentIds}::uuid[]) and a.ab_started_at is not null
    order by v.created_at, v.id`.execute(db);
  return rows;
}

/** Archives the agent: it leaves every list, its calls keep their link, its numbers take no more inbound calls. */
export async function archiveAgent(tx: Tx, workspaceId: string, agentId: string, at: Date): Promise<void> {
  await tx
    .updateTable('agents')
    .set({ archived_at: at, updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', agentId)
    .execute();
  await tx
    .updateTable('numbers')
    .set({ inbound_agent_id: null, updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('inbound_agent_id', '=', agentId)
    .execute();
}

/** Takes an archived agent back; undefined: the workspace has no archived agent of this id. */
export async function restoreAgent(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  at: Date,
): Promise<string | undefined> {
  const restored = await tx
    .updateTable('agents')
    .set({ archived_at: null, updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', agentId)
    .where('archived_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return restored?.id;
}
