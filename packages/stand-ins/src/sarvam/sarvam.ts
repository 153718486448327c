import { Fields } from '@callwright/fields';
import { speechBody } from '../fake-speech.ts';
import type { FakeConnection, FakeHandler, FakeProtocol, Refusal } from '../fake-vendor.ts';
import { sarvamConfig, sarvamVoiceHandler } from './voice.ts';
import { FakeUtterances, textOf } from '../fake-utterances.ts';
import type { FakeEncoding } from '../received-audio.ts';

const LANGUAGES =
  'auto en-IN hi-IN bn-IN kn-IN ml-IN mr-IN or-IN pa-IN ta-IN te-IN gu-IN as-IN ur-IN ne-IN kok-IN ks-IN sd-IN sa-IN sat-IN mni-IN brx-IN mai-IN doi-IN'.split(
    ' ',
  );
const IDLE_MS = 60_000;
const CODES: Record<number, string> = {
  401: 'invalid_api_key_error',
  402: 'insufficient_quota_error',
  403: 'invalid_api_key_error',
  429: 'rate_limit_exceeded_error',
};

const refusal = (status: number, message = 'refused'): Refusal => ({
  status,
  body: {
    error: {
      message,
      code: CODES[status] ?? 'internal_server_error',
      request_id: crypto.randomUUID(),
    },
  },
});

/** Sarvam's realtime recogniser, and its voices over WebSocket and HTTP. */
export const fakeSarvam: FakeProtocol = {
  name: 'sarvam',
  refusal: (status) => refusal(status),
  socket({ path, query, headers }, { key }) {
    const given = headers['api-subscription-key'] ?? '';
    if (given === '' || (key !== null && given !== key)) return refusal(403);
    if (path === '/text-to-speech/ws') return (connection) => sarvamVoiceHandler(connection, query);
    return path === '/speech-to-text-realtime/ws' ? (connection) => handler(connection, query) : refusal(404);
  },
  http({ method, path, headers, body }, settings) {
    const given = headers['api-subscription-key'] ?? '';
    if (given === '' || (settings.key !== null && given !== settings.key)) return refusal(403);
    if (method !== 'POST' || path !== '/text-to-speech/stream') return null;
    const fields = Fields.parse(body.toString('utf8'));
    const config = sarvamConfig(fields, 'bulbul:v3');
    const text = fields.text('text') || fields.text('inputs');
    if (typeof config === 'string') return refusal(400, config);
    if (text === '' || text.length > 3_500) return refusal(400, 'text must have 1 to 3500 characters');
    return speechBody(settings, config.format, text, { contentType: config.contentType, speed: config.pace });
  },
};

function handler(connection: FakeConnection, query: URLSearchParams): FakeHandler {
  const requestId = crypto.randomUUID();
  const language = query.get('language_code') ?? '';
  const model = query.get('model') ?? 'saaras:v3-realtime';
  const rate = query.get('sample_rate') ?? '16000';
  const encoding = (query.get('encoding') ?? 'linear16') as FakeEncoding;
  const silenceMs = Number(query.get('silence_duration_ms') ?? 500);
  const isManual = query.get('endpointing') === 'manual';
  const isSimulated = query.get('stream_type') === 'simulated';
  const found = language === 'auto' ? { language: 'en-IN', language_confidence: 0.97 } : {};
  let index = 0;
  let heardAt = performance.now();

  const refused = (message: string): void => {
    connection.send({ event: 'error', code: 'invalid_config', is_fatal: true, message, status_code: 400 });
    connection.close(4000, message);
  };
  const end = (words: Parameters<typeof textOf>[0]): void => {
    connection.send({ event: 'vad.speech_end', utterance_idx: index, confidence: 0.8 });
    const times =
      query.get('return_timestamps') === 'true'
        ? { start_s: (words[0]?.startMs ?? 0) / 1000, end_s: utterances.audio.audioMs / 1000 }
        : {};
    const text = textOf(words);
    connection.send({ event: 'transcript.final', utterance_idx: index++, text, ...found, ...times });
  };
  const utterances = new FakeUtterances(
    { encoding, rate: Number(rate) },
    { everyMs: 500, endMs: () => (isManual ? null : silenceMs) },
    {
      onBegin: () => connection.send({ event: 'vad.speech_start', utterance_idx: index, confidence: 0.9 }),
      onPartial(words) {
        if (isSimulated) return;
        connection.send({ event: 'transcript.partial', utterance_idx: index, text: textOf(words), ...found });
      },
      onEnd: end,
    },
  );

  if (!LANGUAGES.includes(language)) refused(`language_code ${language} is not supported`);
  else if (!model.startsWith('saaras:v')) refused(`model ${model} is not supported`);
  else if (rate !== '8000' && rate !== '16000') refused('sample_rate must be 8000 or 16000');
  else {
    const config = { model, language_code: language, encoding, sample_rate: Number(rate) };
    connection.send({ event: 'session.begin', request_id: requestId, config });
  }
  return {
    binary: () => refused('audio must be base64 in audio_input'),
    text(message) {
      heardAt = performance.now();
      const fields = Fields.parse(message);
      switch (fields.text('event')) {
        case 'audio_input':
          utterances.push(Buffer.from(fields.text('audio'), 'base64'));
          return connection.carried(utterances.audio.audioMs);
        case 'speech_end':
        case 'flush':
          return isManual ? end(utterances.take()) : undefined;
        case 'ping':
          return connection.send({ event: 'pong' });
        case 'end': {
          const rest = utterances.take();
          if (rest.length > 0) end(rest);
          const seconds = utterances.audio.audioMs / 1000;
          connection.send({ event: 'session.end', request_id: requestId, audio_duration_s: seconds });
          return connection.close(1000);
        }
        default:
      }
    },
    tick() {
      if (performance.now() - heardAt < IDLE_MS) return;
      heardAt = Infinity;
      connection.close(1008, 'inactivity');
    },
  };
}
