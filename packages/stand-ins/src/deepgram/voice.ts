import { Fields } from '@callwright/fields';
import { deepgramRefusal } from './refusal.ts';
import { FakeSpeech, type SpeechFormat } from '../fake-speech.ts';
import type { FakeConnection, FakeHandler, Refusal } from '../fake-vendor.ts';
import { DEEPGRAM_MODELS } from '../voice-lists.ts';

const RATES = {
  linear16: [8000, 16_000, 24_000, 32_000, 48_000],
  mulaw: [8000, 16_000],
  alaw: [8000, 16_000],
};
const LONGEST_TEXT = 2_000;
const MOST_PER_MINUTE = 2_400;
const MOST_FLUSHES = 20;
const MINUTE_MS = 60_000;
const CLOSES: Record<number, [code: number, reason: string]> = {
  401: [1008, 'INVALID_AUTH: Invalid credentials.'],
  402: [1008, 'ASR_PAYMENT_REQUIRED: the project has no credits.'],
  429: [1008, 'DATA-0001: too many requests.'],
};

/** `/v1/speak`: one stream of speech for the texts of a connection. */
export function deepgramVoiceSocket(
  query: URLSearchParams,
): Refusal | ((connection: FakeConnection) => FakeHandler) {
  const model = query.get('model') ?? 'aura-asteria-en';
  const encoding = (query.get('encoding') ?? 'linear16') as keyof typeof RATES;
  const rate = Number(query.get('sample_rate') ?? (encoding === 'linear16' ? 24_000 : 8000));
  const speed = Number(query.get('speed') ?? 1);
  if (!DEEPGRAM_MODELS.has(model) && model !== 'aura-asteria-en') {
    return deepgramRefusal(400, 'No such model/language/tier combination found.');
  }
  if (!(RATES[encoding] ?? []).includes(rate)) {
    return deepgramRefusal(400, 'Unsupported encoding or sample_rate.');
  }
  if (query.has('container') && query.get('container') !== 'none') {
    return deepgramRefusal(400, 'Unsupported container.');
  }
  if (!(speed >= 0.7 && speed <= 1.5)) return deepgramRefusal(400, 'speed must be between 0.7 and 1.5.');
  return (connection) => handler(connection, model, { encoding, rate }, speed);
}

function handler(
  connection: FakeConnection,
  model: string,
  format: SpeechFormat,
  speed: number,
): FakeHandler {
  const { settings } = connection;
  let sequence = 0;
  let flushes: number[] = [];
  let texts: { readonly at: number; readonly length: number }[] = [];
  const recent = <T>(list: readonly T[], at: (item: T) => number): T[] =>
    list.filter((item) => performance.now() - at(item) < MINUTE_MS);
  const speech = new FakeSpeech(
    settings,
    format,
    {
      onPiece({ data, endMs }) {
        connection.send(data);
        connection.carried(endMs);
      },
      onMark: (mark) =>
        mark === 'close'
          ? connection.close(1000)
          : connection.send({ type: 'Flushed', sequence_id: sequence++ }),
    },
    speed,
  );
  const say = (text: string): void => {
    if (text.length > LONGEST_TEXT) return connection.close(1009, 'BIG-0001');
    if (settings.failNext !== 0) {
      const [code, reason] = CLOSES[settings.failNext] ?? [1011, 'NET-0000: something went wrong.'];
      settings.failNext = 0;
      speech.stop();
      return connection.close(code, reason);
    }
    texts = [...recent(texts, ({ at }) => at), { at: performance.now(), length: text.length }];
    if (texts.reduce((sum, { length }) => sum + length, 0) > MOST_PER_MINUTE) {
      return connection.close(1008, 'DATA-0001');
    }
    return speech.say(text);
  };
  const flush = (): void => {
    flushes = [...recent(flushes, (at) => at), performance.now()];
    if (flushes.length <= MOST_FLUSHES) return speech.mark('flushed');
    return connection.send({
      type: 'Warning',
      code: 'EXCESSIVE_FLUSH',
      description: `More than ${MOST_FLUSHES} flushes in a minute.`,
    });
  };
  connection.send({
    type: 'Metadata',
    request_id: crypto.randomUUID(),
    model_name: model,
    model_version: '2025-04-07.0',
    model_uuid: crypto.randomUUID(),
    additional_model_uuids: [],
  });
  return {
    binary: () => connection.close(1003, 'DATA-0000'),
    text(message) {
      const fields = Fields.parse(message);
      switch (fields.text('type')) {
        case 'Speak':
          return say(fields.text('text'));
        case 'Flush':
          return flush();
        case 'Clear':
          return speech.cancel(() => connection.send({ type: 'Cleared', sequence_id: sequence++ }));
        case 'Close':
          return speech.mark('close');
        default:
          return connection.close(1008, 'DATA-0000');
      }
    },
    closed: () => speech.stop(),
  };
}
