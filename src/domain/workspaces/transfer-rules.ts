import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { whyNotDialled } from '../numbers/dialable-number.ts';
import { sipHost, transferTarget, type TransferTarget } from '../numbers/transfer-target.ts';
import type { JsonObject } from '../../store/schema.ts';
import { whyClosed } from './destinations.ts';
import { workspaceLimits } from './limits.ts';

/** Facts about a workspace that decide where it may transfer calls. */
export interface TransferRules {
  readonly settings: JsonObject;
  /** Destinations of ALLOWED_COUNTRIES; absent: all. */
  readonly countries?: readonly string[] | undefined;
  /** URIs of the trunks that may carry the transfer. */
  readonly trunkUris: readonly string[];
  /** Numbers of the workspace; a national number is read in their countries. */
  readonly numbers: readonly string[];
}

export type TransferVerdict =
  | { readonly ok: true; readonly target: TransferTarget }
  /** `rule` follows the field's path in an error message; `reason` is a sentence for the agent. */
  | { readonly ok: false; readonly rule: string; readonly reason: string };

const refused = (rule: string, reason = `the target ${rule}`): TransferVerdict => ({
  ok: false,
  rule,
  reason,
});

/**
 * Checks the target of a transfer, cold or warm, against the operator's rules: premium numbers, destinations and hosts.
 * The saving of a tool and the dial gate both call it. Pure.
 */
export function checkTransferTarget(rules: TransferRules, to: string): TransferVerdict {
  const target = transferTarget(to, rules.numbers);
  if (target === null) return refused('must have a number in E.164 form, or a name as its user');
  const limits = workspaceLimits(rules.settings, rules.countries);
  const { host, numbers, isShort } = target;
  if (host !== null && !limits.transferHosts.includes(host)) {
    if (!rules.trunkUris.some((uri) => sipHost(uri) === host)) {
      return refused('must have a host that is a trunk of the workspace or in limits.transfer_hosts');
    }
    // On a carrier's host a short user may be a premium or emergency code.
    if (isShort) return refused('is a short number: its host must be in limits.transfer_hosts');
  }
  for (const number of numbers) {
    const parsed = parsePhoneNumberFromString(number);
    if (parsed === undefined) return refused('has a country code that does not exist');
    const refusal = whyNotDialled(parsed, limits);
    if (refusal !== null) return refused(refusal);
    const closed = whyClosed(limits, number);
    if (closed !== null)
      return refused(
        closed,
        closed.replace(/^is a destination that (.*) does not dial$/, '$1 does not dial this destination'),
      );
  }
  return { ok: true, target };
}
