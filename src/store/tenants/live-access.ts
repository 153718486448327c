import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Role } from '../schema.ts';

/** A session in a workspace, of which something is going on. */
export interface LiveSession {
  readonly sessionId: string;
  readonly workspaceId: string;
}

/** The sessions that still have a role in their workspace. */
export async function findLiveSessions(
  db: Db,
  sessions: readonly LiveSession[],
  at: { readonly now: Date; readonly idleSince: Date },
): Promise<(LiveSession & { readonly role: Role })[]> {
  if (sessions.length === 0) return [];
  const { rows } = await sql<LiveSession & { role: Role }>`
    select distinct on (t.session_id, w.id) t.session_id as "sessionId", w.id as "workspaceId", m.role
    from unnest(${sessions.map(({ sessionId }) => sessionId)}::uuid[],
      ${sessions.map(({ workspaceId }) => workspaceId)}::uuid[]) t (session_id, workspace_id)
    join sessions s on s.id = t.session_id and s.expires_at > ${at.now} and s.seen_at > ${at.idleSince}
    join workspaces w on w.id = t.workspace_id and w.archived_at is null
    join memberships m on m.user_id = s.user_id and m.workspace_id in (w.id, w.parent_id)
    order by t.session_id, w.id, array_position(array['owner', 'manager', 'viewer'], m.role)`.execute(db);
  return rows;
}

/** The keys that still work. */
export async function findLiveKeys(db: Db, keyIds: readonly string[], now: Date): Promise<Set<string>> {
  if (keyIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from api_keys where id = any (${[...keyIds]}::uuid[]) and (expires_at is null or expires_at > ${now})`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}
