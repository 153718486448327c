import type { EventSubscription } from '../agents/agent-version.ts';
import type { DeliveryTarget } from '../../store/events.ts';
import type { JsonObject } from '../../store/schema.ts';

/** The subscription an event goes to: of two for the same event the later one counts (interface, Events, rule 2). */
export function targetsOf(
  eventType: string,
  subscriptions: readonly EventSubscription[] | undefined,
): DeliveryTarget[] {
  const found = subscriptions?.findLast(({ event_type: types }) =>
    Array.isArray(types) ? types.includes(eventType) : types === eventType,
  );
  if (found === undefined) return [];
  return [{ url: found.callback_url, method: found.method_type ?? 'POST', headers: found.headers ?? {} }];
}

/** What a call's own `callback_url` is told: every finished attempt, and the last word on the call. */
export const CALLBACK_EVENTS: readonly string[] = ['call_completed', 'all_processing_completed'];

/** The receiver a call was placed with, as kept in its `callback` column. */
export interface CallCallback {
  url: string;
  headers: Record<string, string>;
}

/** The call's own receiver, where it is told of this event. */
export function callbackTargets(eventType: string, callback: JsonObject | null): DeliveryTarget[] {
  if (callback === null || !CALLBACK_EVENTS.includes(eventType)) return [];
  const { url, headers } = callback as unknown as CallCallback;
  return [{ url, method: 'POST', headers }];
}
