import { newId } from '../../shared/ids.ts';
import type { Clock } from '../../shared/clock.ts';
import { findAgent } from '../../store/agents/agents.ts';
import type { Db, Tx } from '../../store/database.ts';
import { listDueAlerts, lockDueAlert, measureAlert, storeMeasured } from '../../store/quality/alerts.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import { subscriptionsTo } from '../../store/webhooks/outages.ts';
import {
  alertText,
  QUALITY_ALERT,
  qualityAlertBody,
  type AlertFacts,
} from '../../wire/events/quality-alert.ts';
import { insertSystemEntry } from '../audit/system-entry.ts';
import { targetsOf } from '../webhooks/subscriptions.ts';
import { queueNotice } from '../workspaces/notices.ts';
import { alertChange } from './alert.ts';

const HOUR_MS = 3_600_000;
/** Between two measurements of a rule. */
const MEASURE_MS = 60_000;
const BATCH = 200;
/** Entries of the audit log. */
const ACTIONS = { raised: 'quality.alert_raised', cleared: 'quality.alert_cleared' } as const;

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Measures the rules that are due, and raises and clears their alerts: an audit entry, an event for the subscriptions that name it and a
 * mail to the addresses of the workspace. Several processes share the rules. Returns how many alerts changed.
 */
export async function watchAlerts({ db, clock }: Deps): Promise<number> {
  const at = new Date(clock.now());
  const before = new Date(at.getTime() - MEASURE_MS);
  let changed = 0;
  for (const key of await listDueAlerts(db, before, BATCH))
    if (await db.transaction().execute((tx) => watch(tx, key, before, at))) changed += 1;
  return changed;
}

async function watch(
  tx: Tx,
  key: { readonly workspaceId: string; readonly name: string },
  before: Date,
  at: Date,
): Promise<boolean> {
  const { workspaceId, name } = key;
  const rule = await lockDueAlert(tx, key, before);
  if (rule === undefined) return false;
  const since = new Date(at.getTime() - rule.windowHours * HOUR_MS);
  const measured = await measureAlert(tx, workspaceId, rule, since);
  const change = alertChange(rule, rule.raisedAt !== null, measured);
  const raisedAt = change === null ? rule.raisedAt : change === 'raised' ? at : null;
  await storeMeasured(tx, workspaceId, name, { at, ...measured, raisedAt });
  if (change === null || measured.value === null) return false;
  const agent = rule.agentId === null ? undefined : await findAgent(tx, workspaceId, rule.agentId);
  await announce(
    tx,
    {
      ...rule,
      workspaceId,
      agentName: agent?.displayName ?? null,
      state: change,
      value: measured.value,
      calls: measured.calls,
    },
    at,
  );
  return true;
}

async function announce(tx: Tx, facts: AlertFacts, at: Date): Promise<void> {
  const { workspaceId, name, state, value, calls } = facts;
  await insertSystemEntry(tx, workspaceId, ACTIONS[state], at, { alert: name, value, calls });
  const eventId = newId();
  const notice = {
    subject: `The alert “${name}” is ${state}`,
    text: alertText(facts),
    path: '/analytics',
  };
  await queueNotice(tx, workspaceId, `${QUALITY_ALERT}:${eventId}`, notice, at);
  const lists = await subscriptionsTo(tx, workspaceId, QUALITY_ALERT);
  const targets = lists.flatMap((list) => targetsOf(QUALITY_ALERT, list));
  if (targets.length === 0) return;
  const event = {
    workspaceId,
    // The event belongs to no call, and an alert may be raised again.
    callId: newId(),
    eventId,
    eventType: QUALITY_ALERT,
    dedup: QUALITY_ALERT,
    body: qualityAlertBody(eventId, facts, at),
    at,
  };
  await insertEvent(tx, event, targets);
}
