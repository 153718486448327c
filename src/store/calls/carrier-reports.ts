import { sql } from 'kysely';
import type { CarrierStatus } from '../../shared/carrier-status.ts';
import type { Db } from '../database.ts';
import { QUEUE_CHANNEL } from '../scheduler/hints.ts';

/** Passes a report on to every process, and stores nothing: the one that placed the call acts. */
export async function sendReport(db: Db, carrierReport: CarrierStatus): Promise<void> {
  await sql`select pg_notify(${QUEUE_CHANNEL}, ${JSON.stringify({ carrierReport })})`.execute(db);
}

/** The report in a notification; null: it has none. */
export function reportIn(payload: string): CarrierStatus | null {
  if (!payload.startsWith('{"carrierReport":')) return null;
  try {
    const { carrierReport: report } = JSON.parse(payload) as { readonly carrierReport?: CarrierStatus };
    return typeof report?.attemptId === 'string' && typeof report.carrierCallId === 'string' ? report : null;
  } catch {
    return null;
  }
}
