import { parseWav } from '@callwright/audio';
import { Fields } from '@callwright/fields';
import { kokoroSpeech, openaiSpeech } from './voice.ts';
import { openaiRefusal as refusal } from './refusal.ts';
import { openaiS2s } from './s2s.ts';
import type {
  FakeConnection,
  FakeHandler,
  FakeProtocol,
  FakeRequest,
  FakeSettings,
  FakeStream,
  Refusal,
} from '../fake-vendor.ts';
import { chatCompletion, responses } from './models.ts';
import { FakeUtterances, textOf } from '../fake-utterances.ts';
import { KOKORO_VOICES } from '../voice-lists.ts';
import { WordListener } from '../word-code.ts';

const SHORTEST_MS = 100;

const isKnown = ({ headers }: FakeRequest, key: string | null): boolean => {
  const given = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '')?.[1];
  return given !== undefined && (key === null || given === key);
};

/** OpenAI's realtime transcription and speech to speech, its voices and its language models. */
export const fakeOpenai: FakeProtocol = {
  name: 'openai',
  refusal,
  http(request, settings) {
    const isSpeech = request.path === '/v1/audio/speech';
    if ((!isSpeech && !(request.path in MODEL_PATHS)) || request.method !== 'POST') return null;
    if (!isKnown(request, settings.key)) return refusal(401);
    return isSpeech ? openaiSpeech(request.body, settings) : modelReply(request, request.body, settings);
  },
  socket(request, settings) {
    if (!isKnown(request, settings.key)) return refusal(401);
    if (request.path !== '/v1/realtime') return refusal(404);
    if (request.query.get('intent') === 'transcription') return (connection) => realtime(connection);
    const model = request.query.get('model') ?? '';
    return model.startsWith('gpt-realtime') ? (connection) => openaiS2s(connection, settings) : refusal(404);
  },
};

const MODEL_PATHS: Readonly<Record<string, typeof chatCompletion>> = {
  '/v1/responses': responses,
  '/v1/chat/completions': chatCompletion,
};

/** The reply of a language model; null: the path is none of theirs. */
function modelReply(request: FakeRequest, body: Buffer, settings: FakeSettings): Refusal | FakeStream | null {
  const reply = MODEL_PATHS[request.path]?.(body, settings) ?? null;
  return typeof reply === 'string' ? refusal(400, reply) : reply;
}

/**
 * Any server with OpenAI's requests for transcription, chat and speech, the latter in the dialect of Kokoro-FastAPI; a key
 * is required only if one is set.
 */
export const fakeTranscriptions: FakeProtocol = {
  name: 'openai-compatible',
  refusal,
  socket: () => refusal(404),
  http(request, settings) {
    const { path, method, headers, body } = request;
    if (settings.key !== null && !isKnown(request, settings.key)) return refusal(401);
    switch (`${method} ${path}`) {
      case 'POST /v1/audio/transcriptions':
        return transcription(headers['content-type'] ?? '', body);
      case 'POST /v1/chat/completions':
        return modelReply(request, body, settings);
      case 'POST /v1/audio/speech':
        return kokoroSpeech(body, settings);
      case 'GET /v1/audio/voices':
        return { status: 200, body: { voices: KOKORO_VOICES } };
      default:
        return null;
    }
  },
};

/** The words of the file in a multipart form. */
function transcription(type: string, body: Buffer): Refusal {
  const boundary = /boundary="?([^";]+)/.exec(type);
  if (boundary === null) return refusal(400, 'The body must be a form.');
  const mark = `--${boundary[1] ?? ''}`;
  const head = body.indexOf('name="file"');
  const start = head < 0 ? -1 : body.indexOf('\r\n\r\n', head) + 4;
  const end = start < 4 ? -1 : body.indexOf(`\r\n${mark}`, start);
  if (end < 0) return refusal(400, 'file is required.');
  const wav = parseWav(body.subarray(start, end));
  if (!wav.ok) return refusal(400, 'Invalid file format.');
  const { pcm, sampleRate } = wav;
  if ((pcm.length * 1000) / sampleRate < SHORTEST_MS) return refusal(400, 'Audio file is too short.');
  const words: string[] = [];
  const listener = new WordListener(sampleRate);
  listener.push(pcm, ({ text }) => words.push(text));
  listener.push(new Int16Array(sampleRate / 10), ({ text }) => words.push(text));
  return { status: 200, body: { text: words.join(' ') } };
}

function realtime(connection: FakeConnection): FakeHandler {
  let utterances: FakeUtterances | null = null;
  let isLive = true;
  let events = 0;
  let items = 0;
  let previous: string | null = null;

  const itemId = (): string => `item_${items}`;
  const send = (type: string, more: object): void =>
    connection.send({ type, event_id: `event_${events++}`, ...more });
  const fail = (code: string, message: string): void =>
    send('error', { error: { type: 'invalid_request_error', code, message, param: null } });

  const update = (session: Fields): void => {
    const input = session.of('audio').of('input');
    const asked = input.of('transcription');
    const format = input.of('format').text('type');
    if (session.text('type') !== 'transcription')
      return fail('invalid_value', 'session.type must be transcription');
    if (asked.has('language') && asked.has('languages')) {
      return fail('invalid_value', 'language and languages exclude each other');
    }
    if (!['audio/pcmu', 'audio/pcm'].includes(format)) return fail('invalid_value', 'unknown format');
    const model = asked.text('model');
    if (!/^(?:gpt-|whisper-)/.test(model)) return fail('invalid_model', `model ${model} does not exist`);
    isLive = model === 'gpt-live-transcribe' || model === 'gpt-realtime-whisper';
    let told = 0;
    utterances = new FakeUtterances(
      format === 'audio/pcmu' ? { encoding: 'mulaw', rate: 8000 } : { encoding: 'linear16', rate: 24_000 },
      { everyMs: 200, endMs: () => null },
      {
        onBegin: () => (told = 0),
        onPartial(words) {
          if (!isLive) return;
          const delta = words.slice(told).map(({ text }) => `${text} `);
          told = words.length;
          send('conversation.item.input_audio_transcription.delta', {
            item_id: itemId(),
            content_index: 0,
            delta: delta.join(''),
          });
        },
      },
    );
    send('session.updated', { session: { type: 'transcription' } });
  };

  send('session.created', { session: { type: 'transcription' } });
  return {
    binary: () => fail('invalid_value', 'messages are text'),
    text(message) {
      const fields = Fields.parse(message);
      switch (fields.text('type')) {
        case 'session.update':
          return update(fields.of('session'));
        case 'input_audio_buffer.append':
          utterances?.push(Buffer.from(fields.text('audio'), 'base64'));
          return connection.carried(utterances?.audio.audioMs ?? 0);
        case 'input_audio_buffer.commit': {
          const transcript = textOf(utterances?.take() ?? []);
          const item = { item_id: itemId() };
          send('input_audio_buffer.committed', { ...item, previous_item_id: previous });
          send('conversation.item.input_audio_transcription.completed', {
            ...item,
            content_index: 0,
            transcript,
            usage: { type: 'duration', seconds: 1 },
          });
          previous = itemId();
          items++;
          return;
        }
        default:
          return fail('invalid_value', 'unknown type');
      }
    },
  };
}
