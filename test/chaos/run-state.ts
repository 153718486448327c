import { sql } from 'kysely';
import type { Db } from '../../src/store/database.ts';
import type { EmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { throughOutage } from '../../src/store/transient.ts';
import type { FakedClock } from '../helpers/service/faked-clock.ts';
import type { Client } from './client.ts';
import type { ProcessPool } from './process-pool.ts';
import type { Started } from './checker.ts';
import type { Plan } from './plan.ts';
import type { Receiver } from './receiver.ts';

export interface ChaosOptions {
  readonly contacts: number;
  readonly campaigns: number;
  readonly processes: number;
  readonly kills: number;
  readonly postgresKills: number;
  readonly seed: number;
  /** Moves the wall clock of the processes forward while everything waits for windows and retries. */
  readonly isHurried: boolean;
  readonly lifetimeMs: number;
  readonly pointTimeoutMs: number;
  readonly limitMs: number;
  readonly log: (line: string) => void;
}

/** State of a run in progress. */
export interface RunState {
  readonly options: ChaosOptions;
  readonly plan: Plan;
  readonly db: Db;
  readonly clock: FakedClock | null;
  readonly pool: ProcessPool;
  readonly client: Client;
  readonly receiver: Receiver;
  readonly started: Started[];
  readonly agents: readonly string[];
  readonly numbers: readonly (readonly string[])[];
  readonly workspaceIds: readonly string[];
  /** Requests that failed for good. */
  readonly failures: string[];
  resumed: number;
  toppedUp: number;
  postgresKills: number;
  readonly postgres: EmbeddedPostgres;
}

/** Adds credits in SQL and records them in the same transaction, so that the checker knows every deposit. */
export async function topUp(run: RunState, workspace: number, credits: number): Promise<void> {
  run.toppedUp += 1;
  const amount = credits * 1_000_000;
  const id = run.workspaceIds[workspace]!;
  await throughOutage(
    () =>
      run.db.transaction().execute(async (tx) => {
        await sql`insert into chaos_top_ups (workspace_id, amount) values (${id}, ${amount})`.execute(tx);
        await sql`update workspaces set credits = credits + ${amount} where id = ${id}`.execute(tx);
      }),
    60_000,
  );
}
