import { sql } from 'kysely';
import type { Db } from '../../src/store/database.ts';
import type { EmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { throughOutage } from '../../src/store/transient.ts';
import type { FakedClock } from '../helpers/faked-clock.ts';
import type { Client } from './client.ts';
import type { Crew } from './crew.ts';
import type { Started } from './judge.ts';
import type { Plan } from './plan.ts';
import type { Receiver } from './receiver.ts';

export interface ChaosOptions {
  readonly contacts: number;
  readonly campaigns: number;
  readonly processes: number;
  readonly kills: number;
  readonly postgresKills: number;
  readonly seed: number;
  /** The wall clock of the processes is moved on when only windows and retries are waited for. */
  readonly isHurried: boolean;
  readonly lifeMs: number;
  readonly pointMs: number;
  readonly limitMs: number;
  readonly log: (line: string) => void;
}

/** What a run consists of while it goes on. */
export interface Stage {
  readonly options: ChaosOptions;
  readonly plan: Plan;
  readonly db: Db;
  readonly clock: FakedClock | null;
  readonly crew: Crew;
  readonly client: Client;
  readonly receiver: Receiver;
  readonly started: Started[];
  readonly agents: readonly string[];
  readonly numbers: readonly (readonly string[])[];
  readonly workspaceIds: readonly string[];
  /** What could not be asked for. */
  readonly failures: string[];
  resumed: number;
  toppedUp: number;
  postgresKills: number;
  readonly postgres: EmbeddedPostgres;
}

/** Money by its own table, so that what was paid in is known for certain. */
export async function topUp(stage: Stage, workspace: number, credits: number): Promise<void> {
  stage.toppedUp += 1;
  const amount = credits * 1_000_000;
  const id = stage.workspaceIds[workspace]!;
  await throughOutage(
    () =>
      stage.db.transaction().execute(async (tx) => {
        await sql`insert into chaos_top_ups (workspace_id, amount) values (${id}, ${amount})`.execute(tx);
        await sql`update workspaces set credits = credits + ${amount} where id = ${id}`.execute(tx);
      }),
    60_000,
  );
}
