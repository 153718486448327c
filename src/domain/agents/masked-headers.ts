import { errors } from '../../errors.ts';
import type { EventSubscription } from './agent-version.ts';

const SECRET_NAME =
  /auth|token|secret|password|passwd|cookie|signature|credential|(^|[-_])(api)?-?key($|[-_])/i;
/** Long values without spaces look like credentials whatever the header is called. */
const SECRET_VALUE = /^\S{24,}$/;

const mask = (value: string): string => `${value.slice(0, 4)}***`;

/** Header values as shown on read: what looks like a secret keeps its first four characters. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_NAME.test(name) || SECRET_VALUE.test(value) ? mask(value) : value,
    ]),
  );
}

/**
 * Puts stored values back where a client sent their masks. Only a subscription to the same origin may keep a
 * value: otherwise a key holder could have a secret delivered to another receiver. Throws 422 where no stored
 * value fits a mask.
 */
export function restoreMaskedHeaders(
  sent: readonly EventSubscription[],
  stored: readonly EventSubscription[],
): EventSubscription[] {
  return sent.map((subscription, index) => {
    const origin = new URL(subscription.callback_url).origin;
    const candidates = stored
      .filter((s) => new URL(s.callback_url).origin === origin)
      .flatMap((s) => Object.entries(s.headers));
    const headers = Object.entries(subscription.headers).map(([name, value]): [string, string] => {
      const kept = candidates.find(([n, v]) => n.toLowerCase() === name.toLowerCase() && mask(v) === value);
      if (kept !== undefined) return [name, kept[1]];
      if (/^.{4}\*\*\*$/su.test(value)) {
        throw errors.invalid(
          `event_subscriptions[${index}].headers.${name}`,
          'is masked and no stored value of this receiver fits it; send the real value',
        );
      }
      return [name, value];
    });
    return { ...subscription, headers: Object.fromEntries(headers) };
  });
}
