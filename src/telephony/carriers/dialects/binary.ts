import { nameOf, objectOf, parseObject, type Json } from '../json.ts';
import type { Dialect, StreamEvent } from './messages.ts';
import { digitOf } from './digit.ts';

const OTHER = { type: 'other' } as const;

/** Audio in binary messages, and events in JSON. */
const withEvents = (
  write: Omit<Dialect, 'parse' | 'format' | 'chunkMs' | 'media'>,
  read: (message: Json) => StreamEvent | null,
): Dialect => ({
  ...write,
  format: 'l16',
  chunkMs: 20,
  media: (_streamId, bytes) => bytes,
  parse(data, isBinary) {
    if (isBinary) return { type: 'audio', chunk: null, bytes: data };
    const message = parseObject(data);
    return message === null ? null : read(message);
  },
});

/**
 * Vonage WebSockets (developer.vonage.com/voice/voice-api/guides/websockets): L16 at 8 kHz. The header `call_uuid` is ours:
 * the protocol names no call.
 */
export const vonage = withEvents(
  {
    mark: (_streamId, mark) => JSON.stringify({ action: 'notify', payload: { mark } }),
    clear: () => JSON.stringify({ action: 'clear' }),
    end: null,
  },
  (message) => {
    const event = message['event'];
    if (event === 'websocket:connected') {
      const type = message['content-type'] ?? 'audio/l16;rate=8000';
      const callId = nameOf(message['call_uuid'] ?? objectOf(message['headers'])?.['call_uuid']);
      return typeof type === 'string' && /^audio\/l16;\s*rate=8000$/.test(type)
        ? { type: 'started', streamId: callId ?? 'websocket', callId, format: 'l16' }
        : null;
    }
    if (event === 'websocket:dtmf') return keyOf(message['digit']);
    if (event === 'websocket:notify') {
      const name = nameOf(objectOf(message['payload'])?.['mark']);
      return name === null ? null : { type: 'marked', name };
    }
    if (event === 'websocket:disconnected') return { type: 'stopped' };
    return typeof event === 'string' ? OTHER : null;
  },
);

/** The verb `listen` of jambonz (docs.jambonz.org/verbs/verbs/listen) with audio both ways, as drachtio's module sends it. */
export const jambonz = withEvents(
  {
    mark: (_streamId, name) => JSON.stringify({ type: 'mark', data: { name } }),
    clear: () => JSON.stringify({ type: 'killAudio' }),
    end: () => JSON.stringify({ type: 'disconnect' }),
  },
  (message) => {
    if (message['event'] === 'dtmf') return keyOf(message['dtmf'] ?? message['digit']);
    const type = message['type'];
    if (type === 'mark') {
      const name = nameOf(objectOf(message['data'])?.['name']);
      return name === null ? null : { type: 'marked', name };
    }
    const callId = nameOf(message['callSid'] ?? message['call_sid']);
    if (callId === null)
      return typeof type === 'string' || typeof message['event'] === 'string' ? OTHER : null;
    return Number(message['sampleRate'] ?? 8_000) === 8_000
      ? { type: 'started', streamId: callId, callId, format: 'l16' }
      : null;
  },
);

function keyOf(value: unknown): StreamEvent | null {
  const digit = digitOf(value);
  return digit === null ? null : { type: 'key', digit };
}
