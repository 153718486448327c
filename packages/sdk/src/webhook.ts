import type { WebhookEvent } from './events.ts';

/** The delivery has an invalid signature, is too old, or is not an event. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookError';
  }
}

type Headers_ = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
const PREFIX = 'whsec_';

/** Gateways send names in other cases (`Webhook-Id`) and some frameworks lists of values. */
function header(headers: Headers_, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const value = Array.isArray(found) ? (found as readonly string[])[0] : found;
  if (typeof value !== 'string' || value === '') throw new WebhookError(`the header ${name} is missing`);
  return value;
}

function bytes(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

async function keyOf(secret: string, use: 'sign' | 'verify'): ReturnType<typeof crypto.subtle.importKey> {
  const secretBytes = bytes(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (secretBytes === null) throw new WebhookError('the secret is not base64');
  return crypto.subtle.importKey('raw', secretBytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

/** The headers of a delivery of `body`, as the service sends them: for tests of a receiver. */
export async function signWebhook(
  secret: string,
  body: string,
  options: { readonly id?: string; readonly nowMs?: number } = {},
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const id = options.id ?? crypto.randomUUID();
  const timestamp = String(Math.floor((options.nowMs ?? Date.now()) / 1000));
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), signed));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

/**
 * Verifies a delivery by Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature) and returns its event.
 * `body` must be the raw text of the request, since parsed and serialised JSON has another signature. Throws
 * WebhookError. Receivers deduplicate on call_id and event_type.
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers_,
  body: string,
  options: { readonly toleranceSeconds?: number; readonly nowMs?: number } = {},
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  const age = (options.nowMs ?? Date.now()) / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > (options.toleranceSeconds ?? 300)) {
    throw new WebhookError('the delivery is too old or its time is wrong');
  }
  const key = await keyOf(secret, 'verify');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  let isOurs = false;
  for (const entry of signatures.split(' ').slice(0, 16)) {
    const [version, text = ''] = entry.split(',');
    const signature = version === 'v1' ? bytes(text) : null;
    if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed))) isOurs = true;
  }
  if (!isOurs) throw new WebhookError('no signature matches');
  let event: unknown;
  try {
    event = JSON.parse(body);
  } catch {
    throw new WebhookError('the body is not JSON');
  }
  const isEvent = typeof event === 'object' && event !== null && 'event_type' in event;
  if (!isEvent) throw new WebhookError('the body is no event');
  return event as WebhookEvent;
}
