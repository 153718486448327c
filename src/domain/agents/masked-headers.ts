import type { EventSubscription } from '../../store/json/agent-version.ts';
import { errors } from '../../errors.ts';
import { looksSecret, MASKED, maskedValue } from '../webhooks/sealed-headers.ts';

/** Header values as shown on read: values that look like secrets are masked. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      looksSecret(name, value) ? maskedValue(value) : value,
    ]),
  );
}

/**
 * Replaces masks by the stored values. Only a subscription to the same origin keeps a value: otherwise a key holder
 * could redirect a secret to another receiver. Throws 422 for a mask without a stored value.
 */
export function restoreMaskedHeaders(
  sent: readonly EventSubscription[],
  stored: readonly EventSubscription[],
  /** Seals a new value. */
  keep: (headers: Record<string, string>) => Record<string, string>,
): EventSubscription[] {
  return sent.map((subscription, index) => {
    const origin = new URL(subscription.callbackUrl).origin;
    const candidates = stored
      .filter((s) => new URL(s.callbackUrl).origin === origin)
      .flatMap((s) => Object.entries(s.headers));
    const headers = Object.entries(subscription.headers).map(([name, value]): [string, string] => {
      const kept = candidates.find(
        ([n, v]) => n.toLowerCase() === name.toLowerCase() && maskedValue(v) === value,
      );
      if (kept !== undefined) return [name, kept[1]];
      if (MASKED.test(value)) {
        throw errors.invalid(
          `event_subscriptions[${index}].headers.${name}`,
          'is masked and no stored value of this receiver fits it; send the real value',
        );
      }
      return [name, keep({ [name]: value })[name] ?? value];
    });
    return { ...subscription, headers: Object.fromEntries(headers) };
  });
}
