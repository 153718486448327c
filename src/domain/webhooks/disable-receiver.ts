import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import { lastAccepted, lockOutage, saveOutage, type Outage } from '../../store/webhooks/outages.ts';
import { RECEIVER_DISABLED_EVENT, receiverDisabledBody } from '../../wire/events/receiver-disabled.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { insertSystemEntry } from '../audit/system-entry.ts';
import { otherReceivers } from './delivery-failed.ts';
import { originOf } from './receiver-origin.ts';
import { disabled, enabled, isToBeDisabled } from './recovery-schedule.ts';

/**
 * Disables the receiver of a locked outage if it has accepted nothing for five days, with an audit entry and an event to the
 * other receivers. Returns whether an event was queued.
 */
export async function disableIfDue(tx: Tx, outage: Outage, now: number): Promise<boolean> {
  if (!isToBeDisabled(outage, outage.lastFailedAt)) return false;
  // A success between two failures ends no outage, but it begins the five days again.
  const acceptedAt = await lastAccepted(tx, outage);
  if (acceptedAt !== null && acceptedAt > outage.failingFrom) {
    await saveOutage(tx, outage, { failingFrom: acceptedAt }, now);
    return false;
  }
  await saveOutage(tx, outage, disabled(outage, now), now);
  const { workspaceId, failingFrom, lastFailedAt } = outage;
  const at = new Date(now);
  const receiver = { origin: originOf(outage.url), method: outage.method };
  await insertSystemEntry(tx, workspaceId, 'webhooks.receiver_disabled', at, {
    receiver_id: outage.id,
    callback_url: receiver.origin,
  });
  const targets = await otherReceivers(tx, outage, RECEIVER_DISABLED_EVENT);
  if (targets.length === 0) return false;
  const eventId = newId();
  const facts = {
    workspaceId,
    receiverId: outage.id,
    ...receiver,
    failingSince: new Date(failingFrom),
    lastFailedAt: new Date(lastFailedAt),
  };
  const event = {
    workspaceId,
    // The event belongs to no call: its own id takes the place of one.
    callId: newId(),
    eventId,
    eventType: RECEIVER_DISABLED_EVENT,
    dedup: RECEIVER_DISABLED_EVENT,
    body: receiverDisabledBody(eventId, facts, at),
    at,
  };
  return insertEvent(tx, event, targets);
}

/**
 * Enables a receiver again: new events go to it, and the oldest kept delivery at once. Throws 404 for a receiver that does not
 * fail, and 409 for one that is not disabled.
 */
export async function enableReceiver(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  id: string,
): Promise<Outage> {
  return commitChange(deps.db, change, async (tx) => {
    const outage = isUuid(id) ? await lockOutage(tx, workspaceId, id) : undefined;
    if (outage === undefined) throw errors.receiverNotFound();
    if (outage.disabledAt === null) throw errors.receiverNotDisabled();
    const now = deps.clock.now();
    const next = { ...outage, ...enabled(outage, now) };
    await saveOutage(tx, outage, next, now);
    return next;
  });
}
