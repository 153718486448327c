import { sql } from 'kysely';
import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import type { Stored } from '../../shared/wire-names.ts';
import { VERSION, type VersionRow } from './agents.ts';
import type { Db, Tx } from '../database.ts';

export interface DraftRow extends VersionRow {
  /** The active version as the draft copied it. */
  readonly baseVersionId: string;
  readonly baseConfig: VersionConfig;
  readonly author: string | null;
}

/** The open draft of the agent. */
export async function findDraft(db: Db, workspaceId: string, agentId: string): Promise<DraftRow | undefined> {
  const row = await db
    .selectFrom('agent_versions')
    .select([...VERSION, 'author', 'base_version_id as baseVersionId', 'base_config as baseConfig'])
    .where('workspace_id', '=', workspaceId)
    .where('agent_id', '=', agentId)
    .where('draft', '=', 'open')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { baseConfig, ...rest } = row as Stored<DraftRow, 'config' | 'baseConfig'>;
  const [own] = versionDocument.readIn([rest], 'config');
  return { ...own!, baseConfig: versionDocument.read(baseConfig) };
}

/** Copies the version into the agent's open draft. */
export async function insertDraft(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  draft: { readonly id: string; readonly baseVersionId: string; readonly author: string | null },
  at: Date,
): Promise<void> {
  await sql`
    insert into agent_versions (workspace_id, agent_id, id, slug, call_traffic, config, draft, base_version_id,
      base_config, author, is_listed, created_at, updated_at)
    select workspace_id, agent_id, ${draft.id}, 'draft', 0, config, 'open', id, config, ${draft.author}, false,
      ${at}, ${at}
    from agent_versions
    where workspace_id = ${workspaceId} and agent_id = ${agentId} and id = ${draft.baseVersionId}`.execute(
    tx,
  );
}

/** The draft takes no more changes; test calls that it made keep it. */
export async function closeDraft(tx: Tx, workspaceId: string, draftId: string, at: Date): Promise<void> {
  await tx
    .updateTable('agent_versions')
    .set({ draft: 'closed', updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', draftId)
    .execute();
}

/** A version as the history shows it. */
export interface HistoryRow {
  readonly id: string;
  readonly slug: string;
  readonly note: string;
  readonly author: string | null;
  readonly callTraffic: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A page of the agent's versions without drafts, newest first. */
export async function versionHistory(
  db: Db,
  workspaceId: string,
  agentId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ versions: HistoryRow[]; total: number }> {
  const own = db
    .selectFrom('agent_versions')
    .where('workspace_id', '=', workspaceId)
    .where('agent_id', '=', agentId)
    .where('draft', 'is', null);
  const versions = await own
    .select([
      'id',
      'slug',
      'description as note',
      'author',
      'call_traffic as callTraffic',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const counted = await own.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { versions, total: counted.total };
}

/** How many versions the agent has and had, without drafts. */
export async function countVersions(db: Db, workspaceId: string, agentId: string): Promise<number> {
  const row = await db
    .selectFrom('agent_versions')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('agent_id', '=', agentId)
    .where('draft', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Leaves only the newest `keep` versions listed, and those that take calls. */
export async function unlistOldVersions(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  keep: number,
): Promise<void> {
  await sql`
    update agent_versions set is_listed = false
    where workspace_id = ${workspaceId} and is_listed and call_traffic = 0 and id in (
      select id from agent_versions
      where workspace_id = ${workspaceId} and agent_id = ${agentId} and is_listed
      order by created_at desc, id desc offset ${keep})`.execute(tx);
}
