import { createHash, createHmac, createPublicKey, randomUUID, sign, verify } from 'node:crypto';
import type { FakeCarrierAccount } from './account.ts';
import { telnyxKey } from './account.ts';

/** A request of the carrier to the service, before it is signed. */
export interface FakeHook {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly contentType: string;
  readonly body: string;
}

const seconds = (): string => String(Math.floor(Date.now() / 1_000));
const sorted = (body: string): string =>
  [...new URLSearchParams(body)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => name + value)
    .join('');

/** HMAC-SHA1 of address and form, as Twilio and SignalWire sign. */
export const formSignature =
  (header: string, keyOf: (account: FakeCarrierAccount) => string) =>
  ({ url, body }: FakeHook, account: FakeCarrierAccount): Record<string, string> => ({
    [header]: createHmac('sha1', keyOf(account))
      .update(url + sorted(body), 'utf8')
      .digest('base64'),
  });

/** Version 3 of Plivo's signature covers the form, that of Vobiz the address alone. */
export const nonceSignature =
  (header: string, coversForm: boolean) =>
  ({ url, body }: FakeHook, { secret }: FakeCarrierAccount): Record<string, string> => {
    const nonce = randomUUID();
    const text = coversForm && body !== '' ? `${url}?${sorted(body)}.${nonce}` : `${url}.${nonce}`;
    return {
      [header]: createHmac('sha256', secret).update(text, 'utf8').digest('base64'),
      [`${header}-nonce`]: nonce,
    };
  };

export function telnyxSignature({ body }: FakeHook, { secret }: FakeCarrierAccount): Record<string, string> {
  const timestamp = seconds();
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), telnyxKey(secret));
  return { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature.toString('base64') };
}

export function vonageSignature(
  { body }: FakeHook,
  { signingKey, application, account }: FakeCarrierAccount,
): Record<string, string> {
  const claims = {
    iat: Number(seconds()),
    jti: randomUUID(),
    iss: 'Vonage',
    api_key: account,
    application_id: application,
    ...(body === '' ? {} : { payload_hash: createHash('sha256').update(body).digest('hex') }),
  };
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac('sha256', signingKey ?? '')
    .update(text)
    .digest('base64url');
  return { authorization: `Bearer ${text}.${signature}` };
}

export function jambonzSignature(
  { body }: FakeHook,
  { signingKey }: FakeCarrierAccount,
): Record<string, string> {
  const timestamp = seconds();
  const v1 = createHmac('sha256', signingKey ?? '')
    .update(`${timestamp}.${body}`)
    .digest('hex');
  return { 'jambonz-signature': `t=${timestamp},v1=${v1}` };
}

/** The credentials of the address; none are sent where the service has put a key into it. */
export const credentials = ({ url }: FakeHook, { signingKey }: FakeCarrierAccount): Record<string, string> =>
  new URL(url).searchParams.has('key') ? {} : { authorization: basicOf('callwright', signingKey ?? '') };

export const basicOf = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Whether the token is of the application, and of now (RS256). */
export function isApplicationToken(
  authorization: string,
  { secret, application }: FakeCarrierAccount,
): boolean {
  const [head = '', claims = '', signature = ''] = authorization.replace(/^Bearer /, '').split('.');
  const key = createPublicKey(secret);
  const text = Buffer.from(`${head}.${claims}`);
  if (!verify('sha256', text, key, Buffer.from(signature, 'base64url'))) return false;
  const { application_id: id, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    application_id?: string;
    exp?: number;
  };
  return id === application && (exp ?? 0) * 1_000 > Date.now();
}
