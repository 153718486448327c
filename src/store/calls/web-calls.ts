import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import type { Stored } from '../../shared/wire-names.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { AgentType } from '../schema.ts';

/** The agent of a public key, with its active version. */
export interface WebAgent {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentType: AgentType;
  readonly isAbLive: boolean;
  readonly versionId: string;
  readonly versionConfig: VersionConfig;
  /** The workspace refuses values that lack a variable or name an unknown one. */
  readonly isStrict: boolean;
}

/** Null: no agent has this key. The id is compared as text, because it comes unchecked from outside. */
export async function findWebAgent(db: Db, publicKey: string, agentId: string): Promise<WebAgent | null> {
  const { rows } = await sql<Stored<WebAgent, 'versionConfig'>>`
    select a.workspace_id as "workspaceId", a.id as "agentId", a.agent_type as "agentType",
           a.ab_started_at is not null as "isAbLive", v.id as "versionId", v.config as "versionConfig",
           w.settings -> 'strict_variables' = 'true' is true as "isStrict"
    from agents a join workspaces w on w.id = a.workspace_id join agent_versions v on v.workspace_id = a.workspace_id and v.id = a.active_version_id
    where a.webcall_public_key = ${publicKey} and a.id::text = ${agentId} and a.archived_at is null
      and w.archived_at is null`.execute(db);
  return versionDocument.readIn(rows, 'versionConfig')[0] ?? null;
}

/** Whether the active version of some agent lists the origin. */
export async function isListedOrigin(db: Db, origin: string): Promise<boolean> {
  const { rows } = await sql`
    select from agent_versions v
    join agents a on a.workspace_id = v.workspace_id and a.active_version_id = v.id and a.archived_at is null
    where v.config ? 'whitelisted_domains' and v.config -> 'whitelisted_domains' @> to_jsonb(${origin}::text)
    limit 1`.execute(db);
  return rows.length > 0;
}

export interface WebCallToken {
  readonly tokenHash: string;
  readonly workspaceId: string;
  readonly callId: string;
  readonly agentId: string;
  readonly versionId: string;
  /** The page that may connect; null: any. */
  readonly origin: string | null;
  readonly mediaType: 'audio' | 'text';
  readonly args: Record<string, string>;
  readonly maxMs: number | null;
  /** A page with the public key opened it, not the workspace's server or a member. */
  readonly byStranger: boolean;
  readonly expiresAt: Date;
}

export async function insertWebCallToken(db: Db, token: WebCallToken, at: Date): Promise<void> {
  await sql`
    insert into web_call_tokens (token_hash, workspace_id, call_id, agent_id, version_id, origin, media_type, args,
                                 max_ms, by_stranger, created_at, expires_at)
    values (${token.tokenHash}, ${token.workspaceId}, ${token.callId}, ${token.agentId}, ${token.versionId},
            ${token.origin}, ${token.mediaType}, ${JSON.stringify(token.args)}, ${token.maxMs}, ${token.byStranger}, ${at},
            ${token.expiresAt})`.execute(db);
}

const SWEPT_AT_ONCE = 1_000;

/** Deletes tokens from before `before`. Concurrent sweeps skip each other's rows. */
export async function sweepWebCallTokens(db: Db, before: Date): Promise<void> {
  await sql`
    delete from web_call_tokens where token_hash in (
      select token_hash from web_call_tokens where created_at < ${before}
      limit ${SWEPT_AT_ONCE} for update skip locked)`.execute(db);
}

/** Locks an unused and unexpired token; null: there is none. */
/** Whether a browser call can begin with the token; `lockWebCallToken` decides. */
export async function isOpenWebCallToken(db: Db, tokenHash: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select 1 from web_call_tokens
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`.execute(db);
  return rows.length > 0;
}

export async function lockWebCallToken(tx: Tx, tokenHash: string, now: Date): Promise<WebCallToken | null> {
  const { rows } = await sql<WebCallToken>`
    select token_hash as "tokenHash", workspace_id as "workspaceId", call_id as "callId", agent_id as "agentId",
           version_id as "versionId", origin, media_type as "mediaType", args, max_ms as "maxMs",
           by_stranger as "byStranger", expires_at as "expiresAt"
    from web_call_tokens where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
    for update`.execute(tx);
  return rows[0] ?? null;
}

export async function useWebCallToken(tx: Tx, tokenHash: string, now: Date): Promise<void> {
  await sql`update web_call_tokens set used_at = ${now}, args = '{}' where token_hash = ${tokenHash}`.execute(
    tx,
  );
}

/** The call of a used token, for its feedback; null: the token began no call. */
export async function callOfToken(
  db: Db,
  tokenHash: string,
  callId: string,
): Promise<{ readonly workspaceId: string; readonly callId: string } | null> {
  const { rows } = await sql<{ workspaceId: string; callId: string }>`
    select workspace_id as "workspaceId", call_id as "callId" from web_call_tokens
    where token_hash = ${tokenHash} and call_id::text = ${callId} and used_at is not null`.execute(db);
  return rows[0] ?? null;
}

interface TokenAgent {
  readonly agentName: string;
  readonly versionConfig: VersionConfig;
}

/** The agent's name and the version of the token; null: the agent is gone. */
export async function findTokenAgent(
  tx: Tx,
  { workspaceId, agentId, versionId }: WebCallToken,
): Promise<TokenAgent | null> {
  const { rows } = await sql<Stored<TokenAgent, 'versionConfig'>>`
    select a.display_name as "agentName", v.config as "versionConfig"
    from agents a join agent_versions v on v.workspace_id = a.workspace_id and v.agent_id = a.id
    where a.workspace_id = ${workspaceId} and a.id = ${agentId} and v.id = ${versionId}
      and a.archived_at is null`.execute(tx);
  return versionDocument.readIn(rows, 'versionConfig')[0] ?? null;
}

/** Inserts a browser call; its numbers are empty. */
export async function insertWebCall(tx: Tx, token: WebCallToken, at: Date): Promise<void> {
  await sql`
    insert into calls (workspace_id, id, agent_id, version_id, call_type, by_stranger, from_number, to_number, callee_name, args,
                       status, sub_status, created_at, updated_at)
    values (${token.workspaceId}, ${token.callId}, ${token.agentId}, ${token.versionId}, 'webcall',
            ${token.byStranger}, '', '',
            ${token.args['callee_name'] ?? ''}, ${JSON.stringify(token.args)}, 'registered', 'QUEUED', ${at},
            ${at})`.execute(tx);
}

/** Stores the caller's rating of a call. False: the workspace has no such call. */
export async function putFeedback(
  db: Db,
  { workspaceId, callId }: { readonly workspaceId: string; readonly callId: string },
  feedback: { readonly rating: number; readonly comment: string | null },
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into call_records (workspace_id, call_id, feedback, updated_at)
    select workspace_id, id, ${JSON.stringify({ ...feedback, at: at.toISOString() })}::jsonb, ${at} from calls
    where workspace_id = ${workspaceId} and id = ${callId}
    on conflict (workspace_id, call_id) do update set feedback = excluded.feedback, updated_at = excluded.updated_at
      where call_records.erased_at is null
    returning call_id`.execute(db);
  return rows.length > 0;
}

/** Replaces the agent's public key: the old one is refused from the commit on. False: no such agent. */
export async function replacePublicKey(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  key: string,
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update agents set webcall_public_key = ${key}, updated_at = ${at}
    where workspace_id = ${workspaceId} and id = ${agentId} and archived_at is null`.execute(tx);
  return numAffectedRows === 1n;
}
