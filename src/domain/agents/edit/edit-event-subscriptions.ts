import { errors } from '../../../errors.ts';
import { sealHeaders } from '../../webhooks/sealed-headers.ts';
import { checkReceiverHeaders, checkReceiverUrl } from '../../webhooks/receiver-rules.ts';
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

/** Replaces the agent's whole list. Of two subscriptions to one event the later one stays. */
export function editEventSubscriptions(
  { config, seal }: EditContext,
  input: EditEventSubscriptions,
): EditChange {
  const sent = input.event_subscriptions.map((subscription, index): EventSubscription => {
    const path = `event_subscriptions[${index}]`;
    const events = [subscription.event_type].flat();
    const foreign = events.find((event) => (OTHER_CHANNELS as readonly string[]).includes(event));
    if (foreign !== undefined) throw errors.eventNeverSent(foreign);
    checkReceiverUrl(`${path}.callback_url`, subscription.callback_url);
    checkReceiverHeaders(`${path}.headers`, subscription.headers ?? {});
    return {
      event_type: [...new Set(events)],
      callback_url: subscription.callback_url,
      method_type: subscription.method_type ?? 'POST',
      headers: subscription.headers ?? {},
    };
  });
  const restored = restoreMaskedHeaders(sent, config.event_subscriptions, (headers) =>
    sealHeaders(seal, headers),
  );
  return { config: { ...config, event_subscriptions: lastOfEachEvent(restored) } };
}

function lastOfEachEvent(subscriptions: readonly EventSubscription[]): EventSubscription[] {
  const owner = new Map(subscriptions.flatMap((s, i) => s.event_type.map((event) => [event, i] as const)));
  return subscriptions
    .map((s, i) => ({ ...s, event_type: s.event_type.filter((event) => owner.get(event) === i) }))
    .filter((s) => s.event_type.length > 0);
}
