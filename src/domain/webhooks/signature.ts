import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';

/** A new signing secret in the format of Standard Webhooks: `whsec_` and 24 bytes in base64. */
export const newSigningSecret = (): string => SECRET_PREFIX + randomBytes(24).toString('base64');

/** The HMAC key of a secret. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');

/**
 * The Standard Webhooks headers of one attempt; the id is constant over retries. Every key signs, so a receiver needs
 * only one of them.
 */
export function signatureHeaders(
  keys: readonly KeyObject[],
  eventId: string,
  atMs: number,
  body: string | Buffer,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const before = `${eventId}.${timestamp}.`;
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(before).update(body).digest('base64')}`,
  );
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
