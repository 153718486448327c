import type { StreamUpgrade } from '../../shared/carrier-status.ts';
import type { CarrierWebhooks } from './webhooks.ts';

/** Why the upgrade is not of the carrier; null: it is, as far as the carrier signs upgrades. */
export function upgradeFault(
  { upgrade, isSigned }: Pick<CarrierWebhooks, 'upgrade' | 'isSigned'>,
  { urls, headers, at }: StreamUpgrade,
  secret: string | null,
): string | null {
  if (upgrade === undefined) return null;
  if (upgrade.headers.every((name) => headers[name] === undefined))
    return upgrade.always ? 'the upgrade has no signature of the carrier' : null;
  const noForm = new URLSearchParams();
  // Twilio is reported to sign some addresses with a slash behind them.
  const signed = [...urls, ...urls.map((url) => `${url}/`)].some(
    (url) =>
      secret !== null && isSigned({ method: 'GET', url, raw: Buffer.alloc(0), headers, at }, noForm, secret),
  );
  return signed ? null : 'the signature of the upgrade is not that of the account';
}
