import { errors } from '../../../errors.ts';
import type { EventSubscription } from '../agent-version.ts';
import { restoreMaskedHeaders } from '../masked-headers.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface EditEventSubscriptions {
  event_subscriptions: {
    event_type: string | string[];
    callback_url: string;
    method_type?: 'POST' | 'PUT' | 'PATCH';
    headers?: Record<string, string>;
  }[];
}

/** Events a voice agent sends (interface, Events; open-points, Webhooks). */
export const VOICE_EVENTS = [
  'call_started',
  'call_ringing',
  'call_ongoing',
  'call_completed',
  'recording_completed',
  'platform_analysis_completed',
  'client_analysis_completed',
  'all_processing_completed',
] as const;
const OTHER_CHANNELS = ['chat_completed'] as const;
export const ALL_EVENTS = [...VOICE_EVENTS, ...OTHER_CHANNELS] as const;

/** Headers that frame the message or belong to the connection, and those the service signs deliveries with. */
const REFUSED_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
/** Visible ASCII with inner spaces and tabs: nothing that ends a header line (RFC 9110 section 5.5). */
const HEADER_VALUE = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Replaces the agent's whole list. Of two subscriptions to one event the later one stays. */
export function editEventSubscriptions({ config }: EditContext, input: EditEventSubscriptions): EditChange {
  const sent = input.event_subscriptions.map((subscription, index): EventSubscription => {
    const path = `event_subscriptions[${index}]`;
    const events = [subscription.event_type].flat();
    const foreign = events.find((event) => (OTHER_CHANNELS as readonly string[]).includes(event));
    if (foreign !== undefined) throw errors.eventNeverSent(foreign);
    checkUrl(`${path}.callback_url`, subscription.callback_url);
    checkHeaders(`${path}.headers`, subscription.headers ?? {});
    return {
      event_type: [...new Set(events)],
      callback_url: subscription.callback_url,
      method_type: subscription.method_type ?? 'POST',
      headers: subscription.headers ?? {},
    };
  });
  const restored = restoreMaskedHeaders(sent, config.event_subscriptions);
  return { config: { ...config, event_subscriptions: lastOfEachEvent(restored) } };
}

function lastOfEachEvent(subscriptions: readonly EventSubscription[]): EventSubscription[] {
  const owner = new Map(subscriptions.flatMap((s, i) => s.event_type.map((event) => [event, i] as const)));
  return subscriptions
    .map((s, i) => ({ ...s, event_type: s.event_type.filter((event) => owner.get(event) === i) }))
    .filter((s) => s.event_type.length > 0);
}

function checkUrl(path: string, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw errors.invalid(path, 'must be an http or https URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw errors.invalid(path, 'must not carry a user name or password; send them as a header');
  }
}

function checkHeaders(path: string, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) throw errors.invalid(path, 'must have valid HTTP header names as keys');
    if (REFUSED_HEADERS.has(name.toLowerCase())) {
      throw errors.invalid(`${path}.${name}`, 'is set by the service and cannot be chosen');
    }
    if (value !== '' && !HEADER_VALUE.test(value)) {
      throw errors.invalid(`${path}.${name}`, 'must be a header value of visible ASCII characters');
    }
  }
}
