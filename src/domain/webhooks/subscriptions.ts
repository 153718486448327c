import type { EventSubscription } from '../agents/agent-version.ts';
import type { DeliveryTarget } from '../../store/events.ts';
import type { JsonObject } from '../../store/schema.ts';
import { normalAddress } from './receiver-rules.ts';

/** The subscription an event goes to: of two for the same event the later one counts (interface, Events, rule 2). */
export function targetsOf(
  eventType: string,
  subscriptions: readonly EventSubscription[] | undefined,
): DeliveryTarget[] {
  const found = subscriptions?.findLast(({ event_type: types }) =>
    Array.isArray(types) ? types.includes(eventType) : types === eventType,
  );
  if (found === undefined) return [];
  const url = normalAddress(found.callback_url);
  return [{ url, method: found.method_type ?? 'POST', headers: found.headers ?? {} }];
}

/** What a call's own `callback_url` is told: every finished attempt, and the last word on the call. */
export const CALLBACK_EVENTS: readonly string[] = ['call_completed', 'all_processing_completed'];

/** The receiver a call was placed with or a campaign started with, as kept in its `callback` column. */
export interface CallCallback {
  url: string;
  headers: Record<string, string>;
  /** Events it is told of; absent: `CALLBACK_EVENTS`. */
  events?: readonly string[];
}

/** The receiver of the call or of its campaign, where it is told of this event. */
export function callbackTargets(eventType: string, callback: JsonObject | null): DeliveryTarget[] {
  if (callback === null) return [];
  const { url, headers, events } = callback as unknown as CallCallback;
  return (events ?? CALLBACK_EVENTS).includes(eventType) ? [{ url, method: 'POST', headers }] : [];
}

/**
 * Everyone who is told of a call's event. A campaign's receiver is marked as such, also where a subscription reaches
 * the same one: then it is told once, as the subscription says.
 */
export function receiversOf(
  eventType: string,
  subscriptions: readonly EventSubscription[] | undefined,
  call: { readonly laneId: string | null; readonly callback: JsonObject | null },
): DeliveryTarget[] {
  const subscribed = targetsOf(eventType, subscriptions);
  const named = callbackTargets(eventType, call.callback);
  const isNamed = (target: DeliveryTarget): boolean => named.some((other) => isSame(other, target));
  const all = [...subscribed, ...named.filter((target) => !subscribed.some((s) => isSame(s, target)))];
  const { laneId } = call;
  return laneId === null ? all : all.map((target) => (isNamed(target) ? { ...target, laneId } : target));
}

const isSame = (a: DeliveryTarget, b: DeliveryTarget): boolean => a.url === b.url && a.method === b.method;
