import type { Language } from '@callwright/language';
import { recogniserCode } from '../recogniser-languages.ts';
import type { VendorSettings } from '../catalogue.ts';
import type { SttOptions } from '../../providers/ports/recogniser.ts';
import { vendorFault, type FaultKind } from '../../providers/wire/fault.ts';
import { Fields } from '@callwright/fields';
import { phoneFormat } from '../../providers/stt/wire-audio.ts';
import {
  COMMIT_MS,
  socketUrl,
  type SttDialect,
  type SttVendorEvent,
  type SttVendor,
} from '../../providers/stt/dialect.ts';

const CHUNK_MS = 100;
const MODEL = 'scribe_v2_realtime';
const LONGEST_TERM = 20;
const MOST_TERMS = 50;

/** ElevenLabs Scribe, realtime: every agent language; our own end of speech commits each utterance. */
export const elevenlabsStt = (settings: VendorSettings): SttVendor => ({
  name: 'elevenlabs',
  understands: (language) => codeOf(language) !== null,
  connect: (options) => dialect(settings, options),
});

const codeOf = (language: Language): string | null => recogniserCode('elevenlabs', null, language);

function dialect(
  settings: VendorSettings,
  { language, secondaryLanguage, sampleRate, vocab }: Omit<SttOptions, 'onEvent'>,
): SttDialect {
  const url = socketUrl(settings.baseUrl, '/v1/speech-to-text/realtime');
  const format = phoneFormat(sampleRate, CHUNK_MS);
  const { searchParams } = url;
  searchParams.set('model_id', settings.model ?? MODEL);
  searchParams.set('audio_format', format.encoding === 'mulaw' ? 'ulaw_8000' : 'pcm_16000');
  searchParams.set('commit_strategy', 'manual');
  const secondary = secondaryLanguage === null ? null : codeOf(secondaryLanguage);
  searchParams.set('language_code', codeOf(language) ?? secondary ?? 'en');
  if (secondary !== null) searchParams.append('secondary_languages', secondary);
  for (const term of vocab.filter(({ length }) => length <= LONGEST_TERM).slice(0, MOST_TERMS)) {
    searchParams.append('keyterms', term);
  }
  const bytesPerMs = format.encoding === 'mulaw' ? 8 : 32;
  let sentMs = 0;
  const commits: number[] = [];
  const chunk = (audio: string, commit: boolean): string =>
    JSON.stringify({
      message_type: 'input_audio_chunk',
      audio_base_64: audio,
      commit,
      sample_rate: format.rate,
    });
  return {
    url: url.href.replaceAll('+', '%20'),
    headers: { 'xi-api-key': settings.apiKey ?? '' },
    model: settings.model ?? MODEL,
    format,
    greets: true,
    answers: 'after-speech',
    audio(bytes) {
      sentMs += bytes.length / bytesPerMs;
      return chunk(Buffer.from(bytes).toString('base64'), false);
    },
    endMs: COMMIT_MS,
    speechEnded() {
      commits.push(sentMs);
      return [chunk('', true)];
    },
    receive(text) {
      const message = Fields.parse(text);
      const words = message.text('text').trim();
      switch (message.text('message_type')) {
        case 'session_started':
          return [{ type: 'ready' }];
        case 'partial_transcript':
          return [words === '' ? { type: 'alive' } : { type: 'partial', text: words, audioMs: null }];
        case 'committed_transcript': {
          const audioMs = commits.shift() ?? sentMs;
          if (words === '') return [{ type: 'nothing' }];
          return [{ type: 'final', text: words, confidence: null, audioMs }];
        }
        case 'commit_throttled':
          commits.shift();
          return [{ type: 'alive' }];
        default:
          return [errorEvent(message)];
      }
    },
    end: [],
  };
}

const KINDS: Readonly<Record<string, FaultKind>> = {
  auth_error: 'key',
  quota_exceeded: 'credit',
  unaccepted_terms: 'rejected',
  invalid_request: 'rejected',
  input_error: 'rejected',
  chunk_size_exceeded: 'rejected',
  rate_limited: 'limit',
  queue_overflow: 'limit',
  resource_exhausted: 'limit',
  transcriber_error: 'lost',
  error: 'lost',
  session_time_limit_exceeded: 'lost',
  insufficient_audio_activity: 'lost',
};

/** The kind of an error is the type of its message; unknown messages are no errors. */
function errorEvent(message: Fields): SttVendorEvent {
  const kind = KINDS[message.text('message_type')];
  if (kind === undefined) return { type: 'alive' };
  const detail = message.text('error') || message.text('message') || message.text('message_type');
  return { type: 'fault', fault: vendorFault('elevenlabs', kind, detail) };
}
