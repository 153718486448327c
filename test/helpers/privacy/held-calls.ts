import { sql } from 'kysely';
import { Client } from 'pg';
import type { Scheduler } from '../../../src/shared/clock.ts';
import type { TestApi } from '../api/api.ts';

/** Locks every call of these workspaces: what changes one of them waits until the returned function is called. */
export async function holdCalls(api: TestApi, workspaceIds: readonly string[]): Promise<() => Promise<void>> {
  // No connection of a pool: those end when they idle in a transaction.
  const client = new Client({ connectionString: api.url });
  await client.connect();
  await client.query('begin');
  await client.query('select from calls where workspace_id = any($1::uuid[]) for update', [workspaceIds]);
  return () => client.end();
}

/** How many statements wait for a lock. */
export async function waitingForLocks(api: TestApi): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(api.db);
  return rows[0]?.count ?? 0;
}

/** Makes every change of the workspace's calls fail, until the returned function is called. */
export async function breakCalls(api: TestApi, workspaceId: string): Promise<() => Promise<void>> {
  await sql`
    create function refuse_change() returns trigger language plpgsql as
    $$ begin raise exception 'this call cannot be changed'; end $$`.execute(api.db);
  await sql`
    create trigger refuse_change before update on calls for each row
    when (new.workspace_id = ${sql.lit(workspaceId)}) execute function refuse_change()`.execute(api.db);
  return async () => {
    await sql`drop function refuse_change() cascade`.execute(api.db);
  };
}

/** Timers that run when the test says so. */
export class HeldScheduler implements Scheduler {
  readonly #timers = new Set<() => void>();

  now(): number {
    return 0;
  }

  after(_ms: number, run: () => void): () => void {
    this.#timers.add(run);
    return () => this.#timers.delete(run);
  }

  /** Runs the timers that are set now. */
  expire(): void {
    const due = [...this.#timers];
    this.#timers.clear();
    for (const run of due) run();
  }
}
