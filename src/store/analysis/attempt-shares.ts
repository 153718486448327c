import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database.ts';
import { byDay, isCounted, type AttemptFilter } from './attempt-figures.ts';
import { ofKeptDays } from '../months/since.ts';

/** Attempts that were dialled or came in and have ended, and those of them that a person answered. */
export interface AttemptShare {
  readonly attempts: number;
  readonly answeredAttempts: number;
}

const COUNTED = sql`
  coalesce(sum(attempts), 0)::bigint as attempts, coalesce(sum(answered), 0)::bigint as "answeredAttempts"`;

/** The folded attempts and those that wait, in one snapshot. */
const ended = (workspaceId: string, filter: AttemptFilter): RawBuilder<unknown> => {
  const where = isCounted(workspaceId, filter, 'day');
  return sql`(
    select day, agent_id, version_id, number_id, campaign_id, attempts, first_attempts, answered
    from attempt_days where ${where}
    union all
    select day, agent_id, version_id, number_id, campaign_id, attempts, first_attempts, answered
    from ${byDay(workspaceId, sql`(select * from ended_attempts where workspace_id = ${workspaceId})`)} e where ${where}) ended`;
};

/** SQL of the shares by `keys`, columns of `attempt_days`. */
export const sharesBy = (
  workspaceId: string,
  filter: AttemptFilter,
  keys: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`select ${keys}, ${COUNTED} from ${ended(workspaceId, filter)} group by ${keys}`;

export async function sumAttempts(db: Db, workspaceId: string, filter: AttemptFilter): Promise<AttemptShare> {
  const { rows } = await sql<AttemptShare>`
    select ${COUNTED} from ${ended(workspaceId, filter)}`.execute(db);
  return rows[0] ?? { attempts: 0, answeredAttempts: 0 };
}

/** SQL that counts the calls whose first attempt has ended. */
export const countDialled = (workspaceId: string, filter: AttemptFilter): RawBuilder<number> =>
  sql<number>`select coalesce(sum(first_attempts), 0)::bigint from ${ended(workspaceId, filter)} where ${ofKeptDays}`;
