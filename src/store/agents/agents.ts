import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import type { Stored } from '../../shared/wire-names.ts';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { AgentType } from '../schema.ts';

export interface AgentRow {
  id: string;
  displayName: string;
  agentType: AgentType;
  activeVersionId: string;
  webcallPublicKey: string;
  classificationLabels: readonly string[];
  /** Set while an A/B test runs. */
  abStartedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}
const AGENT = [
  'id',
  'display_name as displayName',
  'agent_type as agentType',
  'active_version_id as activeVersionId',
  'webcall_public_key as webcallPublicKey',
  'classification_labels as classificationLabels',
  'ab_started_at as abStartedAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

export interface VersionRow {
  id: string;
  slug: string;
  description: string;
  callTraffic: number;
  config: VersionConfig;
  /** Null: a version; a closed draft was published or discarded. */
  draft: 'open' | 'closed' | null;
  createdAt: Date;
  updatedAt: Date;
}
export const VERSION = [
  'id',
  'slug',
  'description',
  'call_traffic as callTraffic',
  'config',
  'draft',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

export async function insertAgent(
  db: Db,
  workspaceId: string,
  agent: { id: string; displayName: string; type: AgentType; webcallPublicKey: string },
  version: { id: string; slug: string; config: VersionConfig },
  at: Date,
): Promise<void> {
  await db
    .insertInto('agents')
    .values({
      workspace_id: workspaceId,
      id: agent.id,
      display_name: agent.displayName,
      agent_type: agent.type,
      active_version_id: version.id,
      webcall_public_key: agent.webcallPublicKey,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await db
    .insertInto('agent_versions')
    .values({
      workspace_id: workspaceId,
      agent_id: agent.id,
      id: version.id,
      slug: version.slug,
      config: versionDocument.text(version.config),
      created_at: at,
      updated_at: at,
    })
    .execute();
}

export function findAgent(db: Db, workspaceId: string, agentId: string): Promise<AgentRow | undefined> {
  return db
    .selectFrom('agents')
    .select(AGENT)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', agentId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
}

/** The agent's name, archived or not. */
export async function agentName(db: Db, workspaceId: string, agentId: string): Promise<string> {
  const row = await db
    .selectFrom('agents')
    .select('display_name')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', agentId)
    .executeTakeFirst();
  return row?.display_name ?? '';
}

/** Locks the agent until commit, which serialises its edits. */
export function lockAgent(db: Db, workspaceId: string, agentId: string): Promise<AgentRow | undefined> {
  return db
    .selectFrom('agents')
    .select(AGENT)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', agentId)
    .where('archived_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function findVersion(
  db: Db,
  workspaceId: string,
  agentId: string,
  versionId: string,
): Promise<VersionRow | undefined> {
  const row = await db
    .selectFrom('agent_versions')
    .select(VERSION)
    .where('workspace_id', '=', workspaceId)
    .where('agent_id', '=', agentId)
    .where('id', '=', versionId)
    .executeTakeFirst();
  return row === undefined ? undefined : versionRows([row])[0];
}

/** Rows as the database has them, with their configurations read. */
export const versionRows = (rows: Stored<VersionRow, 'config'>[]): VersionRow[] =>
  versionDocument.readIn(rows, 'config');

/** The versions of the agent's record, oldest first: without drafts and without old versions of an agent with many. */
export async function listVersions(db: Db, workspaceId: string, agentId: string): Promise<VersionRow[]> {
  const rows = await db
    .selectFrom('agent_versions')
    .select(VERSION)
    .where('workspace_id', '=', workspaceId)
    .where('agent_id', '=', agentId)
    .where('is_listed', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return versionRows(rows);
}

export interface ListedAgentRow extends AgentRow {
  /** Of the active version. */
  slug: string;
  language: string;
  voiceId: string;
  /** Null: an old version without one, which has the default. */
  timezone: string | null;
  /** Seconds. */
  maxCallLength: number;
  hasFlow: boolean;
}

/** Newest first; without a limit every agent. */
export async function listAgents(
  db: Db,
  workspaceId: string,
  page: { limit: number | null; offset: number },
): Promise<{ agents: ListedAgentRow[]; total: number }> {
  const live = db
    .selectFrom('agents')
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is', null);
  const sorted = live.select(AGENT).orderBy('created_at', 'desc').orderBy('id', 'desc').offset(page.offset);
  const agents = await db
    .selectFrom((page.limit === null ? sorted : sorted.limit(page.limit)).as('a'))
    .innerJoin('agent_versions as v', (join) =>
      join.on('v.workspace_id', '=', workspaceId).onRef('v.id', '=', 'a.activeVersionId'),
    )
    .selectAll('a')
    .select([
      'v.slug',
      sql<string>`v.config ->> 'language'`.as('language'),
      sql<string>`v.config ->> 'voice_id'`.as('voiceId'),
      sql<string | null>`v.config #>> '{call_config,call_time,timezone}'`.as('timezone'),
      sql<number>`(v.config #>> '{call_config,max_call_length}')::int`.as('maxCallLength'),
      sql<boolean>`jsonb_typeof(v.config -> 'flow') is not distinct from 'object'`.as('hasFlow'),
    ])
    .orderBy('a.createdAt', 'desc')
    .orderBy('a.id', 'desc')
    .execute();
  const counted = await live.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { agents, total: counted.total };
}

/** The languages in which the active versions of the workspace's agents talk on the phone, in order of their codes. */
export async function languagesOfAgents(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('agents as a')
    .innerJoin('agent_versions as v', (join) =>
      join.onRef('v.workspace_id', '=', 'a.workspace_id').onRef('v.id', '=', 'a.active_version_id'),
    )
    .select([
      sql<string>`v.config ->> 'language'`.as('language'),
      sql<string | null>`v.config ->> 'secondary_language'`.as('secondary'),
    ])
    .distinct()
    .where('a.workspace_id', '=', workspaceId)
    .where('a.archived_at', 'is', null)
    .where('a.agent_type', '!=', 'whatsapp')
    .execute();
  const spoken = rows.flatMap(({ language, secondary }) =>
    secondary === null ? [language] : [language, secondary],
  );
  return [...new Set(spoken)].toSorted();
}

/** The first inbound number of each of the agents. */
export async function inboundNumbersOf(
  db: Db,
  workspaceId: string,
  agentIds: readonly string[],
): Promise<Map<string, string>> {
  if (agentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('numbers')
    .select(['id', 'inbound_agent_id'])
    .where('workspace_id', '=', workspaceId)
    .where('inbound_agent_id', 'in', agentIds)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.inbound_agent_id!, row.id]));
}

export async function updateVersion(
  db: Db,
  workspaceId: string,
  versionId: string,
  config: VersionConfig,
  at: Date,
): Promise<void> {
  await db
    .updateTable('agent_versions')
    .set({ config: versionDocument.text(config), updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', versionId)
    .execute();
}

export async function updateAgent(
  db: Db,
  workspaceId: string,
  agentId: string,
  change: { displayName?: string; type?: AgentType; classificationLabels?: readonly string[] },
  at: Date,
): Promise<void> {
  await db
    .updateTable('agents')
    .set({
      updated_at: at,
      ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
      ...(change.type === undefined ? {} : { agent_type: change.type }),
      ...(change.classificationLabels === undefined
        ? {}
        : { classification_labels: change.classificationLabels }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', agentId)
    .execute();
}

/** Ids of the WhatsApp agents of this name. */
export async function whatsappAgentsNamed(tx: Db, workspaceId: string, name: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('agents')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('display_name', '=', name)
    .where('agent_type', '=', 'whatsapp')
    .where('archived_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}
