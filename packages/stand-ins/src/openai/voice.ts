import { Fields } from '@callwright/fields';
import { speechBody } from '../fake-speech.ts';
import type { FakeSettings, FakeStream, Refusal } from '../fake-vendor.ts';
import { openaiRefusal } from './refusal.ts';
import { KOKORO_VOICES } from '../voice-lists.ts';

const VOICES = 'alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar'.split(' ');
const MODELS = new Set(['gpt-4o-mini-tts', 'gpt-4o-mini-tts-2025-12-15', 'tts-1', 'tts-1-hd']);
const KOKORO_MODELS = new Set(['kokoro', 'tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']);
const LONGEST_INPUT = 4_096;
const RATE = 24_000;

/** `POST /v1/audio/speech` of OpenAI: PCM at 24 kHz. */
export function openaiSpeech(body: Buffer, settings: FakeSettings): Refusal | FakeStream {
  const fields = Fields.parse(body.toString('utf8'));
  const input = fields.text('input');
  if (!MODELS.has(fields.text('model'))) return openaiRefusal(404);
  if (!VOICES.includes(fields.text('voice'))) return openaiRefusal(400, 'voice is not known');
  if (input === '' || input.length > LONGEST_INPUT) {
    return openaiRefusal(400, `input must have 1 to ${LONGEST_INPUT} characters`);
  }
  if (fields.has('lang_code')) return openaiRefusal(400, 'Unknown parameter: lang_code');
  if (fields.text('response_format') !== 'pcm')
    return openaiRefusal(400, 'The stand-in answers with pcm only.');
  return answer(fields, settings, openaiRefusal);
}

/** The same of Kokoro-FastAPI. */
export function kokoroSpeech(body: Buffer, settings: FakeSettings): Refusal | FakeStream {
  const fields = Fields.parse(body.toString('utf8'));
  const voices = fields
    .text('voice')
    .split('+')
    .map((part) => part.replace(/\([\d.]+\)$/, ''));
  if (!KOKORO_MODELS.has(fields.text('model'))) return kokoroRefusal(400, 'Unsupported model');
  if (!voices.every((voice) => KOKORO_VOICES.includes(voice) || VOICES.includes(voice))) {
    return kokoroRefusal(400, `Voice '${fields.text('voice')}' not found.`);
  }
  if (fields.text('input') === '') return kokoroRefusal(400, 'input is empty');
  if (fields.text('response_format') !== 'pcm')
    return kokoroRefusal(400, 'The stand-in answers with pcm only.');
  return answer(fields, settings, kokoroRefusal);
}

const kokoroRefusal = (status: number, message = 'refused'): Refusal => ({
  status,
  body: {
    detail: {
      error: status >= 500 ? 'processing_error' : 'validation_error',
      message,
      type: 'invalid_request_error',
    },
  },
});

function answer(
  fields: Fields,
  settings: FakeSettings,
  refusal: (status: number) => Refusal,
): Refusal | FakeStream {
  if (settings.failNext !== 0) {
    const status = settings.failNext;
    settings.failNext = 0;
    return refusal(status);
  }
  const speed = fields.number('speed') ?? 1;
  if (speed < 0.25 || speed > 4) return refusal(400);
  const format = { encoding: 'linear16', rate: RATE } as const;
  return speechBody(settings, format, fields.text('input'), { contentType: 'audio/pcm', speed });
}
