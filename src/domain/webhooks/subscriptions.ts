import type { CallCallback } from '../../store/json/callback.ts';
import type { EventSubscription } from '../../store/json/agent-version.ts';
import type { DeliveryTarget } from '../../store/webhooks/events.ts';
import { normalAddress } from './receiver-rules.ts';

/** The targets of an event: of two subscriptions to it the later one counts (interface, Events, rule 2). */
export function targetsOf(
  eventType: string,
  subscriptions: readonly EventSubscription[] | undefined,
): DeliveryTarget[] {
  const found = subscriptions?.findLast(({ eventType: types }) =>
    Array.isArray(types) ? types.includes(eventType) : types === eventType,
  );
  if (found === undefined) return [];
  const url = normalAddress(found.callbackUrl);
  return [
    {
      url,
      method: found.methodType ?? 'POST',
      headers: found.headers ?? {},
      ...successOf(found),
      ...recoveryOf(found),
    },
  ];
}

const successOf = ({ success }: { readonly success?: '200' | '2xx' }): Pick<DeliveryTarget, 'success'> =>
  success === undefined ? {} : { success };

const recoveryOf = ({ recovery }: EventSubscription): Pick<DeliveryTarget, 'recovery'> =>
  recovery === undefined ? {} : { recovery };

/** The events for a call's own `callback_url`: every finished attempt, and the end of all processing. */
export const CALLBACK_EVENTS: readonly string[] = ['call_completed', 'all_processing_completed'];

/** The receiver of the call or its campaign, if it receives this event. */
export function callbackTargets(eventType: string, callback: CallCallback | null): DeliveryTarget[] {
  if (callback === null) return [];
  const { url, headers, events, ...more } = callback;
  return (events ?? CALLBACK_EVENTS).includes(eventType)
    ? [{ url, method: 'POST', headers, ...successOf(more) }]
    : [];
}

/**
 * All targets of a call's event, without duplicates. A campaign's receiver carries the campaign's id, also if a
 * subscription names the same receiver; the subscription's headers are used then.
 */
export function receiversOf(
  eventType: string,
  subscriptions: readonly EventSubscription[] | undefined,
  call: { readonly campaignId: string | null; readonly callback: CallCallback | null },
): DeliveryTarget[] {
  const subscribed = targetsOf(eventType, subscriptions);
  const named = callbackTargets(eventType, call.callback);
  const isNamed = (target: DeliveryTarget): boolean => named.some((other) => isSame(other, target));
  const all = [...subscribed, ...named.filter((target) => !subscribed.some((s) => isSame(s, target)))];
  const { campaignId } = call;
  return campaignId === null
    ? all
    : all.map((target) => (isNamed(target) ? { ...target, campaignId } : target));
}

const isSame = (a: DeliveryTarget, b: DeliveryTarget): boolean => a.url === b.url && a.method === b.method;
