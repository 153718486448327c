import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CarrierCallState, CarrierStatus } from '../../shared/carrier-status.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { findStreamTrunk } from '../../store/numbers/trunks.ts';
import type { AnnouncedCall } from './stream-tickets.ts';

const CALL_ID = /^\w{1,64}$/;
const MOST_CHARS = 200;

interface WebhookDeps {
  readonly db: Db;
  readonly seal: Seal;
}

/** A request of Twilio. `url`: the public address as the carrier has it. */
export interface TwilioRequest {
  readonly url: string;
  readonly raw: Buffer;
  readonly signature: string;
}

/** Whether a trunk of the installation takes requests of its carrier. */
export const hasVoiceWebhook = async ({ db }: { readonly db: Db }, trunkId: string): Promise<boolean> =>
  isUuid(trunkId) && (await findStreamTrunk(db, trunkId)) !== null;

/**
 * Whether `signature` is the base64 HMAC-SHA1 with the auth token of the address, followed by the names and values of
 * the form in the order of their names, each pair once (twilio.com/docs/usage/security).
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

/** The fields of a request of the trunk's account; null: nothing signed it, or it belongs to another account. */
async function readForm(
  { db, seal }: WebhookDeps,
  trunkId: string,
  { url, raw, signature }: TwilioRequest,
): Promise<((name: string) => string) | null> {
  const trunk = isUuid(trunkId) ? await findStreamTrunk(db, trunkId) : null;
  const authToken = trunk?.password == null ? null : seal.open(trunk.password);
  if (trunk === null || authToken === null) return null;
  const form = new URLSearchParams(raw.toString('utf8'));
  if (!isSignedForm({ url, form }, signature, authToken)) return null;
  const text = (name: string): string => (form.get(name) ?? '').slice(0, MOST_CHARS);
  return text('AccountSid') === trunk.accountId && CALL_ID.test(text('CallSid')) ? text : null;
}

/** The call that a voice webhook announces; null: nothing signed it, or it belongs to another account. */
export async function readVoiceWebhook(
  deps: WebhookDeps,
  trunkId: string,
  request: TwilioRequest,
): Promise<AnnouncedCall | null> {
  const text = await readForm(deps, trunkId, request);
  if (text === null) return null;
  const displayName = text('CallerName');
  return {
    trunkId,
    carrierCallId: text('CallSid'),
    from: text('From'),
    to: text('To'),
    displayName: displayName === '' ? null : displayName,
  };
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

/** What a status callback reports of the call of an attempt; null as for `readVoiceWebhook`. */
export async function readStatusWebhook(
  deps: WebhookDeps,
  { trunkId, attemptId }: { readonly trunkId: string; readonly attemptId: string },
  request: TwilioRequest,
): Promise<CarrierStatus | null> {
  const text = await readForm(deps, trunkId, request);
  if (text === null) return null;
  const sipCode = Number(text('SipResponseCode'));
  return {
    trunkId,
    attemptId,
    carrierCallId: text('CallSid'),
    state: STATES[text('CallStatus')] ?? null,
    sipCode: Number.isInteger(sipCode) && sipCode >= 100 && sipCode < 700 ? sipCode : null,
  };
}
