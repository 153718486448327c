import type { CallTime } from '../../../store/json/call-config.ts';
import type { Clock } from '../../../shared/clock.ts';
import { sumByQuarter } from '../../../store/campaigns/attempt-sums.ts';
import { countCampaign, waitingOf } from '../../../store/campaigns/counts.ts';
import { lastAttempts } from '../../../store/campaigns/keeping.ts';
import { readQueue } from '../../../store/campaigns/progress.ts';
import type { Db } from '../../../store/database.ts';
import { findWorkspace } from '../../../store/tenants/workspaces.ts';
import { retryRules } from '../../calls/attempt/next-step.ts';
import {
  callWindow,
  isOpen,
  nextClosing,
  nextOpening,
  type CallWindow,
} from '../../call-windows/call-window.ts';
import { breakerSettings } from '../../workspaces/limits.ts';
import { breakerRules, type BreakerRules } from '../breaker.ts';
import { callingCampaign, campaignCallTime } from './calling-campaign.ts';
import { afterOpenTime, expectedCalls, expectedPace, LAST_QUARTERS, measuredPace } from './estimate.ts';
import { readFunnel } from './read-statistics.ts';

const MINUTE_MS = 60_000;
/** The pace is that of the last ten minutes. */
const PACE_MS = 10 * MINUTE_MS;
const MOVING = new Set(['scheduled', 'ongoing']);

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

export interface CampaignWindow {
  readonly callTime: CallTime;
  readonly isOpen: boolean;
  /** When it opens next, or closes; null: not within a fortnight, or it depends on the contact. */
  readonly opensAt: number | null;
  readonly closesAt: number | null;
}

export interface CampaignProgress {
  readonly campaignId: string;
  readonly window: CampaignWindow;
  readonly live: number;
  /** Calls that may run at a time: the campaign's share of the workspace's limit. */
  readonly limit: number;
  /** Calls a minute in the last ten minutes. */
  readonly pace: number;
  /** Calls that the unfinished contacts will probably take. */
  readonly callsLeft: number;
  /** Minutes of open window for them; null: no call has ended yet. */
  readonly minutesLeft: number | null;
  /** When the last of them will have ended; null: unknown, or the campaign does not call. */
  readonly doneAt: number | null;
  /** The campaign's end time comes before that. */
  readonly isCutOff: boolean;
  /** Why the next contact waits; null: none waits. */
  readonly next: { readonly reason: string; readonly at: Date | null } | null;
  readonly breaker: BreakerRules & { readonly attempts: number; readonly failures: number };
}

/** How a campaign calls now, and when it will probably be done. Throws 404 and 400. */
export async function readProgress(
  deps: Deps,
  workspaceId: string,
  campaignId: string,
): Promise<CampaignProgress> {
  const { db } = deps;
  const now = deps.clock.now();
  const row = await callingCampaign(db, workspaceId, campaignId);
  const since = Math.max(now - PACE_MS, row.breakerSince?.getTime() ?? 0);
  const [queue, counts, workspace, quarters, funnel, callTime] = await Promise.all([
    readQueue(db, workspaceId, row.id, new Date(since)),
    countCampaign(db, workspaceId, row.id),
    findWorkspace(db, workspaceId),
    sumByQuarter(db, workspaceId, row.id, LAST_QUARTERS),
    readFunnel(db, workspaceId, row.id),
    campaignCallTime(db, workspaceId, row),
  ]);
  const rules = breakerRules(row.breaker, breakerSettings(workspace?.settings ?? {}));
  const seen = await attemptsOfBreaker(db, workspaceId, row.id, row.breakerSince, rules);
  const limit = Math.ceil((queue.callLimit * (row.concurrencyPercentage ?? 100)) / 100);
  const pace = measuredPace(queue.recent, queue.firstEnd?.getTime() ?? null, now);
  const retries = retryRules('campaign', row.callConfig, null).retries;
  const isEnded = row.state === 'completed' || row.state === 'terminated';
  const callsLeft = isEnded ? 0 : expectedCalls(funnel, counts.registered, retries + 1);
  const expected = expectedPace(quarters, funnel, pace, limit);
  const minutesLeft = expected === null ? null : callsLeft / expected;
  const window = callTime.useCalleeTimezone ? null : callWindow(callTime, null, '');
  const hasWork = waitingOf(counts) + counts.ongoing > 0;
  const doneAt =
    minutesLeft === null || window === null || !MOVING.has(row.state) || !hasWork
      ? null
      : doneAfter(window, Math.max(now, row.startAt?.getTime() ?? 0), minutesLeft, queue.lastDueAt);
  return {
    campaignId: row.id,
    window: { callTime, ...openingOf(window, now) },
    live: counts.ongoing,
    limit,
    pace,
    callsLeft,
    minutesLeft,
    doneAt,
    isCutOff: doneAt !== null && row.endAt !== null && row.endAt.getTime() < doneAt,
    next: queue.reason === null ? null : { reason: queue.reason, at: queue.nextAttemptAt },
    breaker: { ...rules, attempts: seen.attempts, failures: seen.failed },
  };
}

/** The last contact is called when it is due, even if the others are finished earlier. */
function doneAfter(window: CallWindow, from: number, minutes: number, lastDueAt: Date | null): number | null {
  const worked = afterOpenTime(window, from, minutes * MINUTE_MS);
  return worked === null ? null : Math.max(worked, lastDueAt?.getTime() ?? 0);
}

/** A window in the zone of each contact is neither open nor closed for the campaign. */
function openingOf(window: CallWindow | null, now: number): Omit<CampaignWindow, 'callTime'> {
  if (window === null) return { isOpen: true, opensAt: null, closesAt: null };
  return isOpen(window, now)
    ? { isOpen: true, opensAt: null, closesAt: nextClosing(window, now) }
    : { isOpen: false, opensAt: nextOpening(window, now), closesAt: null };
}

/** What the circuit breaker counts: the last attempts since the start or the last resume. */
async function attemptsOfBreaker(
  db: Db,
  workspaceId: string,
  id: string,
  since: Date | null,
  { window }: BreakerRules,
): Promise<{ attempts: number; failed: number }> {
  const seen = since === null ? null : await lastAttempts(db, [{ workspaceId, id, since, window }]);
  return seen?.get(id) ?? { attempts: 0, failed: 0 };
}
