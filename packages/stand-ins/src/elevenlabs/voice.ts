import { Fields } from '@callwright/fields';
import { FakeSpeech, speechBody, type SpeechFormat, type SpeechPiece } from '../fake-speech.ts';
import type { FakeConnection, FakeHandler, FakeProtocol, Refusal } from '../fake-vendor.ts';
import { elevenlabsVoices, ELEVENLABS_VOICES } from '../voice-lists.ts';
import { characterTimes } from '../word-code.ts';

const MOST_CONTEXTS = 5;
/** Characters after which the next piece of text is spoken without a flush. */
const SCHEDULE = [120, 160, 250, 290];
const FLASH_LANGUAGES =
  'en ja zh de hi fr ko pt it es id nl tr fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru hu no vi'.split(
    ' ',
  );
const SOCKET_MODELS = new Set([
  'eleven_flash_v2_5',
  'eleven_turbo_v2_5',
  'eleven_multilingual_v2',
  'eleven_flash_v2',
]);
const STATUSES: Record<number, [status: string, message: string]> = {
  401: ['invalid_api_key', 'Invalid API key'],
  402: ['quota_exceeded', 'This request exceeds your quota.'],
  404: ['voice_not_found', 'A voice with this voice_id was not found.'],
  422: ['invalid_request', 'The request is invalid.'],
  429: ['too_many_concurrent_requests', 'Too many concurrent requests.'],
};

export function refusal(status: number, said?: string): Refusal {
  const [name, message] = STATUSES[status] ?? ['internal_server_error', 'Something went wrong.'];
  return { status, body: { detail: { status: name, message: said ?? message } } };
}

/** The format of `output_format`; null: the stand-in does not speak it. */
function formatOf(name: string): SpeechFormat | null {
  const [, kind, rate] = /^(ulaw|alaw|pcm)_(8000|16000|22050|24000|32000|44100|48000)$/.exec(name) ?? [];
  if (kind === undefined || (kind !== 'pcm' && rate !== '8000')) return null;
  const encoding = kind === 'ulaw' ? 'mulaw' : kind === 'alaw' ? 'alaw' : 'linear16';
  return { encoding, rate: Number(rate) };
}

/** `GET /v1/voices`, `GET /v2/voices` and the streamed request. */
export const elevenlabsHttp: NonNullable<FakeProtocol['http']> = (request, settings) => {
  const given = request.headers['xi-api-key'] ?? '';
  const { path, method, query, body } = request;
  if (given === '' || (settings.key !== null && given !== settings.key)) return refusal(401);
  if (method === 'GET' && path === '/v1/voices') return { status: 200, body: elevenlabsVoices() };
  if (method === 'GET' && path === '/v2/voices') {
    const all = elevenlabsVoices();
    const from = Number(query.get('next_page_token') ?? 0);
    const to = from + Number(query.get('page_size') ?? 10);
    const hasMore = to < all.voices.length;
    const voices = all.voices.slice(from, to);
    return {
      status: 200,
      body: {
        voices,
        has_more: hasMore,
        total_count: all.voices.length,
        next_page_token: hasMore ? String(to) : null,
      },
    };
  }
  const voice = /^\/v1\/text-to-speech\/([^/]+)\/stream$/.exec(path)?.[1];
  if (voice === undefined || method !== 'POST') return null;
  const format = formatOf(query.get('output_format') ?? '');
  const fields = Fields.parse(body.toString('utf8'));
  if (!ELEVENLABS_VOICES.has(voice)) return refusal(404);
  if (format === null) return refusal(422, 'output_format is not supported');
  if (fields.text('text') === '') return refusal(422, 'text is required');
  if (settings.failNext !== 0) {
    const status = settings.failNext;
    settings.failNext = 0;
    return refusal(status);
  }
  const speed = fields.of('voice_settings').number('speed') ?? 1;
  const contentType = format.encoding === 'linear16' ? 'audio/pcm' : 'audio/basic';
  return speechBody(settings, format, fields.text('text'), { contentType, speed });
};

interface Context {
  readonly speech: FakeSpeech;
  text: string;
  flushes: number;
  usedAt: number;
  isClosing: boolean;
}

