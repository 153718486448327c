import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import { subscriptionsTo, type GivenUp, type Outage } from '../../store/webhooks/outages.ts';
import { DELIVERY_FAILED, deliveryFailedBody } from '../../wire/events/delivery-failed.ts';
import { PROBE_AFTER_MS } from './recovery-schedule.ts';
import { targetsOf } from './subscriptions.ts';

/** The receiver in the payload: the host alone, since the rest may hold a secret, or data of a person that an erasure could not find here. */
export const failedReceiver = ({ url, recovers }: Pick<GivenUp, 'url' | 'recovers'>, at: Date) => ({
  origin: URL.canParse(url) ? new URL(url).origin : '',
  nextProbeAt: recovers ? new Date(at.getTime() + (PROBE_AFTER_MS[0] ?? 0)) : null,
});

/** Queues the event to every other receiver that subscribes to it; false: there is none. */
export async function appendDeliveryFailed(
  tx: Tx,
  outage: Outage,
  failed: GivenUp,
  at: Date,
): Promise<boolean> {
  const { workspaceId } = outage;
  const lists = await subscriptionsTo(tx, workspaceId, DELIVERY_FAILED);
  const targets = lists
    .flatMap((list) => targetsOf(DELIVERY_FAILED, list))
    .filter(({ method, url }) => `${method} ${url}` !== outage.target);
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
