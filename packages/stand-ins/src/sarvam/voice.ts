import { Fields } from '@callwright/fields';
import { FakeSpeech, type SpeechFormat } from '../fake-speech.ts';
import type { FakeConnection, FakeHandler } from '../fake-vendor.ts';

const LANGUAGES = 'bn-IN en-IN gu-IN hi-IN kn-IN ml-IN mr-IN od-IN or-IN pa-IN ta-IN te-IN'.split(' ');
const V3 =
  'shubh aditya ritu priya neha rahul pooja rohan simran kavya amit dev ishita shreya ratan varun manan sumit roopa kabir aayan ashutosh advait anand tanya tarun sunny mani gokul vijay shruti suhani mohit kavitha rehan soham rupali'.split(
    ' ',
  );
const V2 = 'anushka manisha vidya arya abhilash karun hitesh'.split(' ');
const ENCODINGS: Readonly<Record<string, SpeechFormat['encoding']>> = {
  linear16: 'linear16',
  mulaw: 'mulaw',
  alaw: 'alaw',
};
const RATES = new Set([8000, 16_000, 22_050, 24_000]);
const LONGEST_TEXT = 2_500;
const IDLE_MS = 60_000;
const ERRORS: Record<number, string> = {
  401: 'Invalid API key',
  402: 'Insufficient credits',
  429: 'Rate limit exceeded',
};

interface Config {
  readonly format: SpeechFormat;
  readonly pace: number;
  readonly buffer: number;
  readonly contentType: string;
}

/** A configuration as the vendor reads it, or what is wrong with it. */
export function sarvamConfig(data: Fields, urlModel: string): Config | string {
  const model = data.text('model') || urlModel;
  const isV3 = model.startsWith('bulbul:v3');
  const language = data.text('target_language_code') || data.text('language_code');
  const speaker = data.text('speaker') || (isV3 ? 'shubh' : 'anushka');
  const pace = data.number('pace') ?? 1;
  const codec = data.text('output_audio_codec') || 'mp3';
  const rate = data.number('speech_sample_rate') ?? (isV3 ? 24_000 : 22_050);
  if (!isV3 && model !== 'bulbul:v2') return `model ${model} is not known`;
  if (!LANGUAGES.includes(language)) return 'language_code is not supported';
  if (!(isV3 ? V3 : V2).includes(speaker)) return `Speaker ${speaker} is not compatible with model ${model}`;
  if (!(isV3 ? pace >= 0.5 && pace <= 2 : pace >= 0.3 && pace <= 3)) return 'pace is out of range';
  if (!RATES.has(rate)) return 'speech_sample_rate is not supported';
  const encoding = ENCODINGS[codec];
  if (encoding === undefined) return 'the stand-in speaks linear16, mulaw and alaw only';
  const buffer = data.number('min_buffer_size') ?? 50;
  return { format: { encoding, rate }, pace, buffer, contentType: `audio/${codec}` };
}

/** Bulbul over WebSocket: configuration, texts, flushes. */
export function sarvamVoiceHandler(connection: FakeConnection, query: URLSearchParams): FakeHandler {
  const { settings } = connection;
  const requestId = crypto.randomUUID();
  const tellsEnd = query.get('send_completion_event') === 'true';
  let speech: FakeSpeech | null = null;
  let config: Config | null = null;
  let text = '';
  let heardAt = performance.now();
  let sentMs = 0;
  /** A new configuration takes effect after what was said before it. */
  let isSwitching = false;
  const waiting: Fields[] = [];

  const fail = (message: string, code = 'invalid_request_error'): void => {
    speech?.stop();
    connection.send({ type: 'error', data: { message, code, request_id: requestId } });
    connection.close(1000);
  };
  const flush = (): void => {
    if (text.trim() !== '') speech?.say(text);
    text = '';
  };
  const configure = (data: Fields): void => {
    const read = sarvamConfig(data, query.get('model') ?? 'bulbul:v2');
    if (typeof read === 'string') return fail(read);
    flush();
    config = read;
    const next = new FakeSpeech(
      settings,
      read.format,
      {
        onPiece({ data: bytes, startMs, endMs }) {
          const audio = {
            content_type: read.contentType,
            audio: bytes.toString('base64'),
            request_id: requestId,
          };
          connection.send({ type: 'audio', data: audio });
          sentMs += endMs - startMs;
          connection.carried(sentMs);
        },
        onMark(mark) {
          if (mark === 'config') {
            isSwitching = false;
            for (const one of waiting.splice(0)) act(one);
          }
          if (mark === 'config' || !tellsEnd) return;
          const event = { event_type: 'final', message: 'done', timestamp: new Date().toISOString() };
          connection.send({ type: 'event', data: event });
        },
      },
      read.pace,
    );
    speech = next;
    return undefined;
  };
  return {
    binary: () => fail('messages are text'),
    text(message) {
      heardAt = performance.now();
      act(Fields.parse(message));
    },
    tick() {
      if (performance.now() - heardAt < IDLE_MS) return;
      heardAt = Infinity;
      connection.close(1000, 'inactivity');
    },
    closed: () => speech?.stop(),
  };

  function act(fields: Fields): void {
    if (isSwitching) {
      waiting.push(fields);
      return;
    }
    const data = fields.of('data');
    const kind = fields.text('type');
    if (kind === 'config' && speech?.isSpeaking === true) {
      isSwitching = true;
      waiting.push(fields);
      flush();
      return speech.mark('config');
    }
    if (kind === 'config') return configure(data);
    if (kind === 'ping') return undefined;
    if (config === null || speech === null) return fail('config must come first');
    if (kind === 'flush') {
      flush();
      return speech.mark('final');
    }
    const said = data.text('text');
    if (kind !== 'text' || said === '' || said.length > LONGEST_TEXT)
      return fail('text must have 1 to 2500 characters');
    if (settings.failNext !== 0) {
      const status = settings.failNext;
      settings.failNext = 0;
      return fail(
        ERRORS[status] ?? 'Internal server error',
        status === 429 ? 'rate_limit_exceeded_error' : 'error',
      );
    }
    text += said;
    return text.length >= config.buffer ? flush() : undefined;
  }
}
