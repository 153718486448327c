import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';
import { settingsOf, unlimitedOf } from '../terms.ts';

export type HoldKind = 'chat' | 'test' | 'embedding' | 'preview' | 'search' | 'analysis';

/** What holds credits or model turns: a turn of a chat or test, embeddings, a search, an analysis, a preview. */
export interface HoldKey {
  readonly workspaceId: string;
  readonly kind: HoldKind;
  /** The call, chat, agent, knowledge base or voice. */
  readonly subjectId: string;
  readonly step: number;
}
export interface Hold {
  /** Micro-credits. */
  readonly amount: number;
  readonly turns: number;
  readonly byStranger: boolean;
  readonly at: Date;
}

/** The terms of a workspace, read without a lock; null: archived or gone. */
export async function readTerms(
  db: Db,
  workspaceId: string,
): Promise<{ unlimited: boolean; settings: JsonObject } | null> {
  const { rows } = await sql<{ unlimited: boolean; settings: JsonObject }>`
    select ${unlimitedOf('w')} as unlimited, ${settingsOf('w')} as settings
    from workspaces w where w.id = ${workspaceId} and w.archived_at is null`.execute(db);
  return rows[0] ?? null;
}

export async function insertHold(
  tx: Tx,
  { workspaceId, kind, subjectId, step }: HoldKey,
  hold: Hold & { readonly expiresAt: Date },
): Promise<void> {
  await sql`
    insert into holds (workspace_id, subject_id, step, kind, amount, turns, by_stranger, at, expires_at)
    values (${workspaceId}, ${subjectId}, ${step}, ${kind}, ${hold.amount}, ${hold.turns}, ${hold.byStranger}, ${hold.at},
            ${hold.expiresAt})`.execute(tx);
}

/** Deletes a hold, which only one transaction can; null: it was settled or has expired. */
export async function takeHold(tx: Tx, key: HoldKey): Promise<Hold | null> {
  const { rows } = await sql<Hold>`
    delete from holds where workspace_id = ${key.workspaceId} and subject_id = ${key.subjectId}
      and kind = ${key.kind} and step = ${key.step}
    returning amount, turns, by_stranger as "byStranger", at`.execute(tx);
  return rows[0] ?? null;
}

/** Holds whose process did not settle them in time, the oldest first. */
export async function expiredHolds(db: Db, now: Date, limit: number): Promise<HoldKey[]> {
  const { rows } = await sql<HoldKey>`
    select workspace_id as "workspaceId", kind, subject_id as "subjectId", step from holds
    where expires_at <= ${now} order by expires_at limit ${limit}`.execute(db);
  return rows;
}

/** Adds a charge to the ledger entry of its subject and `entry`: the turn of a chat, 0 for an analysis, else the day. */
export async function chargeSubject(
  tx: Tx,
  key: HoldKey & { readonly entry: number },
  amount: number,
  at: Date,
): Promise<void> {
  await sql`
    insert into ledger (workspace_id, call_id, attempt, kind, amount, at)
    values (${key.workspaceId}, ${key.subjectId}, ${key.entry}, ${key.kind}, ${amount}, ${at})
    on conflict (workspace_id, call_id, attempt, kind) do update set amount = ledger.amount + excluded.amount,
      at = excluded.at`.execute(tx);
}
