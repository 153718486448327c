import { sql, type RawBuilder } from 'kysely';
import type { JsonObject } from './schema.ts';

/**
 * The terms of a workspace, read through its parent: SQL fragments for a statement that names the workspace's row `w`. A child
 * stores only what it narrows, so a change of the parent holds for it from the next statement on.
 */

/** Not charged: the workspace and its parent are both unlimited. */
export const unlimitedOf = (w: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${w}.unlimited`)} and coalesce(
    (select tp.unlimited from workspaces tp where tp.id = ${sql.ref(`${w}.parent_id`)}), true))`;

/** The settings; those of a parent are beside them under `parent`. */
export const settingsOf = (w: string): RawBuilder<JsonObject> =>
  sql`(case when ${sql.ref(`${w}.parent_id`)} is null then ${sql.ref(`${w}.settings`)}
    else ${sql.ref(`${w}.settings`)} || (select jsonb_build_object('parent', tp.settings)
      from workspaces tp where tp.id = ${sql.ref(`${w}.parent_id`)}) end)`;
