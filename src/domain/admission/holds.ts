import { randomInt } from 'node:crypto';
import type { Clock } from '../../shared/clock.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  chargeSubject,
  expiredHolds,
  insertHold,
  readTerms,
  takeHold,
  type HoldKey,
  type HoldKind,
} from '../../store/tenants/holds.ts';
import { settleHeld } from '../../store/tenants/money.ts';
import { workspaceLimits } from '../workspaces/limits.ts';
import { enter, judge, type GateDeps, type Judgement } from './gate.ts';
import { refusedError } from './refused.ts';
import type { Price } from './rules.ts';

/** A request for something that is no call. */
export interface HoldRequest {
  readonly workspaceId: string;
  readonly kind: HoldKind;
  readonly subjectId: string;
  /** The turn of a chat; absent: a number of its own. */
  readonly step?: number;
  readonly price: Extract<Price, { amount: number } | { each: number }>;
  readonly byStranger: boolean;
  /** Longer than the work may take; after it the hold is released without a charge. */
  readonly lifeMs: number;
}

export type HoldAnswer =
  | {
      readonly admitted: true;
      /** Null: nothing is held, because it costs nothing and no cap counts it. */
      readonly held: HoldKey | null;
      /** Turns of a model that may be taken. */
      readonly turns: number;
    }
  | Extract<Judgement, { readonly admitted: false }>;

const DAY_MS = 86_400_000;
const LAST_STEP = 2_000_000_000;
/** The ledger numbers its entries of a subject with 15 bits. */
const LAST_ENTRY = 32_767;
const EXPIRED_AT_ONCE = 100;

/** Passes the gate with something that is no call, and holds its worst price until `settleHold`. */
export async function hold(deps: GateDeps, request: HoldRequest): Promise<HoldAnswer> {
  const { workspaceId, kind, subjectId, price, byStranger } = request;
  const isSum = 'amount' in price;
  const most = isSum ? 0 : price.most;
  const isFree = (isSum ? price.amount : price.each) === 0;
  const free = { admitted: true, held: null, turns: most } as const;
  if (isFree && isSum) return free;
  const terms = await readTerms(deps.db, workspaceId);
  if (terms === null) return { admitted: false, reason: 'gone' };
  const countsTurns = !isSum && workspaceLimits(terms.settings).caps.modelTurnsPerDay !== null;
  if ((isFree || terms.unlimited) && !countsTurns) return free;
  return deps.db.transaction().execute(async (tx): Promise<HoldAnswer> => {
    const admission = await judge(tx, deps, workspaceId, { kind, price, byStranger });
    if (!admission.admitted) return admission;
    await enter(tx, deps, workspaceId, admission);
    const held = { workspaceId, kind, subjectId, step: request.step ?? randomInt(LAST_STEP) };
    const at = new Date(deps.clock.now());
    const expiresAt = new Date(at.getTime() + request.lifeMs);
    const { amount, turns } = admission;
    await insertHold(tx, held, { amount, turns, byStranger, at, expiresAt });
    return { admitted: true, held, turns };
  });
}

/**
 * Settles a hold with what was used, at most what it held: the only inverse of `hold`. No effect on one that was settled or has
 * expired. Locks the workspace, so it goes before the lock of a chat.
 */
export async function settleHold(
  tx: Tx,
  { clock }: { readonly clock: Clock },
  held: HoldKey | null,
  used: { readonly amount: number; readonly turns: number },
): Promise<void> {
  if (held === null) return;
  const found = await takeHold(tx, held);
  if (found === null) return;
  const { amount, byStranger, turns, at: heldAt } = found;
  const at = new Date(clock.now());
  const charge = Math.min(used.amount, amount);
  await settleHeld(tx, held.workspaceId, {
    reserved: amount,
    charge,
    byStranger,
    at,
    turns: { unused: Math.max(0, turns - used.turns), heldAt },
  });
  if (charge === 0) return;
  await chargeSubject(tx, { ...held, entry: Math.min(entryOf(held, at), LAST_ENTRY) }, charge, at);
}

/** The number of the ledger entry that a charge adds to. */
function entryOf({ kind, step }: HoldKey, at: Date): number {
  if (kind === 'chat') return step;
  return kind === 'analysis' ? 0 : Math.floor(at.getTime() / DAY_MS);
}

export const NOTHING = { amount: 0, turns: 0 } as const;

/** Does `work` for a price that is held meanwhile, and charged when it is done. Throws the gate's refusal as an answer. */
export async function paid<T>(deps: GateDeps, request: HoldRequest, work: () => Promise<T>): Promise<T> {
  const answer = await hold(deps, request);
  if (!answer.admitted) throw refusedError(answer.reason);
  return charged(deps, answer, request.price, work);
}

/** Does `work` whose price is held: charged whole when it is done, and not at all when it fails. */
export async function charged<T>(
  deps: Pick<GateDeps, 'db' | 'clock'>,
  { held, turns }: Extract<HoldAnswer, { readonly admitted: true }>,
  price: HoldRequest['price'],
  work: () => Promise<T>,
): Promise<T> {
  if (held === null) return work();
  const settle = (used: Parameters<typeof settleHold>[3]): Promise<void> =>
    deps.db.transaction().execute((tx) => settleHold(tx, deps, held, used));
  try {
    const done = await work();
    await settle({ amount: 'amount' in price ? price.amount : turns * price.each, turns });
    return done;
  } catch (error) {
    await settle(NOTHING);
    throw error;
  }
}

/** Releases holds whose process died. Returns how many. */
export async function releaseExpired(deps: { readonly db: Db; readonly clock: Clock }): Promise<number> {
  const expired = await expiredHolds(deps.db, new Date(deps.clock.now()), EXPIRED_AT_ONCE);
  for (const key of expired) {
    await deps.db.transaction().execute((tx) => settleHold(tx, deps, key, NOTHING));
  }
  return expired.length;
}
