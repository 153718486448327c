/** A delivered event; `event_type` determines the other keys. */
export interface WebhookEvent {
  readonly event_type: string;
  readonly event_id: string;
  readonly call_id: string;
  readonly call_sid: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly version_id: string;
  readonly workspace_id: string;
  readonly bulk_list_id: string | null;
  readonly custom_args_values: Readonly<Record<string, string>>;
  readonly from_number: string;
  readonly to_number: string;
  readonly call_type: 'outbound' | 'inbound' | 'webcall';
  readonly status: string;
  readonly sub_status: string;
  readonly retry_count: number;
  readonly call_cost: number;
  readonly occurred_at: string;
  readonly tool_call_logs: readonly Readonly<Record<string, unknown>>[];
  /** A test event: it belongs to no real call. */
  readonly test?: true;
  readonly [key: string]: unknown;
}

/** The delivery has an invalid signature, is too old, or is not an event. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookError';
  }
}

type Headers_ = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
const PREFIX = 'whsec_';

function header(headers: Headers_, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
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
  const secretBytes = bytes(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (secretBytes === null) throw new WebhookError('the secret is not base64');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secretBytes, algorithm, false, ['verify']);
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
