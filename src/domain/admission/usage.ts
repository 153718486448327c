import type { Db, Tx } from '../../store/database.ts';
import { countStarts, readUsage, type Usage } from '../../store/tenants/usage.ts';
import type { Caps } from '../workspaces/limits.ts';

export const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What the workspace did in the last minute and on this day of UTC. Counts at most `most` waiting calls. */
export const usageAt = (db: Db, workspaceId: string, now: number, most = 0): Promise<Usage> =>
  readUsage(db, workspaceId, {
    now: new Date(now),
    minuteAgo: new Date(now - MINUTE_MS),
    dayStart: new Date(now - (now % DAY_MS)),
    most,
  });

/** Counts started calls for the caps of a minute, in the transaction that starts them. */
export async function noteStarts(
  tx: Tx,
  workspaceId: string,
  { callsPerMinute, strangerCallsPerMinute }: Caps,
  starts: { readonly calls: number; readonly strangers: number },
  now: number,
): Promise<void> {
  if ((callsPerMinute === null && strangerCallsPerMinute === null) || starts.calls === 0) return;
  await countStarts(tx, workspaceId, starts, { now: new Date(now), minuteAgo: new Date(now - MINUTE_MS) });
}
