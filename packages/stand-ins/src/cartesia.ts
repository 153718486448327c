import { Fields } from '@callwright/fields';
import { FakeSpeech, type SpeechFormat } from './fake-speech.ts';
import type {
  FakeConnection,
  FakeHandler,
  FakeProtocol,
  FakeRequest,
  FakeSettings,
  Refusal,
} from './fake-vendor.ts';
import { CARTESIA_VOICES, cartesiaVoices } from './voice-lists.ts';

const LANGUAGES =
  'en fr de es pt zh ja hi it ko nl pl ru sv tr tl bg ro ar cs el fi hr ms sk da ta uk hu no vi bn th he ka id te gu kn ml mr pa or ur'.split(
    ' ',
  );
const ENCODINGS: Readonly<Record<string, SpeechFormat['encoding']>> = {
  pcm_s16le: 'linear16',
  pcm_f32le: 'float32',
  pcm_mulaw: 'mulaw',
  pcm_alaw: 'alaw',
};
const RATES = new Set([8000, 16_000, 22_050, 24_000, 44_100, 48_000]);
const MOST_GENERATING = 15;
const BUFFER_MS = 3_000;
/** What a context may not change. */
const FIXED = ['model_id', 'language', 'locale'];
const ERRORS: Record<number, [code: string, title: string]> = {
  400: ['invalid_request', 'Bad request'],
  401: ['invalid_api_key', 'Unauthorized: invalid API key'],
  402: ['quota_exceeded', 'Credit limit reached'],
  404: ['not_found', 'Not found'],
  429: ['concurrency_limited', 'Too many concurrent requests'],
};

const refusal = (status: number): Refusal => {
  const [code, title] = ERRORS[status] ?? ['internal_error', 'Internal server error'];
  return { status, body: { error_code: code, title, message: title, request_id: crypto.randomUUID() } };
};

function problem({ headers, query }: FakeRequest, { key }: Readonly<FakeSettings>): Refusal | null {
  const bearer = /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
  const given = headers['x-api-key'] ?? bearer ?? query.get('api_key') ?? '';
  if (given === '' || (key !== null && given !== key)) return refusal(401);
  const version = headers['cartesia-version'] ?? query.get('cartesia_version') ?? '';
  return /^\d{4}-\d{2}-\d{2}$/.test(version) ? null : refusal(400);
}

/** Cartesia's voices: contexts on one socket, with the times of words. */
export const fakeCartesia: FakeProtocol = {
  name: 'cartesia',
  refusal,
  socket(request, settings) {
    const refused = problem(request, settings);
    if (refused !== null) return refused;
    return request.path === '/tts/websocket' ? (connection) => handler(connection) : refusal(404);
  },
  http(request, settings) {
    const refused = problem(request, settings);
    if (refused !== null) return refused;
    if (request.method !== 'GET' || !['/voices', '/voices/'].includes(request.path)) return null;
    return { status: 200, body: cartesiaVoices(request.query) };
  },
};

interface Context {
  readonly speech: FakeSpeech;
  readonly fixed: string;
  readonly isTimed: boolean;
  text: string;
  timer: NodeJS.Timeout | null;
  flushes: number;
  isEnded: boolean;
}

const fixedOf = (fields: Fields): string =>
  JSON.stringify([
    ...FIXED.map((name) => fields.text(name)),
    fields.of('voice').text('id'),
    fields.of('output_format').text('encoding'),
    fields.of('output_format').number('sample_rate'),
  ]);

