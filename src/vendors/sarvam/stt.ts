import type { Language } from '@callwright/language';
import { recogniserCode } from '../recogniser-languages.ts';
import type { VendorSettings } from '../catalogue.ts';
import type { SttOptions } from '../../providers/ports/recogniser.ts';
import { faultOfStatus, kindOfText, vendorFault, type VendorFault } from '../../providers/wire/fault.ts';
import { Fields } from '@callwright/fields';
import { phoneFormat } from '../../providers/stt/wire-audio.ts';
import {
  socketUrl,
  type SttDialect,
  type SttVendorEvent,
  type SttVendor,
} from '../../providers/stt/dialect.ts';

const CHUNK_MS = 100;
const MODEL = 'saaras:v3-realtime';
/** Silence that ends an utterance. */
const SILENCE_MS = '300';
const LONGEST_PROMPT = 500;

const codeOf = (language: Language): string | null => recogniserCode('sarvam', null, language);

/** Sarvam's realtime recogniser: Indian languages, also mixed with English. Utterances end by silence. */
export const sarvamStt = (settings: VendorSettings): SttVendor => ({
  name: 'sarvam',
  understands: (language) => codeOf(language) !== null,
  connect: (options) => sarvamDialect(settings, options),
});

function sarvamDialect(
  settings: VendorSettings,
  { language, secondaryLanguage, sampleRate, vocab }: Omit<SttOptions, 'onEvent'>,
): SttDialect {
  const url = socketUrl(settings.baseUrl, '/speech-to-text-realtime/ws');
  const format = phoneFormat(sampleRate, CHUNK_MS);
  const secondary = secondaryLanguage === null ? null : codeOf(secondaryLanguage);
  const query = {
    language_code: codeOf(language) ?? secondary ?? 'auto',
    model: settings.model ?? MODEL,
    stream_type: 'fast',
    mode: secondary === null ? 'transcribe' : 'codemix',
    endpointing: 'vad',
    encoding: format.encoding,
    sample_rate: String(format.rate),
    silence_duration_ms: SILENCE_MS,
    return_timestamps: 'true',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const prompt = vocab.join(', ').slice(0, LONGEST_PROMPT);
  if (prompt !== '') url.searchParams.set('prompt', prompt);
  return {
    url: url.href,
    headers: { 'api-subscription-key': settings.apiKey ?? '' },
    model: query.model,
    format,
    greets: true,
    answers: 'sometimes',
    audio: (chunk) => JSON.stringify({ event: 'audio_input', audio: Buffer.from(chunk).toString('base64') }),
    receive: (message) => [eventOf(Fields.parse(message))],
    closeFault: (code, reason) => closeFault(code, reason),
    end: ['{"event":"end"}'],
  };
}

function eventOf(message: Fields): SttVendorEvent {
  switch (message.text('event')) {
    case 'session.begin':
      return { type: 'ready' };
    case 'transcript.partial':
    case 'transcript.final': {
      const isFinal = message.text('event') === 'transcript.final';
      const text = message.text('text').trim();
      if (text === '') return { type: isFinal ? 'nothing' : 'alive' };
      const language = message.text('language');
      const heard = { text, audioMs: message.seconds('end_s'), ...(language === '' ? {} : { language }) };
      return isFinal ? { type: 'final', confidence: null, ...heard } : { type: 'partial', ...heard };
    }
    case 'error': {
      const status = message.number('status_code');
      const detail = message.text('message') || message.text('code');
      if (!message.flag('is_fatal')) return { type: 'alive' };
      const fault =
        status === null
          ? vendorFault('sarvam', kindOfText(detail) ?? 'lost', detail)
          : faultOfStatus('sarvam', status, detail);
      return { type: 'fault', fault };
    }
    default:
      return { type: 'alive' };
  }
}

/** 1003 stands for limits, quota and keys; 4000 for refusals of the application and for a backend that is down. */
function closeFault(code: number, reason: string): VendorFault | null {
  if (code !== 4000 && code !== 1003) return null;
  const kind = kindOfText(reason) ?? (/503|unavailable/i.test(reason) ? 'lost' : 'rejected');
  return vendorFault('sarvam', kind, `closed with code ${code}${reason === '' ? '' : `, ${reason}`}`);
}
