import { sql } from 'kysely';
import type { Tx } from './database.ts';

/** A digest of every part of a workspace that the provision file may declare. */
export interface WorkspacePrint {
  readonly settings: string | null;
  readonly credits: string | null;
  readonly api_key: string | null;
  readonly numbers: string | null;
  readonly owner: string | null;
}

/** The workspace as it is; its row is locked until commit. */
export async function printWorkspace(tx: Tx, workspaceId: string): Promise<WorkspacePrint> {
  const { rows } = await sql<WorkspacePrint>`
    select md5(jsonb_build_array(w.name, w.unlimited, w.call_limit, w.settings - 'provisioned_credits')::text) as settings,
      md5(w.credits::text) as credits,
      (select md5(k.key_hash) from api_keys k where k.workspace_id = w.id) as api_key,
      (select md5(string_agg(jsonb_build_array(n.number, n.trunk_id, n.provider, n.display_name, n.is_test_number,
        n.call_limit)::text, ',' order by n.id)) from numbers n
        where n.workspace_id = w.id) as numbers,
      (select md5(string_agg(u.email || ' ' || u.password_hash, ',' order by u.id)) from memberships m
        join users u on u.id = m.user_id where m.workspace_id = w.id and m.role = 'owner') as owner
    from workspaces w where w.id = ${workspaceId} for update of w`.execute(tx);
  const [print] = rows;
  if (print === undefined) throw new Error('the workspace is not there');
  return print;
}
