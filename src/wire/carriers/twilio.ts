import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CarrierCallState } from '../../shared/carrier-status.ts';
import { headerOf, sipStatus, type CarrierWebhooks } from './webhooks.ts';

/** Requests of Twilio (twilio.com/docs/usage/security, twilio.com/docs/voice/twiml#request-parameters). */
export const twilioWebhooks = family('password', ['x-twilio-signature'], true);
/** The same of SignalWire, signed with a key of its own (developer.signalwire.com, webhook security). */
export const signalwireWebhooks = family(
  'signing_key',
  ['x-signalwire-signature', 'x-twilio-signature'],
  false,
);

function family(
  provenBy: CarrierWebhooks['provenBy'],
  signatures: readonly string[],
  signsUpgrades: boolean,
): CarrierWebhooks {
  return {
    provenBy,
    isSigned: (request, form, secret) =>
      signatures.some((name) => isSignedForm({ url: request.url, form }, headerOf(request, name), secret)),
    partiesOf: (field) => ({ from: field('From'), to: field('To') }),
    accountOf: (field) => field('AccountSid'),
    callIdOf: (field) => field('CallSid'),
    stateOf: (field) => STATES[field('CallStatus')] ?? null,
    sipCodeOf: (field) => sipStatus(field('SipResponseCode')),
    upgrade: { headers: signatures, always: signsUpgrades },
  };
}

/**
 * Whether `signature` is the base64 HMAC-SHA1 with the auth token of the address, followed by the names and values of
 * the form in the order of their names, each pair once.
 */
export function isSignedForm(
  { url, form }: { readonly url: string; readonly form: URLSearchParams },
  signature: string,
  authToken: string,
): boolean {
  const names = [...new Set(form.keys())].sort();
  const pairs = names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value));
  const expected = createHmac('sha1', authToken)
    .update(url + pairs.join(''), 'utf8')
    .digest();
  const sent = Buffer.from(signature, 'base64');
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

const STATES: Readonly<Record<string, CarrierCallState>> = {
  ringing: 'ringing',
  'in-progress': 'answered',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  canceled: 'cancelled',
  failed: 'failed',
};
