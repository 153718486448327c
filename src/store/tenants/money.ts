import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';
import { settingsOf, unlimitedOf } from '../terms.ts';

/** The money and the terms of a locked workspace. Micro-credits. */
export interface Wallet {
  readonly credits: number;
  readonly lockedCredits: number;
  /** The part of `lockedCredits` for calls and chats that a stranger began. */
  readonly strangerLocked: number;
  readonly unlimited: boolean;
  readonly settings: JsonObject;
}

/** Locks the workspace until commit, so that limits and balance are read after every earlier admission. Null: archived or gone. */
export async function lockWallet(tx: Tx, workspaceId: string): Promise<Wallet | null> {
  const { rows } = await sql<Wallet>`
    select credits, locked_credits as "lockedCredits", stranger_locked as "strangerLocked",
           ${unlimitedOf('w')} as unlimited, ${settingsOf('w')} as settings
    from workspaces w where w.id = ${workspaceId} and archived_at is null for no key update of w`.execute(tx);
  return rows[0] ?? null;
}

/** The day of UTC. */
const dayOf = (at: Date): RawBuilder<unknown> => sql`${at.toISOString().slice(0, 10)}::date`;

/** Adds to what the workspace holds: locked credits, and turns of today. */
export async function changeHeld(
  tx: Tx,
  workspaceId: string,
  change: {
    readonly amount: number;
    readonly byStranger: boolean;
    readonly turns: number;
    readonly at: Date;
  },
): Promise<void> {
  const { amount, byStranger, turns, at } = change;
  if (amount === 0 && turns === 0) return;
  const day = dayOf(at);
  await sql`update workspaces
    set locked_credits = locked_credits + ${amount},
      stranger_locked = stranger_locked + ${byStranger ? amount : 0},
      turns_today = case when turns_day >= ${day} then turns_today else 0 end + ${turns}::int,
      turns_day = greatest(turns_day, ${day})
    where id = ${workspaceId}`.execute(tx);
}

/**
 * Settles what was held: unlocks `reserved` and charges `charge`. A charge of a past day, settled late, leaves the sums of the
 * present day alone.
 */
export async function settleHeld(
  tx: Tx,
  workspaceId: string,
  money: {
    readonly reserved: number;
    readonly charge: number;
    readonly byStranger: boolean;
    readonly at: Date;
    /** Turns that were held and not taken; absent: none were held. */
    readonly turns?: { readonly unused: number; readonly heldAt: Date };
  },
): Promise<void> {
  const { reserved, charge, byStranger, at, turns } = money;
  const unused = turns?.unused ?? 0;
  if (reserved === 0 && charge === 0 && unused === 0) return;
  const day = dayOf(at);
  const ofStranger = byStranger ? 1 : 0;
  await sql`update workspaces
    set locked_credits = locked_credits - ${reserved}, credits = credits - ${charge},
      charged_total = charged_total + ${charge},
      stranger_locked = stranger_locked - ${reserved * ofStranger},
      spent_day = greatest(spent_day, ${day}),
      spent_today = case when spent_day > ${day} then spent_today
                         when spent_day = ${day} then spent_today + ${charge} else ${charge} end,
      stranger_spent = case when spent_day > ${day} then stranger_spent
                            when spent_day = ${day} then stranger_spent + ${charge * ofStranger}
                            else ${charge * ofStranger} end,
      turns_today = turns_today - case when turns_day = ${dayOf(turns?.heldAt ?? at)} then ${unused}::int else 0 end
    where id = ${workspaceId}`.execute(tx);
}
