import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { pulsePrice, toMicroCredits, type Rate } from '../credits/price.ts';
import type { CapNotices } from '../workspaces/cap-notices.ts';
import type { Caps } from '../workspaces/limits.ts';
import { MINUTE_MS, usageAt } from './usage.ts';

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
  const { callsPerMinute, creditsPerDay } = caps;
  if (callsPerMinute === null && creditsPerDay === null) return;
  const now = deps.clock.now();
  const { starts, waiting, spent, oldest } = await usageAt(deps.db, workspaceId, now, callsPerMinute ?? 0);
  if (creditsPerDay !== null && !unlimited && spent + pulsePrice(deps.rate) > toMicroCredits(creditsPerDay)) {
    deps.notices.note(deps.db, workspaceId, 'credits_per_day');
    throw errors.dailySpendReached(creditsPerDay);
  }
  if (callsPerMinute !== null && starts + waiting >= callsPerMinute) {
    deps.notices.note(deps.db, workspaceId, 'calls_per_minute');
    throw errors.callsPerMinuteReached(callsPerMinute, retryAfter(oldest?.getTime() ?? now, now));
  }
}

/** Seconds until the oldest start leaves the minute, rounded up. Waiting calls have not started: they take the minute. */
const retryAfter = (oldest: number, now: number): number =>
  Math.min(60, Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)));
