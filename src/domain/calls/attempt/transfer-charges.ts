import type { VersionConfig } from '../../../store/json/agent-version.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { AttemptRef } from '../../../store/calls/attempts.ts';
import { lockLiveAttempt, type CallFacts } from '../../../store/calls/facts.ts';
import {
  dropTransferLegs,
  endTransferLeg,
  transferLegs,
  type TransferLeg,
} from '../../../store/calls/transfer-legs.ts';
import type { Db, Tx } from '../../../store/database.ts';
import { affordableMs, lockFor, priceOf, type Rate } from '../../credits/price.ts';

/**
 * The second leg of a warm transfer is a call of its own to the carrier, so it costs like one: its price is locked
 * before its INVITE, as part of the call's `reserved`, and its answered time is charged with the call's settlement. A
 * cold transfer costs nothing: with the REFER the call leaves this service, which learns neither whether nor how long
 * the far side talks.
 */

/** When a leg was answered and ended, as the process that dialled it knows it; epoch ms, null: not. */
export interface LegTimes {
  readonly leg: number;
  readonly answeredAt: number | null;
  readonly endedAt: number | null;
}

/** The default of interface's `max_call_length`. */
const MAX_CALL_SECONDS = 240;

/**
 * The credits to lock for a transfer's leg: the price of the rest of the call, or of the part that `available` covers.
 * Null when that is less than a pulse. Pure.
 */
export function transferLock(
  call: Pick<CallFacts, 'unlimited' | 'reserved' | 'answeredAt' | 'versionConfig'>,
  earlier: readonly TransferLeg[],
  available: number,
  rate: Rate,
  now: number,
): { readonly capMs: number | null; readonly amount: number } | null {
  if (call.unlimited) return { capMs: null, amount: 0 };
  const config = (call.versionConfig as Partial<VersionConfig>).call_config;
  const longest = (config?.max_call_length ?? MAX_CALL_SECONDS) * 1000;
  const own = call.reserved - reservedOf(earlier);
  const capMs = own > 0 ? Math.min(longest, affordableMs(own, rate)) : longest;
  const rest = capMs - (now - (call.answeredAt?.getTime() ?? now));
  return lockFor(Math.max(rest, 1), available, rate);
}

/** Ends a leg whose call goes on: frees its trunk channel, and what it locked beyond the price of its talk. */
export function closeTransferLeg(
  deps: { readonly db: Db; readonly clock: Clock; readonly rate: Rate },
  ref: AttemptRef,
  times: LegTimes,
): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    // After the settlement no leg is left to end.
    if ((await lockLiveAttempt(tx, ref)) === null) return;
    const leg = (await transferLegs(tx, ref)).find((row) => row.leg === times.leg && row.endedAt === null);
    if (leg === undefined) return;
    const ended = withTimes(leg, times, times.endedAt ?? deps.clock.now());
    await endTransferLeg(tx, ref, { ...ended, kept: chargeOfLeg(ended, deps.rate) });
  });
}

/**
 * Ends every leg of a locked call's attempt that is settled at `endedAt`. Returns the charge for them, and how much of
 * the call's `reserved` they had locked.
 */
export async function settleTransferLegs(
  tx: Tx,
  call: CallFacts,
  end: { readonly times: readonly LegTimes[]; readonly endedAt: number; readonly rate: Rate },
): Promise<{ charge: number; reserved: number }> {
  const ref = { workspaceId: call.workspaceId, callId: call.id, attempt: call.attempt };
  const legs = await transferLegs(tx, ref);
  if (legs.length === 0) return { charge: 0, reserved: 0 };
  await dropTransferLegs(tx, ref);
  const ended = legs.map((leg) =>
    withTimes(
      leg,
      end.times.find((times) => times.leg === leg.leg),
      end.endedAt,
    ),
  );
  return {
    charge: ended.reduce((sum, leg) => sum + chargeOfLeg(leg, end.rate), 0),
    reserved: reservedOf(legs),
  };
}

const reservedOf = (legs: readonly TransferLeg[]): number =>
  legs.reduce((sum, { reserved }) => sum + reserved, 0);

/** The leg with the times that its process knows, where the journal missed them; it ended at `endedAt` at the latest. */
function withTimes(
  leg: TransferLeg,
  known: LegTimes | undefined,
  endedAt: number,
): TransferLeg & { readonly endedAt: Date } {
  const answeredAt = leg.answeredAt ?? (known?.answeredAt == null ? null : new Date(known.answeredAt));
  return {
    ...leg,
    answeredAt,
    endedAt: leg.endedAt ?? new Date(Math.min(known?.endedAt ?? endedAt, endedAt)),
  };
}

/** The price of the leg's talk, at most what it locked: an ended leg keeps its price locked. */
function chargeOfLeg({ reserved, answeredAt, endedAt }: TransferLeg, rate: Rate): number {
  if (answeredAt === null || endedAt === null) return 0;
  return Math.min(reserved, priceOf(endedAt.getTime() - answeredAt.getTime(), rate));
}
