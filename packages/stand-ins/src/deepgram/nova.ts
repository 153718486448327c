import { Fields } from '@callwright/fields';
import type { FakeConnection, FakeHandler } from '../fake-vendor.ts';
import { ReceivedAudio, type FakeEncoding } from '../received-audio.ts';
import type { CodedWord } from '../word-code.ts';

const INTERIM_MS = 300;
const IDLE_MS = 10_000;

/** Nova-3: interim results of a growing segment, final ones at pauses and on `Finalize`. */
export function novaHandler(connection: FakeConnection, query: URLSearchParams): FakeHandler {
  const audio = new ReceivedAudio(query.get('encoding') as FakeEncoding, Number(query.get('sample_rate')));
  const requestId = crypto.randomUUID();
  const interims = query.get('interim_results') === 'true';
  const pauseMs = Number(query.get('endpointing') ?? 10);
  const utteranceEndMs = query.has('utterance_end_ms') ? Number(query.get('utterance_end_ms')) : null;
  let segmentSince = 0;
  let words: CodedWord[] = [];
  let lastWordEnd: number | null = null;
  let interimAt = INTERIM_MS;
  let heardAt = performance.now();

  const results = (isFinal: boolean, more: { speech?: boolean; finalize?: boolean } = {}): void => {
    const transcript = words.map(({ text }) => text).join(' ');
    connection.send({
      type: 'Results',
      channel_index: [0, 1],
      start: segmentSince / 1000,
      duration: (audio.audioMs - segmentSince) / 1000,
      is_final: isFinal,
      speech_final: more.speech === true,
      from_finalize: more.finalize === true,
      channel: {
        alternatives: [
          {
            transcript,
            confidence: transcript === '' ? 0 : 0.98,
            words: words.map(({ text, startMs, endMs }) => ({
              word: text.toLowerCase().replaceAll(/[.,?!]/g, ''),
              punctuated_word: text,
              start: startMs / 1000,
              end: endMs / 1000,
              confidence: 0.99,
            })),
          },
        ],
      },
      metadata: { request_id: requestId, model_info: { name: 'general-nova-3', arch: 'nova-3' } },
    });
    if (!isFinal) return;
    words = [];
    segmentSince = audio.audioMs;
  };

  const step = (heard: readonly CodedWord[]): void => {
    words.push(...heard);
    lastWordEnd = heard.at(-1)?.endMs ?? lastWordEnd;
    const quietMs = audio.isSounding ? 0 : audio.audioMs - (lastWordEnd ?? audio.audioMs);
    if (words.length > 0 && quietMs >= pauseMs) results(true, { speech: true });
    if (lastWordEnd !== null && utteranceEndMs !== null && quietMs >= utteranceEndMs) {
      connection.send({ type: 'UtteranceEnd', channel: [0], last_word_end: lastWordEnd / 1000 });
      lastWordEnd = null;
    }
    if (!interims || audio.audioMs < interimAt) return;
    interimAt += INTERIM_MS;
    results(false);
  };

  return {
    binary(data) {
      heardAt = performance.now();
      audio.push(data, step);
      connection.carried(audio.audioMs);
    },
    text(message) {
      heardAt = performance.now();
      let type = '';
      try {
        type = Fields.parse(message).text('type');
      } catch {
        connection.close(1008, 'DATA-0000');
      }
      if (type === 'Finalize' && (words.length > 0 || audio.audioMs > segmentSince)) {
        results(true, { finalize: true });
      }
      if (type !== 'CloseStream') return;
      results(true);
      connection.send({
        type: 'Metadata',
        request_id: requestId,
        duration: audio.audioMs / 1000,
        channels: 1,
      });
      connection.close(1000);
    },
    tick() {
      if (performance.now() - heardAt < IDLE_MS) return;
      heardAt = Infinity;
      connection.close(
        1011,
        'Deepgram did not receive audio data or a text message within the timeout window. See https://dpgr.am/net0001',
      );
    },
  };
}
