import { createHmac } from 'node:crypto';
import type { CarrierCallState } from '../../shared/carrier-status.ts';
import { isSame } from './shared-secret.ts';
import { headerOf, sipStatus, type CarrierHttpRequest, type CarrierWebhooks } from './webhooks.ts';

const OLDEST_S = 300;

/** Hooks of jambonz (docs.jambonz.org/webhooks): JSON with the signature of the webhook secret. */
export const jambonzWebhooks: CarrierWebhooks = {
  provenBy: 'signing_key',
  isSigned,
  accountOf: (field) => field('account_sid'),
  callIdOf: (field) => field('call_sid'),
  partiesOf: (field) => ({ from: field('from'), to: field('to') }),
  stateOf: (field) => STATES[field('call_status')] ?? null,
  sipCodeOf: (field) => sipStatus(field('sip_status')),
};

const STATES: Readonly<Record<string, CarrierCallState>> = {
  ringing: 'ringing',
  'early-media': 'ringing',
  'in-progress': 'answered',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  queued: 'ringing',
  failed: 'failed',
};

/** Whether the secret signed `timestamp.body` (HMAC-SHA256 in hex), lately: `Jambonz-Signature: t=…,v1=…`. */
function isSigned(request: CarrierHttpRequest, _form: URLSearchParams, secret: string): boolean {
  const parts = headerOf(request, 'jambonz-signature').split(',');
  const valuesOf = (name: string): string[] =>
    parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));
  const [timestamp = ''] = valuesOf('t');
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(request.at / 1_000 - Number(timestamp)) > OLDEST_S) return false;
  const signed = Buffer.concat([Buffer.from(`${timestamp}.`), request.raw]);
  const expected = createHmac('sha256', secret).update(signed).digest('hex');
  return valuesOf('v1').some((sent) => isSame(sent, expected));
}
