import { sql } from 'kysely';
import type { ManualClock } from '../../../src/shared/clock.ts';
import type { Db } from '../../../src/store/database.ts';
import { throughOutage } from '../../../src/store/transient.ts';
import { createTestDatabase } from './database.ts';
import { mondayClock } from './workspace.ts';

/** A database and a clock that stands at 10:00 on a Monday. */
export interface Ground {
  readonly db: Db;
  /** URL of the database. */
  readonly url: string;
  clock: ManualClock;
  /** Empties the database and sets the clock back. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** Creates an empty database with its clock. */
export async function createGround(options: { maxConnections?: number } = {}): Promise<Ground> {
  const database = await createTestDatabase(options);
  const { db, url } = database;
  const ground: Ground = {
    db,
    url,
    clock: mondayClock(),
    async renew() {
      // A call of the last test may still be settled, and lock rows in another order than this locks tables.
      await throughOutage(
        () =>
          sql`truncate workspaces, trunks, numbers, number_pools, agents, agent_versions, calls, call_attempts,
          call_records, talk_journal, ledger, events, deliveries, nodes, jobs, do_not_call, campaigns, campaign_numbers,
          campaign_do_not_call cascade`.execute(db),
        60_000,
      );
      ground.clock = mondayClock();
    },
    close: () => database.close(),
  };
  return ground;
}
