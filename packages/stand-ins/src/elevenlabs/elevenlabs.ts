import { Fields } from '@callwright/fields';
import { elevenlabsHttp, refusal, voiceHandler } from './voice.ts';
import type { FakeConnection, FakeHandler, FakeProtocol } from '../fake-vendor.ts';
import { FakeUtterances, textOf } from '../fake-utterances.ts';

const FORMATS: Readonly<Record<string, { encoding: 'mulaw' | 'linear16'; rate: number }>> = {
  ulaw_8000: { encoding: 'mulaw', rate: 8000 },
  pcm_8000: { encoding: 'linear16', rate: 8000 },
  pcm_16000: { encoding: 'linear16', rate: 16_000 },
};
const LONGEST_UNCOMMITTED_MS = 90_000;

/** ElevenLabs: the recogniser Scribe, realtime, and the voices. */
export const fakeElevenlabs: FakeProtocol = {
  name: 'elevenlabs',
  refusal,
  socket({ path, query, headers }, { key }) {
    const given = headers['xi-api-key'] ?? '';
    const isKnown = given !== '' && (key === null || given === key);
    const voice = /^\/v1\/text-to-speech\/([^/]+)\/multi-stream-input$/.exec(path)?.[1];
    if (voice !== undefined) return (connection) => voiceHandler(connection, query, { voice, isKnown });
    if (path !== '/v1/speech-to-text/realtime') return refusal(404);
    return (connection) => handler(connection, query, isKnown);
  },
  http: elevenlabsHttp,
};

function handler(connection: FakeConnection, query: URLSearchParams, isKnown: boolean): FakeHandler {
  const format = FORMATS[query.get('audio_format') ?? 'pcm_16000'];
  const isVad = query.get('commit_strategy') === 'vad';
  let committedMs = 0;

  const fail = (kind: string, error: string): void => {
    connection.send({ message_type: kind, error });
    connection.close(1008, kind);
  };
  const commit = (): void => {
    committedMs = utterances.audio.audioMs;
    connection.send({ message_type: 'committed_transcript', text: textOf(utterances.take()) });
  };
  const utterances = new FakeUtterances(
    format ?? { encoding: 'linear16', rate: 16_000 },
    { everyMs: 300, endMs: () => (isVad ? 1_500 : null) },
    {
      onPartial: (words) => connection.send({ message_type: 'partial_transcript', text: textOf(words) }),
      onEnd: (words) => connection.send({ message_type: 'committed_transcript', text: textOf(words) }),
    },
  );

  if (!isKnown) fail('auth_error', 'Invalid API key');
  else if (query.get('model_id') !== 'scribe_v2_realtime') fail('invalid_request', 'unknown model_id');
  else if (format === undefined) fail('invalid_request', 'unknown audio_format');
  else if (query.getAll('keyterms').some((term) => term.length > 20)) fail('invalid_request', 'keyterms');
  else {
    const config = { audio_format: query.get('audio_format'), model_id: query.get('model_id') };
    connection.send({ message_type: 'session_started', session_id: crypto.randomUUID(), config });
  }
  return {
    binary: () => fail('input_error', 'messages are text'),
    text(message) {
      const fields = Fields.parse(message);
      const kind = fields.text('message_type');
      if (kind === 'input_audio_chunk') {
        utterances.push(Buffer.from(fields.text('audio_base_64'), 'base64'));
        connection.carried(utterances.audio.audioMs);
      } else if (kind !== 'commit') return fail('input_error', 'unknown message_type');
      const isDue = utterances.audio.audioMs - committedMs >= LONGEST_UNCOMMITTED_MS;
      if (kind === 'commit' || fields.flag('commit') || isDue) commit();
    },
  };
}
