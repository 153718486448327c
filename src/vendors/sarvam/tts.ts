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

const MODEL = 'bulbul:v3';
const VOICE = 'shubh';
const OLD_VOICE = 'anushka';
const RIFF_HEADER = 44;

/** Sarvam Bulbul: a connection has one configuration, and speaks one context at a time. */
export const sarvamTts = (settings: VendorSettings): TtsVendor => {
  const model = settings.model ?? MODEL;
  const isV3 = model.startsWith('bulbul:v3');
  const configOf = ({ voiceKey, language, speed, sampleRate }: TtsOptions): object => {
    const { encoding, rate } = formatFor(sampleRate);
    const code = speakerCode('sarvam', language);
    const usual = isV3 ? VOICE : OLD_VOICE;
    return {
      model,
      // Sources disagree on the name.
      target_language_code: code,
      language_code: code,
      speaker: voiceOf('sarvam', voiceKey) ?? settings.voice ?? usual,
      pace: isV3 ? Math.min(2, Math.max(0.5, speed)) : Math.min(3, Math.max(0.3, speed)),
      speech_sample_rate: rate,
      output_audio_codec: encoding,
      min_buffer_size: 30,
    };
  };
  return {
    name: 'sarvam',
    model,
    speaks: (language) => speakerCode('sarvam', language) !== null,
    key: (options) => `${settings.baseUrl} ${JSON.stringify(configOf(options))}`,
    connect: (options) => dialect(settings, model, configOf(options), options),
  };
};

interface Context {
  readonly name: string;
  /** Sentences that are not whole. */
  left: number;
  isEnded: boolean;
  isCancelled: boolean;
}

function dialect(settings: VendorSettings, model: string, config: object, options: TtsOptions): TtsDialect {
  const url = socketUrl(settings.baseUrl, '/text-to-speech/ws');
  url.searchParams.set('model', model);
  url.searchParams.set('send_completion_event', 'true');
  let context: Context | null = null;

  /** A flush is whole. */
  const final = (): TtsVendorEvent[] => {
    if (context === null) return [{ type: 'alive' }];
    const { name, isCancelled, isEnded } = context;
    const isOver = --context.left <= 0 && (isEnded || isCancelled);
    if (isOver) context = null;
    return [
      ...(isCancelled ? [] : [{ type: 'sentence_done', context: name } as const]),
      ...(isOver ? [{ type: 'context_done', context: name } as const] : []),
    ];
  };
  return {
    url: url.href,
    headers: { 'api-subscription-key': settings.apiKey ?? '' },
    format: formatFor(options.sampleRate),
    greets: false,
    contexts: 1,
    begin: () => [JSON.stringify({ type: 'config', data: config })],
    say(name, text) {
      if (context?.name !== name) context = { name, left: 0, isEnded: false, isCancelled: false };
      context.left++;
      return [JSON.stringify({ type: 'text', data: { text } }), JSON.stringify({ type: 'flush' })];
    },
    end(name) {
      if (context?.name === name) context.isEnded = true;
      return [];
    },
    // The vendor has no cancellation: the rest of the speech is dropped as it comes, while another connection speaks.
    cancel(name) {
      if (context?.name === name) context.isCancelled = true;
      return [];
    },
    isOver(name) {
      if (context?.name !== name) return true;
      if (context.left > 0 || !(context.isEnded || context.isCancelled)) return false;
      context = null;
      return true;
    },
    keepAlive: () => [JSON.stringify({ type: 'ping' })],
    receive(message) {
      const fields = Fields.parse(message.toString('utf8'));
      const data = fields.of('data');
      switch (fields.text('type')) {
        case 'audio':
          if (context === null || context.isCancelled) return [{ type: 'alive' }];
          return [
            {
              type: 'audio',
              context: context.name,
              bytes: samplesOf(Buffer.from(data.text('audio'), 'base64')),
            },
          ];
        case 'event':
          return data.text('event_type') === 'final' ? final() : [{ type: 'alive' }];
        case 'error': {
          const detail = `${data.text('message')} ${data.text('code')}`.trim();
          const kind = kindOfText(detail) ?? (/internal|server/i.test(detail) ? 'lost' : 'rejected');
          return [{ type: 'fault', context: null, fault: vendorFault('sarvam', kind, detail) }];
        }
        default:
          return [{ type: 'alive' }];
      }
    },
    bye: [],
  };
}

/** A piece of audio without the header that some versions of the vendor put before it. */
const samplesOf = (bytes: Buffer): Uint8Array =>
  bytes.length > RIFF_HEADER && bytes.toString('latin1', 0, 4) === 'RIFF'
    ? bytes.subarray(bytes.indexOf('data', 12, 'latin1') + 8)
    : bytes;