function handler(connection: FakeConnection): FakeHandler {
  const { settings } = connection;
  const contexts = new Map<string, Context>();
  const finished = new Set<string>();
  let sentMs = 0;

  const end = (id: string): void => {
    const context = contexts.get(id);
    if (context?.timer != null) clearTimeout(context.timer);
    contexts.delete(id);
    finished.add(id);
  };
  const fail = (id: string | undefined, status: number, message?: string): void => {
    const [code, title] = ERRORS[status] ?? ['internal_error', 'Internal server error'];
    if (id !== undefined) {
      contexts.get(id)?.speech.stop();
      end(id);
    }
    const said = { title, message: message ?? title, error_code: code, request_id: crypto.randomUUID() };
    const known = id === undefined ? {} : { context_id: id };
    connection.send(
      settings.otherSpelling
        ? { type: 'error', ...known, done: true, status_code: status, error: `${code}: ${said.message}` }
        : { type: 'error', ...known, done: true, status_code: status, ...said },
    );
  };
  const wrong = (fields: Fields): string | null => {
    const output = fields.of('output_format');
    if (!fields.text('model_id').startsWith('sonic-')) return 'model_id is not known';
    if (!CARTESIA_VOICES.has(fields.of('voice').text('id'))) return 'voice is not known';
    if (!LANGUAGES.includes(fields.text('language') || 'en')) return 'language is not supported';
    if (output.text('container') !== 'raw' || ENCODINGS[output.text('encoding')] === undefined)
      return 'output_format is not supported';
    return RATES.has(output.number('sample_rate') ?? 0) ? null : 'sample_rate is not supported';
  };
  const open = (id: string, fields: Fields): Context => {
    const output = fields.of('output_format');
    const stamp = { context_id: id, done: false, status_code: 206 };
    let context: Context | undefined = undefined;
    const speech = new FakeSpeech(
      settings,
      {
        encoding: ENCODINGS[output.text('encoding')] ?? 'linear16',
        rate: output.number('sample_rate') ?? 8000,
      },
      {
        onPiece({ data, words, startMs, endMs }) {
          const flushed = context === undefined ? 0 : context.flushes;
          connection.send({
            type: 'chunk',
            ...stamp,
            data: data.toString('base64'),
            step_time: 20,
            flush_id: flushed,
          });
          if (context?.isTimed === true && words.length > 0) {
            const word_timestamps = {
              words: words.map(({ text }) => text),
              start: words.map((word) => word.startMs / 1000),
              end: words.map((word) => word.endMs / 1000),
            };
            connection.send({ type: 'timestamps', ...stamp, word_timestamps });
          }
          sentMs += endMs - startMs;
          connection.carried(sentMs);
        },
        onMark(mark) {
          if (mark === 'done') {
            end(id);
            return connection.send({ type: 'done', context_id: id, done: true, status_code: 200 });
          }
          if (context !== undefined) context.flushes++;
          connection.send({ type: 'flush_done', ...stamp, flush_done: true, flush_id: Number(mark) });
        },
      },
      fields.of('generation_config').number('speed') ?? 1,
    );
    context = {
      speech,
      fixed: fixedOf(fields),
      isTimed: fields.flag('add_timestamps'),
      text: '',
      timer: null,
      flushes: 0,
      isEnded: false,
    };
    contexts.set(id, context);
    return context;
  };
  const speak = (context: Context): void => {
    if (context.timer !== null) clearTimeout(context.timer);
    context.timer = null;
    context.speech.say(context.text);
    context.text = '';
  };
  return {
    binary: () => fail(undefined, 400, 'messages are text'),
    text(message) {
      const fields = Fields.parse(message);
      const id = fields.text('context_id');
      if (id === '') return fail(undefined, 400, 'context_id is required');
      const known = contexts.get(id);
      if (fields.flag('cancel')) {
        known?.speech.cancel();
        return end(id);
      }
      if (finished.has(id)) return fail(id, 400, 'the context is closed');
      const problems = wrong(fields);
      if (problems !== null) return fail(id, 400, problems);
      if (known !== undefined && (known.isEnded || known.fixed !== fixedOf(fields)))
        return fail(id, 400, 'the parameters of a context cannot change');
      if (settings.failNext !== 0) {
        const status = settings.failNext;
        settings.failNext = 0;
        return fail(id, status);
      }
      if (known === undefined && contexts.size >= MOST_GENERATING) return fail(id, 429);
      const context = known ?? open(id, fields);
      context.text += fields.text('transcript');
      const waitMs = fields.number('max_buffer_delay_ms') ?? BUFFER_MS;
      const isLast = !fields.flag('continue');
      if (isLast || fields.flag('flush') || waitMs === 0) speak(context);
      else context.timer ??= setTimeout(() => speak(context), waitMs);
      if (fields.flag('flush')) context.speech.mark(String(context.flushes + 1));
      if (!isLast) return;
      context.isEnded = true;
      context.speech.mark('done');
    },
    closed() {
      for (const [id, { speech }] of contexts) {
        speech.stop();
        end(id);
      }
    },
  };
}
