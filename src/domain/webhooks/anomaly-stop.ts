import { newId } from '../../shared/ids.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { insertSystemEntry } from '../audit/system-entry.ts';
import type { Db, Tx } from '../../store/database.ts';
import { lockWallet } from '../../store/tenants/money.ts';
import { declaredSettings, pauseSetting } from '../../store/json/workspace-settings.ts';
import { mergeSettings } from '../../store/tenants/settings.ts';
import { noteHour, weeksOfUse, type WeekOfUse } from '../../store/tenants/usage-hours.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import { subscriptionsTo } from '../../store/webhooks/outages.ts';
import { OUTBOUND_PAUSED, outboundPausedBody } from '../../wire/events/outbound-paused.ts';
import { anomalyOf, type AnomalyReason } from '../admission/anomaly.ts';
import { toCredits } from '../credits/price.ts';
import { queueNotice } from '../workspaces/notices.ts';
import { targetsOf } from './subscriptions.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const KEPT_MS = WEEK_MS + 24 * HOUR_MS;

const PAUSED_BECAUSE: Readonly<Record<AnomalyReason, string>> = {
  attempts: 'the number of calls',
  spend: 'the spending',
};

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The anomaly stop: pauses the outbound calls of workspaces whose hour has ten times the attempts or spending of the busiest hour of
 * their week, with an audit entry and an event. An owner lifts it; it does not pause again in the hour in which it was lifted.
 * Returns how many it paused.
 */
export async function pauseAnomalies(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const hour = new Date(now - (now % HOUR_MS));
  await noteHour(deps.db, hour, {
    activeSince: new Date(now - KEPT_MS),
    keptSince: new Date(now - KEPT_MS),
  });
  let paused = 0;
  for (const week of await weeksOfUse(deps.db, hour, new Date(hour.getTime() - WEEK_MS))) {
    const reason = anomalyOf(week.now, week.busiest);
    if (reason === null) continue;
    const isPaused = await deps.db.transaction().execute((tx) => pause(tx, week, reason, { hour, now }));
    if (!isPaused) continue;
    paused += 1;
    const { workspaceId } = week;
    deps.log.warn(
      { workspaceId, reason },
      'outbound calls of a workspace are paused: its hour is an anomaly',
    );
  }
  return paused;
}

async function pause(
  tx: Tx,
  { workspaceId, now: used }: WeekOfUse,
  reason: AnomalyReason,
  time: { readonly hour: Date; readonly now: number },
): Promise<boolean> {
  const wallet = await lockWallet(tx, workspaceId);
  if (wallet === null) return false;
  const { outboundPaused: known, outboundLiftedAt: lifted } = declaredSettings(wallet.settings);
  if (known !== undefined || (lifted !== undefined && Date.parse(lifted) >= time.hour.getTime()))
    return false;
  const at = new Date(time.now);
  await mergeSettings(
    tx,
    workspaceId,
    pauseSetting.write({ outboundPaused: { at: at.toISOString(), reason } }),
    at,
  );
  await insertSystemEntry(tx, workspaceId, 'workspace.outbound_paused', at, { reason });
  const notice = {
    subject: 'Outbound calls of a workspace are paused',
    text: `Outbound calls wait until an owner lifts the pause: ${PAUSED_BECAUSE[reason]} in this hour was ten times the busiest hour of the week.`,
    path: '/settings/workspace',
  };
  await queueNotice(tx, workspaceId, `${OUTBOUND_PAUSED}:${at.toISOString()}`, notice, at);
  const targets = (await subscriptionsTo(tx, workspaceId, OUTBOUND_PAUSED)).flatMap((list) =>
    targetsOf(OUTBOUND_PAUSED, list),
  );
  if (targets.length === 0) return true;
  const eventId = newId();
  const facts = { workspaceId, reason, attempts: used.starts, spent: toCredits(used.charged) };
  const body = outboundPausedBody(eventId, facts, at);
  // The event belongs to no call: its own id takes the place of one.
  const event = {
    workspaceId,
    callId: newId(),
    eventId,
    eventType: OUTBOUND_PAUSED,
    dedup: OUTBOUND_PAUSED,
    body,
    at,
  };
  await insertEvent(tx, event, targets);
  return true;
}
