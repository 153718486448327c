import { speakerCode } from '../speaker-languages.ts';
import type { VendorSettings } from '../catalogue.ts';
import type { TtsOptions } from '../../providers/ports/voice.ts';
import { socketUrl } from '../../providers/stt/dialect.ts';
import { kindOfText, vendorFault } from '../../providers/wire/fault.ts';
import { Fields } from '@callwright/fields';
import {
  voiceOf,
  type TtsDialect,
  type TtsVendorEvent,
  type TtsVendor,
} from '../../providers/tts/dialect.ts';
import { formatFor } from '../../providers/tts/speech-decoder.ts';

/** Voices with the accent of the language; there is none with an Indian one. */
const VOICES: Readonly<Record<string, string>> = {
  'en-GB': 'aura-2-pandora-en',
  'en-AU': 'aura-2-theia-en',
};
const VOICE = 'aura-2-thalia-en';
/** The vendor allows 20 flushes in 60 s; the last ones are kept for the ends of replies. */
const MOST_FLUSHES = 15;
const MINUTE_MS = 60_000;
/** The vendor closes the connection at a longer text. */
const LONGEST_TEXT = 1_900;

/** Deepgram Aura: a connection has one voice and one speed, and speaks one context at a time. */
export const deepgramTts = (
  settings: VendorSettings,
  now: () => number = () => performance.now(),
): TtsVendor => {
  const addressOf = ({ voiceKey, language, speed, sampleRate }: TtsOptions): string => {
    const url = socketUrl(settings.baseUrl, '/v1/speak');
    const model =
      voiceOf('deepgram', voiceKey) ?? settings.voice ?? settings.model ?? VOICES[language] ?? VOICE;
    const { encoding, rate } = formatFor(sampleRate);
    url.searchParams.set('model', model);
    url.searchParams.set('encoding', encoding);
    url.searchParams.set('sample_rate', String(rate));
    if (speed !== 1) url.searchParams.set('speed', String(Math.min(1.5, Math.max(0.7, speed))));
    return url.href;
  };
  return {
    name: 'deepgram',
    model: settings.model ?? 'aura-2',
    speaks: (language) => speakerCode('deepgram', language) !== null,
    key: addressOf,
    connect: (options) => dialect(addressOf(options), settings.apiKey ?? '', options, now),
  };
};

interface Context {
  readonly name: string;
  /** Sentences of each flush that was not reported, the oldest first. */
  readonly flushes: number[];
  /** Sentences that wait for a flush. */
  unflushed: number;
  isEnded: boolean;
  isCancelled: boolean;
}

function dialect(url: string, apiKey: string, options: TtsOptions, now: () => number): TtsDialect {
  let context: Context | null = null;
  let flushedAt: number[] = [];
  const send = (type: string, more: object = {}): string => JSON.stringify({ type, ...more });
  const flush = (to: Context): string => {
    flushedAt.push(now());
    to.flushes.push(to.unflushed);
    to.unflushed = 0;
    return send('Flush');
  };
  const mayFlush = (): boolean => {
    flushedAt = flushedAt.filter((at) => now() - at < MINUTE_MS);
    return flushedAt.length < MOST_FLUSHES;
  };

  const flushed = (): TtsVendorEvent[] => {
    if (context === null || context.isCancelled) return [{ type: 'alive' }];
    const { name } = context;
    const events: TtsVendorEvent[] = Array.from({ length: context.flushes.shift() ?? 0 }, () => ({
      type: 'sentence_done',
      context: name,
    }));
    if (!context.isEnded || context.flushes.length > 0) return events;
    context = null;
    return [...events, { type: 'context_done', context: name }];
  };
  return {
    url,
    headers: { Authorization: `Token ${apiKey}` },
    format: formatFor(options.sampleRate),
    greets: false,
    contexts: 1,
    say(name, text) {
      if (context?.name !== name) {
        context = { name, flushes: [], unflushed: 0, isEnded: false, isCancelled: false };
      }
      context.unflushed++;
      const messages = piecesOf(text).map((piece) => send('Speak', { text: piece }));
      return mayFlush() ? [...messages, flush(context)] : messages;
    },
    end(name) {
      if (context?.name !== name) return [];
      context.isEnded = true;
      return context.unflushed > 0 ? [flush(context)] : [];
    },
    cancel(name) {
      if (context?.name !== name) return [];
      context.isCancelled = true;
      return [send('Clear')];
    },
    isOver(name) {
      if (context?.name !== name) return true;
      if (!context.isEnded || context.isCancelled || context.flushes.length > 0) return false;
      context = null;
      return true;
    },
    receive(message) {
      if (typeof message !== 'string') {
        if (context === null || context.isCancelled) return [{ type: 'alive' }];
        return [{ type: 'audio', context: context.name, bytes: message }];
      }
      const fields = Fields.parse(message);
      switch (fields.text('type')) {
        case 'Flushed':
          return flushed();
        case 'Cleared': {
          const cleared = context;
          context = null;
          return cleared === null ? [{ type: 'alive' }] : [{ type: 'context_done', context: cleared.name }];
        }
        case 'Warning': {
          const detail = `${fields.text('code')} ${fields.text('description')}`;
          if (!/flush/i.test(detail)) return [{ type: 'alive' }];
          // The flush is not carried out: only another connection speaks the rest.
          const fault = vendorFault('deepgram', 'limit', detail, { retryable: true });
          return [{ type: 'fault', context: null, fault }];
        }
        case 'Error': {
          const detail = fields.text('description') || fields.text('err_msg') || fields.text('code');
          const fault = vendorFault('deepgram', kindOfText(detail) ?? 'lost', detail);
          return [{ type: 'fault', context: null, fault }];
        }
        default:
          return [{ type: 'alive' }];
      }
    },
    closeFault(code, reason) {
      if (reason.includes('DATA-0001')) {
        return vendorFault('deepgram', 'limit', reason, { retryable: true });
      }
      return reason.includes('ASR_PAYMENT')
        ? vendorFault('deepgram', 'credit', reason)
        : keyFault(code, reason);
    },
    bye: [send('Close')],
  };
}

const keyFault = (code: number, reason: string): ReturnType<typeof vendorFault> | null =>
  code === 1008 && reason.includes('AUTH') ? vendorFault('deepgram', 'key', reason) : null;

/** The text in pieces that the vendor takes, cut between words. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > LONGEST_TEXT) {
    const space = rest.lastIndexOf(' ', LONGEST_TEXT);
    const end = space > 0 ? space + 1 : LONGEST_TEXT;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, `${rest} `];
}
