import type { EventSubscription } from '../agents/agent-version.ts';
import type { DeliveryTarget } from '../../store/events.ts';

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
