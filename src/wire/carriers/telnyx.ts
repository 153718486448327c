import { createPublicKey, verify } from 'node:crypto';
import type { CarrierCallState } from '../../shared/carrier-status.ts';
import { headerOf, sipStatus, type CarrierHttpRequest, type CarrierWebhooks } from './webhooks.ts';

const PAYLOAD = 'data.payload';
/** A request that was signed so long ago is a repetition of a stranger, ms. */
const OLDEST_MS = 300_000;
/** SubjectPublicKeyInfo of Ed25519 (RFC 8410) before the 32 bytes of the key. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Events of Telnyx Call Control (developers.telnyx.com/docs/voice/programmable-voice/receiving-webhooks). */
export const telnyxWebhooks: CarrierWebhooks = {
  provenBy: 'signing_key',
  isSigned,
  accountOf: () => null,
  callIdOf: (field) => field(`${PAYLOAD}.call_control_id`),
  partiesOf: (field) => ({ from: field(`${PAYLOAD}.from`), to: field(`${PAYLOAD}.to`) }),
  isNew: (field) =>
    field('data.event_type') === 'call.initiated' && field(`${PAYLOAD}.direction`) === 'incoming',
  stateOf(field) {
    const event = field('data.event_type');
    if (event === 'call.answered') return 'answered';
    return event === 'call.hangup' ? (CAUSES[field(`${PAYLOAD}.hangup_cause`)] ?? 'failed') : null;
  },
  sipCodeOf: (field) => sipStatus(field(`${PAYLOAD}.sip_hangup_cause`)),
};

const CAUSES: Readonly<Record<string, CarrierCallState>> = {
  normal_clearing: 'completed',
  time_limit: 'completed',
  user_busy: 'busy',
  call_rejected: 'busy',
  timeout: 'no_answer',
  no_answer: 'no_answer',
  originator_cancel: 'cancelled',
  not_found: 'invalid_number',
  unallocated_number: 'invalid_number',
};

/** Whether the key pair of the account signed `timestamp|body` with Ed25519. */
function isSigned(request: CarrierHttpRequest, _form: URLSearchParams, publicKey: string): boolean {
  const timestamp = headerOf(request, 'telnyx-timestamp');
  const signature = Buffer.from(headerOf(request, 'telnyx-signature-ed25519'), 'base64');
  const raw = Buffer.from(publicKey, 'base64');
  if (raw.length !== 32 || signature.length !== 64 || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(request.at - Number(timestamp) * 1_000) > OLDEST_MS) return false;
  const key = createPublicKey({ key: Buffer.concat([DER_PREFIX, raw]), format: 'der', type: 'spki' });
  return verify(null, Buffer.concat([Buffer.from(`${timestamp}|`), request.raw]), key, signature);
}
