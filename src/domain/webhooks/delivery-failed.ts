import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { insertEvent, type DeliveryTarget } from '../../store/webhooks/events.ts';
import { subscriptionsTo, type GivenUp, type Outage } from '../../store/webhooks/outages.ts';
import { DELIVERY_FAILED, deliveryFailedBody } from '../../wire/events/delivery-failed.ts';
import { originOf } from './receiver-origin.ts';
import { PROBE_AFTER_MS } from './recovery-schedule.ts';
import { targetsOf } from './subscriptions.ts';

/** The receiver in the payload. */
export const failedReceiver = ({ url, recovers }: Pick<GivenUp, 'url' | 'recovers'>, at: Date) => ({
  origin: originOf(url),
  nextProbeAt: recovers ? new Date(at.getTime() + (PROBE_AFTER_MS[0] ?? 0)) : null,
});

/** The receivers that subscribe to an event about the outage, without the one that has it. */
export async function otherReceivers(
  tx: Tx,
  outage: Pick<Outage, 'workspaceId' | 'target'>,
  eventType: string,
): Promise<DeliveryTarget[]> {
  const lists = await subscriptionsTo(tx, outage.workspaceId, eventType);
  return lists
    .flatMap((list) => targetsOf(eventType, list))
    .filter(({ method, url }) => `${method} ${url}` !== outage.target);
}

/** Queues the event to every other receiver that subscribes to it; false: there is none. */
export async function appendDeliveryFailed(
  tx: Tx,
  outage: Outage,
  failed: GivenUp,
  at: Date,
): Promise<boolean> {
  const { workspaceId } = outage;
  const targets = await otherReceivers(tx, outage, DELIVERY_FAILED);
  if (targets.length === 0) return false;
  const eventId = newId();
  return insertEvent(
    tx,
    {
      workspaceId,
      // The outage takes the place of a call: the event belongs to none.
      callId: outage.id,
      eventId,
      eventType: DELIVERY_FAILED,
      dedup: DELIVERY_FAILED,
      body: deliveryFailedBody(eventId, workspaceId, failed, failedReceiver(failed, at), at),
      at,
    },
    targets,
  );
}
