import { outboundPause } from '../domain/admission/anomaly.ts';
import { headroom, reachedCap } from '../domain/admission/rules.ts';
import { usageAt } from '../domain/admission/usage.ts';
import type { Rate } from '../domain/credits/price.ts';
import type { CapName, WorkspaceLimits } from '../domain/workspaces/limits.ts';
import type { Tx } from '../store/database.ts';
import type { Tenant } from '../store/scheduler/claims.ts';

/** What the admission gate leaves to outbound calls. Without a cap of theirs no usage is read. */
export async function outboundRoom(
  tx: Tx,
  { rate }: { readonly rate: Rate },
  wallet: Tenant,
  { caps }: WorkspaceLimits,
  now: number,
): Promise<OutboundRoom> {
  if (outboundPause(wallet.settings) !== null) return PAUSED;
  if (caps.callsPerMinute === null && caps.creditsPerDay === null) return UNCAPPED;
  const usage = await usageAt(tx, wallet.id, now);
  const standing = { wallet, caps, usage, lines: Number.POSITIVE_INFINITY, isPaused: false };
  const price = { talkMs: 1, rate };
  const exhausted = reachedCap(standing, { kind: 'outbound', price, byStranger: false });
  const { starts, credits } = headroom(standing, false);
  return {
    starts: exhausted === null ? starts : 0,
    credits: exhausted === 'credits_per_day' ? 0 : credits,
    exhausted,
    isHeld: exhausted !== null,
  };
}

interface OutboundRoom {
  readonly starts: number;
  readonly credits: number;
  /** The reached cap; null: none. */
  readonly exhausted: CapName | null;
  /** No call of the workspace may start. */
  readonly isHeld: boolean;
}

const UNCAPPED: OutboundRoom = {
  starts: Number.POSITIVE_INFINITY,
  credits: Number.POSITIVE_INFINITY,
  exhausted: null,
  isHeld: false,
};
/** The anomaly stop holds the workspace. */
const PAUSED: OutboundRoom = { ...UNCAPPED, starts: 0, isHeld: true };
