import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db, Tx } from '../../store/database.ts';
import { countStarts, readUsage } from '../../store/tenants/usage.ts';
import { pulsePrice, toMicroCredits, type Rate } from '../credits/price.ts';
import type { CapNotices } from './cap-notices.ts';
import type { Caps } from './limits.ts';

export type CapName = 'calls_per_minute' | 'credits_per_day';

/** What the caps still allow. */
export interface CapCapacity {
  /** Attempts that may start now. */
  readonly calls: number;
  /** Micro-credits that calls may still lock today. */
  readonly credits: number;
  /** The exhausted cap; null: none. */
  readonly exhausted: CapName | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNCAPPED: CapCapacity = { calls: Infinity, credits: Infinity, exhausted: null };

const hasCaps = ({ callsPerMinute, creditsPerDay }: Caps): boolean =>
  callsPerMinute !== null || creditsPerDay !== null;
const usageAt = (db: Db, workspaceId: string, caps: Caps, now: number) =>
  readUsage(db, workspaceId, {
    now: new Date(now),
    minuteAgo: new Date(now - MINUTE_MS),
    // UTC days.
    dayStart: new Date(now - (now % DAY_MS)),
    most: caps.callsPerMinute ?? 0,
  });

/**
 * What a claim may start. The claim has locked the workspace's row, so no other claim starts calls meanwhile: the caps
 * hold exactly. Locked credits count as spent.
 */
export async function capCapacity(
  db: Db,
  tenant: { readonly id: string; readonly unlimited: boolean; readonly lockedCredits: number },
  caps: Caps,
  rate: Rate,
  now: number,
): Promise<CapCapacity> {
  if (!hasCaps(caps)) return UNCAPPED;
  const { attempts, spent } = await usageAt(db, tenant.id, caps, now);
  const calls = caps.callsPerMinute === null ? Infinity : Math.max(0, caps.callsPerMinute - attempts);
  const credits =
    caps.creditsPerDay === null || tenant.unlimited
      ? Infinity
      : toMicroCredits(caps.creditsPerDay) - spent - tenant.lockedCredits;
  if (credits < pulsePrice(rate)) return { calls: 0, credits: 0, exhausted: 'credits_per_day' };
  return { calls, credits, exhausted: calls === 0 ? 'calls_per_minute' : null };
}

/**
 * Refuses to place a call when the caps leave nothing for it: 402 for the day's spending, 429 for the calls of the minute,
 * including the waiting due calls. Concurrent requests may all pass; the claim then defers the surplus.
 */
export async function checkCaps(
  deps: { readonly db: Db; readonly clock: Clock; readonly rate: Rate; readonly notices: CapNotices },
  caller: { readonly workspaceId: string; readonly caps: Caps },
  unlimited: boolean,
): Promise<void> {
  const { workspaceId, caps } = caller;
  if (!hasCaps(caps)) return;
  const now = deps.clock.now();
  const { attempts, waiting, spent, oldest } = await usageAt(deps.db, workspaceId, caps, now);
  const { callsPerMinute, creditsPerDay } = caps;
  if (creditsPerDay !== null && !unlimited && spent + pulsePrice(deps.rate) > toMicroCredits(creditsPerDay)) {
    deps.notices.note(deps.db, workspaceId, 'credits_per_day');
    throw errors.dailySpendReached(creditsPerDay);
  }
  if (callsPerMinute !== null && attempts + waiting >= callsPerMinute) {
    deps.notices.note(deps.db, workspaceId, 'calls_per_minute');
    throw errors.callsPerMinuteReached(callsPerMinute, retryAfter(oldest?.getTime() ?? now, now));
  }
}

/** Seconds until the oldest start leaves the minute, rounded up. Waiting calls have not started: they take the minute. */
const retryAfter = (oldest: number, now: number): number =>
  Math.min(60, Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)));

/** Counts started calls for `calls_per_minute`, in the transaction of the claim. */
export async function noteStarts(
  tx: Tx,
  workspaceId: string,
  caps: Caps,
  calls: number,
  now: number,
): Promise<void> {
  if (caps.callsPerMinute === null || calls === 0) return;
  await countStarts(tx, workspaceId, calls, { now: new Date(now), minuteAgo: new Date(now - MINUTE_MS) });
}
