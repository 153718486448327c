import type { Language } from '@callwright/language';
import type { VendorSettings } from '../catalogue.ts';
import type { TtsOptions } from '../../providers/ports/voice.ts';
import { faultOfStatus, vendorFault } from '../../providers/wire/fault.ts';
import { Fields } from '@callwright/fields';
import { socketUrl } from '../../providers/stt/dialect.ts';
import {
  voiceOf,
  type TtsDialect,
  type TtsVendorEvent,
  type TtsVendor,
} from '../../providers/tts/dialect.ts';
import { formatFor } from '../../providers/tts/speech-decoder.ts';

const MODEL = 'sonic-3.5';
const VERSION = '2026-03-01';
/** Katie, one of the vendor's voices for agents. */
const VOICE = 'f786b574-daa5-4673-aa0c-cbe3e8534c02';
/** Contexts of one connection; the vendor limits those of the account. */
const MOST_CONTEXTS = 10;

const speaks = (language: Language): boolean => language !== 'my-MM';
const codeOf = (language: Language): string => (language === 'od-IN' ? 'or' : language.slice(0, 2));

/** Cartesia Sonic: one connection carries the contexts of many calls and voices. */
export const cartesiaTts = (settings: VendorSettings): TtsVendor => ({
  name: 'cartesia',
  model: settings.model ?? MODEL,
  speaks,
  key: ({ sampleRate }) => `${settings.baseUrl} ${sampleRate}`,
  connect: ({ sampleRate }) => dialect(settings, sampleRate),
});

function dialect(settings: VendorSettings, sampleRate: TtsOptions['sampleRate']): TtsDialect {
  const format = formatFor(sampleRate);
  /** The fixed part of the messages of a context: the vendor refuses a change. */
  const contexts = new Map<string, object>();
  const opening = (name: string, { voiceKey, language, speed }: TtsOptions): object => ({
    context_id: name,
    model_id: settings.model ?? MODEL,
    voice: { mode: 'id', id: voiceOf('cartesia', voiceKey) ?? settings.voice ?? VOICE },
    language: codeOf(language),
    output_format: {
      container: 'raw',
      encoding: format.encoding === 'mulaw' ? 'pcm_mulaw' : 'pcm_s16le',
      sample_rate: format.rate,
    },
    max_buffer_delay_ms: 0,
    add_timestamps: true,
    generation_config: { speed: Math.min(1.5, Math.max(0.6, speed)) },
  });
  return {
    url: socketUrl(settings.baseUrl, '/tts/websocket').href,
    headers: { 'X-API-Key': settings.apiKey ?? '', 'Cartesia-Version': VERSION },
    format,
    greets: false,
    contexts: MOST_CONTEXTS,
    say(name, text, options) {
      const fixed = contexts.get(name) ?? opening(name, options);
      contexts.set(name, fixed);
      return [JSON.stringify({ ...fixed, transcript: `${text} `, continue: true, flush: true })];
    },
    end(name) {
      const fixed = contexts.get(name);
      return fixed === undefined ? [] : [JSON.stringify({ ...fixed, transcript: '', continue: false })];
    },
    cancel(name) {
      contexts.delete(name);
      return [JSON.stringify({ context_id: name, cancel: true })];
    },
    receive(text) {
      const message = Fields.parse(text.toString('utf8'));
      const context = message.text('context_id');
      switch (message.text('type')) {
        case 'chunk':
          return [{ type: 'audio', context, bytes: Buffer.from(message.text('data'), 'base64') }];
        case 'timestamps': {
          const times = message.of('word_timestamps');
          const ends = times.numbers('end');
          const words = times.texts('words').map((word, i) => ({
            text: word,
            endMs: Math.round((ends[i] ?? 0) * 1000),
          }));
          return [{ type: 'words', context, words }];
        }
        case 'flush_done':
          return [{ type: 'sentence_done', context }];
        case 'done':
          contexts.delete(context);
          return [{ type: 'context_done', context }];
        case 'error':
          contexts.delete(context);
          return [faultEvent(context, message)];
        default:
          return [{ type: 'alive' }];
      }
    },
    bye: [],
  };
}

/** An error ends its context; one without a context concerns the connection. */
function faultEvent(context: string, message: Fields): TtsVendorEvent {
  const detail = message.text('message') || message.text('title') || message.text('error');
  const status = message.number('status_code');
  const fault =
    status === null ? vendorFault('cartesia', 'lost', detail) : faultOfStatus('cartesia', status, detail);
  return { type: 'fault', context: context === '' ? null : context, fault };
}
