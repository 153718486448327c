import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** The name of an agent, and the language of its active version. */
export interface NamedAgent {
  readonly id: string;
  readonly name: string;
  readonly language: string;
}

/** The agents of a workspace with these ids that are not archived. */
export async function namedAgents(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<NamedAgent[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('agents as a')
    .innerJoin('agent_versions as v', (join) =>
      join.onRef('v.workspace_id', '=', 'a.workspace_id').onRef('v.id', '=', 'a.active_version_id'),
    )
    .select(['a.id', 'a.display_name as name', sql<string>`v.config ->> 'language'`.as('language')])
    .where('a.workspace_id', '=', workspaceId)
    .where('a.id', 'in', ids)
    .where('a.archived_at', 'is', null)
    .execute();
}
