import { Fields } from '@callwright/fields';
import type { FakeConnection, FakeHandler, FakeProtocol, Refusal } from './fake-vendor.ts';
import { FakeUtterances, textOf } from './fake-utterances.ts';
import type { CodedWord } from './word-code.ts';

const LONGEST_CHUNK_MS = 1_000;
const SHORTEST_CHUNK_MS = 50;

const refusal = (status: number): Refusal => ({ status, body: { error: 'refused' } });

/** AssemblyAI's Universal-Streaming. A wrong key is refused after the upgrade. */
export const fakeAssemblyai: FakeProtocol = {
  name: 'assemblyai',
  refusal,
  socket({ path, query, headers }, { key }) {
    if (path !== '/v3/ws') return refusal(404);
    const given = headers['authorization'] ?? '';
    const isKnown = given !== '' && !given.startsWith('Bearer ') && (key === null || given === key);
    return (connection) => handler(connection, query, isKnown);
  },
};

function handler(connection: FakeConnection, query: URLSearchParams, isKnown: boolean): FakeHandler {
  const rate = Number(query.get('sample_rate') ?? 16_000);
  const isMulaw = query.get('encoding') === 'pcm_mulaw';
  let order = 0;

  const fail = (code: number, error: string): void => {
    connection.send({ type: 'Error', error_code: code, error });
    connection.close(code, error);
  };
  const turn = (words: readonly CodedWord[], isOver: boolean): void =>
    connection.send({
      type: 'Turn',
      turn_order: order,
      turn_is_formatted: isOver,
      end_of_turn: isOver,
      transcript: textOf(words),
      end_of_turn_confidence: isOver ? 0.9 : 0.2,
      words: words.map(({ text, startMs, endMs }) => ({
        text,
        start: startMs,
        end: endMs,
        confidence: 0.95,
        word_is_final: isOver,
      })),
    });
  const end = (words: readonly CodedWord[]): void => {
    turn(words, true);
    order++;
  };
  const utterances = new FakeUtterances(
    { encoding: isMulaw ? 'mulaw' : 'linear16', rate },
    { everyMs: 300, endMs: () => connection.settings.endMs },
    { onPartial: (words) => turn(words, false), onEnd: end },
  );

  if (isKnown) {
    const configuration = { model: query.get('speech_model'), api_version: '2025-05-12' };
    connection.send({ type: 'Begin', id: crypto.randomUUID(), expires_at: 1_772_570_132, configuration });
  } else fail(1008, 'Unauthorized Connection');
  return {
    binary(data) {
      const ms = (data.length * 1000) / (rate * (isMulaw ? 1 : 2));
      if (ms < SHORTEST_CHUNK_MS || ms > LONGEST_CHUNK_MS) return fail(3007, `Input duration ${ms} ms`);
      utterances.push(data);
      connection.carried(utterances.audio.audioMs);
    },
    text(message) {
      const type = Fields.parse(message).text('type');
      if (type === 'ForceEndpoint' || type === 'Terminate') {
        const rest = utterances.take();
        if (rest.length > 0) end(rest);
      }
      if (type !== 'Terminate') return;
      const seconds = utterances.audio.audioMs / 1000;
      connection.send({ type: 'Termination', audio_duration_seconds: seconds });
      connection.close(1000);
    },
  };
}
