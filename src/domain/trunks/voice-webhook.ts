import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { findStreamTrunk } from '../../store/numbers/trunks.ts';
import type { AnnouncedCall } from './stream-tickets.ts';

const CALL_ID = /^\w{1,64}$/;
const MOST_CHARS = 200;

/** Whether a trunk of the installation takes calls by this webhook. */
export const hasVoiceWebhook = async ({ db }: { readonly db: Db }, trunkId: string): Promise<boolean> =>
  isUuid(trunkId) && (await findStreamTrunk(db, trunkId)) !== null;

/**
 * Whether `signature` is the base64 HMAC-SHA1 with the auth token of the address, followed by the names and values of
 * the form in the order of their names (twilio.com/docs/usage/security).
 */
export function isSignedForm(
  { url, form }: { readonly url: string; readonly form: URLSearchParams },
  signature: string,
  authToken: string,
): boolean {
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const text = url + fields.map(([name, value]) => name + value).join('');
  const expected = createHmac('sha1', authToken).update(text, 'utf8').digest();
  const sent = Buffer.from(signature, 'base64');
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/**
 * The call that a webhook of Twilio announces. `url`: the public address as the carrier has it. Null: nothing signed the
 * form, or it belongs to another account or announces no call.
 */
export async function readVoiceWebhook(
  { db, seal }: { readonly db: Db; readonly seal: Seal },
  trunkId: string,
  request: { readonly url: string; readonly raw: Buffer; readonly signature: string },
): Promise<AnnouncedCall | null> {
  const trunk = isUuid(trunkId) ? await findStreamTrunk(db, trunkId) : null;
  const authToken = trunk?.password == null ? null : seal.open(trunk.password);
  if (trunk === null || authToken === null) return null;
  const { url, raw, signature } = request;
  const form = new URLSearchParams(raw.toString('utf8'));
  if (!isSignedForm({ url, form }, signature, authToken)) return null;
  const text = (name: string): string => (form.get(name) ?? '').slice(0, MOST_CHARS);
  const carrierCallId = text('CallSid');
  if (text('AccountSid') !== trunk.accountId || !CALL_ID.test(carrierCallId)) return null;
  const displayName = text('CallerName');
  return {
    trunkId,
    carrierCallId,
    from: text('From'),
    to: text('To'),
    displayName: displayName === '' ? null : displayName,
  };
}
