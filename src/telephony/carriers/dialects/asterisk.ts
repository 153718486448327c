import type { AudioFormat } from '../audio-format.ts';
import { nameOf, parseObject } from '../json.ts';
import type { Dialect, StreamEvent } from './messages.ts';
import { digitOf } from './digit.ts';

const FORMATS: Readonly<Record<string, AudioFormat>> = { ulaw: 'ulaw' };
/** `MEDIA_START key:value key:value`: control messages as plain text. */
const PLAIN = /^([A-Z_]{3,40})((?: [a-z_]{1,40}:[^\s]{0,200})*)/;

/**
 * The WebSocket channel of Asterisk (docs.asterisk.org, WebSocket channel driver): µ-law in binary messages of 20 ms, control
 * messages in plain text or JSON. Commands go as plain text, which is its default.
 */
export const asterisk: Dialect = {
  format: 'ulaw',
  chunkMs: 20,
  media: (_streamId, bytes) => bytes,
  mark: (_streamId, name) => `MARK_MEDIA ${name}`,
  clear: () => 'FLUSH_MEDIA',
  end: () => 'HANGUP',
  parse(data, isBinary) {
    if (isBinary) return { type: 'audio', chunk: null, bytes: data };
    const message = parseObject(data) ?? plainOf(data.toString('latin1'));
    return message === null ? null : eventOf(message);
  },
};

function plainOf(text: string): Record<string, unknown> | null {
  const [, event, rest = ''] = PLAIN.exec(text) ?? [];
  if (event === undefined) return null;
  const pairs = rest
    .trim()
    .split(' ')
    .map((pair): [string, string] => {
      const colon = pair.indexOf(':');
      return [pair.slice(0, Math.max(0, colon)), pair.slice(colon + 1)];
    });
  return { ...Object.fromEntries(pairs), event };
}

function eventOf(message: Readonly<Record<string, unknown>>): StreamEvent | null {
  const { event } = message;
  switch (event) {
    case 'MEDIA_START': {
      const streamId = nameOf(message['connection_id']);
      const format = FORMATS[nameOf(message['format'] ?? 'ulaw') ?? ''];
      // The channel of the WebSocket is not that of the call: the token is what names the call.
      return streamId === null || format === undefined
        ? null
        : { type: 'started', streamId, callId: null, format };
    }
    case 'DTMF_END': {
      const digit = digitOf(message['digit']);
      return digit === null ? null : { type: 'key', digit };
    }
    case 'MEDIA_MARK_PROCESSED': {
      const name = nameOf(message['correlation_id']);
      return name === null ? null : { type: 'marked', name };
    }
    default:
      return typeof event === 'string' ? { type: 'other' } : null;
  }
}
