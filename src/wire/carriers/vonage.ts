import { createHash, createHmac } from 'node:crypto';
import type { CarrierCallState } from '../../shared/carrier-status.ts';
import { isSame } from './shared-secret.ts';
import { headerOf, type CarrierHttpRequest, type CarrierWebhooks } from './webhooks.ts';

const OLDEST_S = 300;

/** Webhooks of Vonage's Voice API (developer.vonage.com/voice/voice-api/webhook-reference). */
export const vonageWebhooks: CarrierWebhooks = {
  provenBy: 'signing_key',
  isSigned,
  accountOf: () => null,
  callIdOf: (field) => field('uuid'),
  partiesOf: (field) => ({ from: field('from', 'from_user'), to: field('to') }),
  stateOf: (field) => STATES[field('status')] ?? null,
  sipCodeOf: () => null,
  // The document of the call asks for it.
  upgrade: { headers: ['authorization'], always: true },
};

const STATES: Readonly<Record<string, CarrierCallState>> = {
  ringing: 'ringing',
  answered: 'answered',
  completed: 'completed',
  disconnected: 'completed',
  busy: 'busy',
  rejected: 'busy',
  timeout: 'no_answer',
  unanswered: 'no_answer',
  cancelled: 'cancelled',
  failed: 'failed',
};

/**
 * Whether the signature secret of the account signed the JWT of the request (HS256), lately, and the JWT the body
 * (developer.vonage.com/getting-started/concepts/webhooks, signed webhooks).
 */
function isSigned(request: CarrierHttpRequest, _form: URLSearchParams, secret: string): boolean {
  const token = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(headerOf(request, 'authorization'));
  if (token === null) return false;
  const [, head = '', claims = '', signature = ''] = token;
  const expected = createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url');
  if (!isSame(signature, expected) || objectIn(head)['alg'] !== 'HS256') return false;
  const { iat, exp, payload_hash: hash } = objectIn(claims);
  const now = request.at / 1_000;
  if (typeof iat !== 'number' || Math.abs(now - iat) > OLDEST_S) return false;
  if (typeof exp === 'number' && exp < now) return false;
  if (request.raw.length === 0) return true;
  return typeof hash === 'string' && isSame(hash, createHash('sha256').update(request.raw).digest('hex'));
}

function objectIn(part: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
