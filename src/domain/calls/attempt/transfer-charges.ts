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
import { affordableMs, priceOf, type Rate } from '../../credits/price.ts';

/**
 * The second leg of a warm transfer is a call of its own to the carrier, so it costs like one: its price is locked
 * before its INVITE, as part of the call's `reserved`, and its answered time is charged with the call's settlement. After the
 * REFER of a cold transfer the carrier bears the call, and this service learns neither whether nor how long the far side
 * talks: it costs the price of the agent's longest call, unless the carrier refused it.
 */

/** When a leg was answered and ended, as the process that dialled it knows it; epoch ms, null: not. */
export interface LegTimes {
  readonly leg: number;
  readonly answeredAt: number | null;
  readonly endedAt: number | null;
}

/** The default of interface's `max_call_length`. */
const MAX_CALL_SECONDS = 240;

const longestOf = (call: Pick<CallFacts, 'versionConfig'>): number => {
  const config = (call.versionConfig as Partial<VersionConfig>).callConfig;
  return (config?.maxCallLength ?? MAX_CALL_SECONDS) * 1000;
};

/** The talk that a warm transfer's leg may last at most: the rest of the call. Pure. */
export function transferTalkMs(
  call: Pick<CallFacts, 'unlimited' | 'reserved' | 'answeredAt' | 'versionConfig'>,
  earlier: readonly TransferLeg[],
  rate: Rate,
  now: number,
): number {
  const longest = longestOf(call);
  const own = call.reserved - reservedOf(earlier);
  const capMs = own > 0 ? Math.min(longest, affordableMs(own, rate)) : longest;
  return Math.max(1, capMs - (now - (call.answeredAt?.getTime() ?? now)));
}

/** The price of a cold transfer: of the agent's longest call. */
export const referPrice = (call: Pick<CallFacts, 'versionConfig'>, rate: Rate): number =>
  priceOf(longestOf(call), rate);

/** Frees what a cold transfer locked: the carrier refused it. */
export function releaseRefer(
  deps: { readonly db: Db; readonly clock: Clock },
  ref: AttemptRef,
  number: number,
): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const call = await lockLiveAttempt(tx, ref);
    if (call === null) return;
    const leg = (await transferLegs(tx, ref)).find((row) => row.leg === number && row.byRefer);
    if (leg === undefined) return;
    const { byStranger } = call;
    const at = new Date(deps.clock.now());
    await endTransferLeg(tx, { ...ref, byStranger }, { ...leg, answeredAt: null, kept: 0 }, at);
  });
}

/** Ends a leg whose call goes on: frees its trunk channel, and what it locked beyond the price of its talk. */
export function closeTransferLeg(
  deps: { readonly db: Db; readonly clock: Clock; readonly rate: Rate },
  ref: AttemptRef,
  times: LegTimes,
): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    // After the settlement no leg is left to end.
    const call = await lockLiveAttempt(tx, ref);
    if (call === null) return;
    const leg = (await transferLegs(tx, ref)).find((row) => row.leg === times.leg && row.endedAt === null);
    if (leg === undefined) return;
    const ended = withTimes(leg, times, times.endedAt ?? deps.clock.now());
    const { byStranger } = call;
    const kept = chargeOfLeg(ended, deps.rate);
    await endTransferLeg(tx, { ...ref, byStranger }, { ...ended, kept }, ended.endedAt);
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
function chargeOfLeg({ reserved, answeredAt, endedAt, byRefer }: TransferLeg, rate: Rate): number {
  if (answeredAt === null || endedAt === null) return 0;
  if (byRefer) return reserved;
  return Math.min(reserved, priceOf(endedAt.getTime() - answeredAt.getTime(), rate));
}
