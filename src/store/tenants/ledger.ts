import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { HoldKind } from './holds.ts';

export interface LedgerEntry {
  /** The call or the chat; else the agent of a test, the knowledge base or the voice. */
  readonly callId: string;
  readonly attempt: number;
  readonly kind: 'lock' | 'charge' | 'transfer' | HoldKind;
  /** Micro-credits. */
  readonly amount: number;
  readonly at: Date;
  /** Empty without a call. */
  readonly toNumber: string;
  readonly campaignId: string | null;
}
/** Position after an entry, in the order of the list. */
export interface LedgerCursor {
  readonly callId: string;
  readonly attempt: number;
  readonly kind: string;
}

/** Entries of the newest calls first, along the primary key: call ids are ordered by time. */
export async function listLedger(
  db: Db,
  workspaceId: string,
  callId: string | null,
  after: LedgerCursor | null,
  limit: number,
): Promise<LedgerEntry[]> {
  const { rows } = await sql<LedgerEntry>`
    select l.call_id as "callId", l.attempt, l.kind, l.amount, l.at, coalesce(c.to_number, '') as "toNumber",
           c.campaign_id as "campaignId"
    from (select * from ledger where workspace_id = ${workspaceId}
            ${callId === null ? sql`` : sql`and call_id = ${callId}`}
            ${after === null ? sql`` : sql`and (call_id, attempt, kind) < (${after.callId}::uuid, ${after.attempt}::int, ${after.kind})`}
          order by call_id desc, attempt desc, kind desc limit ${limit}) l
    left join calls c on c.workspace_id = l.workspace_id and c.id = l.call_id
    order by l.call_id desc, l.attempt desc, l.kind desc`.execute(db);
  return rows;
}