/** The multi-context socket: contexts are spoken at the same time and end when they are closed. */
export function voiceHandler(
  connection: FakeConnection,
  query: URLSearchParams,
  { voice, isKnown }: { voice: string; isKnown: boolean },
): FakeHandler {
  const { settings } = connection;
  const model = query.get('model_id') ?? 'eleven_multilingual_v2';
  const format = formatOf(query.get('output_format') ?? 'mp3_44100_128');
  const language = query.get('language_code');
  const idleMs = Number(query.get('inactivity_timeout') ?? 20) * 1000;
  const isAligned = query.get('sync_alignment') === 'true';
  const isAuto = query.get('auto_mode') === 'true';
  const contexts = new Map<string, Context>();
  let isOver = false;
  let sentMs = 0;

  const fail = (error: string, message: string, code = 1008): void => {
    isOver = true;
    for (const { speech } of contexts.values()) speech.stop();
    connection.send({ message, error, code });
    connection.close(code, error);
  };
  const end = (id: string): void => {
    contexts.get(id)?.speech.stop();
    contexts.delete(id);
  };
  const named = (id: string): object => (settings.otherSpelling ? { context_id: id } : { contextId: id });

  const audio = (id: string, piece: SpeechPiece): void => {
    const sent = {
      audio: piece.data.toString('base64'),
      ...named(id),
      ...(settings.otherSpelling ? { is_final: false } : { isFinal: null }),
      ...(isAligned ? alignmentOf(piece, settings.otherSpelling) : {}),
    };
    connection.send(sent);
    sentMs += piece.endMs - piece.startMs;
    connection.carried(sentMs);
  };
  const open = (id: string, first: Fields): Context | null => {
    if (contexts.size >= MOST_CONTEXTS) {
      const said = `Maximum simultaneous contexts per WebSocket connection exceeded (${MOST_CONTEXTS}). Close a context first.`;
      fail('max_active_conversations', said);
      return null;
    }
    const speech = new FakeSpeech(
      settings,
      { ...(format ?? { encoding: 'mulaw', rate: 8000 }), isWhole: true },
      {
        onPiece: (piece) => audio(id, piece),
        onMark() {
          end(id);
          const final = settings.otherSpelling ? { is_final: true } : { isFinal: true };
          connection.send({ audio: null, ...final, ...named(id) });
        },
      },
      first.of('voice_settings').number('speed') ?? 1,
    );
    const context = { speech, text: '', flushes: 0, usedAt: performance.now(), isClosing: false };
    contexts.set(id, context);
    return context;
  };
  const flush = (context: Context): void => {
    context.speech.say(context.text);
    context.text = '';
    context.flushes++;
  };
  const close = (context: Context): void => {
    if (context.isClosing) return;
    context.isClosing = true;
    flush(context);
    context.speech.mark('end');
  };

  if (!isKnown) fail('invalid_api_key', 'Invalid API key');
  else if (!ELEVENLABS_VOICES.has(voice)) {
    fail('voice_id_does_not_exist', `A voice with voice_id ${voice} does not exist.`);
  } else if (!SOCKET_MODELS.has(model)) {
    fail('model_id_does_not_exist', `The model ${model} is not available here.`);
  } else if (format === null) fail('output_format_not_allowed', 'The stand-in speaks PCM and G.711 only.');
  else if (language !== null && !FLASH_LANGUAGES.includes(language)) {
    fail('unsupported_language', `Model ${model} does not support the language_code ${language}.`);
  } else if (!(idleMs > 0 && idleMs <= 180_000)) {
    fail('invalid_inactivity_timeout', 'inactivity_timeout must be at most 180 seconds.');
  }
  return {
    binary: () => fail('invalid_message', 'Messages are text.'),
    text(message) {
      if (isOver) return;
      const fields = Fields.parse(message);
      if (fields.flag('close_socket')) {
        isOver = true;
        for (const context of contexts.values()) close(context);
        return;
      }
      const id = fields.text('context_id') || 'default';
      const known = contexts.get(id);
      if (fields.flag('close_context')) return known === undefined ? undefined : close(known);
      const context = known ?? open(id, fields);
      if (context === null || context.isClosing) return;
      context.usedAt = performance.now();
      if (settings.failNext !== 0 && fields.text('text').trim() !== '') {
        const status = settings.failNext;
        settings.failNext = 0;
        const [error, said] = STATUSES[status] ?? ['internal_error', 'Something went wrong.'];
        return fail(error, said, status >= 500 ? 1011 : 1008);
      }
      context.text += fields.text('text');
      const due = SCHEDULE[Math.min(context.flushes, SCHEDULE.length - 1)] ?? 0;
      const isText = context.text.trim() !== '';
      if (isText && (isAuto || fields.flag('flush') || context.text.length >= due)) flush(context);
    },
    tick() {
      const isIdle = ({ speech, usedAt }: Context): boolean =>
        !speech.isSpeaking && performance.now() - usedAt > idleMs;
      for (const [id, context] of contexts) if (isIdle(context)) end(id);
      if (isOver && contexts.size === 0) connection.close(1000);
    },
    closed() {
      for (const id of contexts.keys()) end(id);
    },
  };
}

/** The characters of a piece, which fill it; times are relative to it. */
function alignmentOf({ words, startMs, endMs }: SpeechPiece, otherSpelling: boolean): object {
  const chars: string[] = [];
  const starts: number[] = [];
  const lengths: number[] = [];
  for (const [i, word] of words.entries()) {
    for (const { char, startMs: within, ms } of characterTimes(word.text)) {
      chars.push(char);
      starts.push(Math.round(word.startMs + within - startMs));
      lengths.push(ms);
    }
    chars.push(' ');
    starts.push(Math.round(word.endMs - startMs));
    lengths.push(Math.round((words[i + 1]?.startMs ?? endMs) - word.endMs));
  }
  if (chars.length === 0) return { alignment: null, normalizedAlignment: null };
  const alignment = {
    chars,
    charStartTimesMs: starts,
    ...(otherSpelling ? { charsDurationsMs: lengths } : { charDurationsMs: lengths }),
  };
  return { alignment, normalizedAlignment: alignment };
}
