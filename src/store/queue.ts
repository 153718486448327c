import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Channel of the wake-up hint; polling is the truth, so losing one only costs a second. */
export const QUEUE_CHANNEL = 'callwright_queue';

/** Wakes the dialers of every process. Outside hot transactions, and at most some ten times a second. */
export async function notifyQueue(db: Db): Promise<void> {
  await sql`select pg_notify(${QUEUE_CHANNEL}, '')`.execute(db);
}
