import { Fields } from '@callwright/fields';
import type { FakeConnection, FakeHandler, FakeSettings } from '../fake-vendor.ts';
import { ReceivedAudio, type FakeEncoding } from '../received-audio.ts';
import type { CodedWord } from '../word-code.ts';

const UPDATE_MS = 250;
/** Marks with which a sentence ends. */
const ENDED = /[.?!।]$/u;
const CONFIGURABLE = new Set(['type', 'thresholds', 'keyterms', 'language_hints', 'numerals']);

/** Flux: turns on the audio clock. A pause of `eagerMs` may end a turn, one of `endMs` ends it. */
export function fluxHandler(connection: FakeConnection, query: URLSearchParams): FakeHandler {
  const audio = new ReceivedAudio(query.get('encoding') as FakeEncoding, Number(query.get('sample_rate')));
  const requestId = crypto.randomUUID();
  const isMulti = (query.get('model') ?? '').endsWith('-multi');
  let eot = Number(query.get('eot_threshold') ?? 0.7);
  let eager = query.has('eager_eot_threshold') ? Number(query.get('eager_eot_threshold')) : null;
  let timeoutMs = Number(query.get('eot_timeout_ms') ?? 5_000);
  let sequence = 0;
  let turn = 0;
  let turnSince = 0;
  let words: CodedWord[] = [];
  let isEager = false;
  /** The word that sounds now, recognised before its end; null: none. */
  let guess: string | null = null;
  let updateAt = UPDATE_MS;

  const send = (message: Record<string, unknown>): void =>
    connection.send({ request_id: requestId, sequence_id: sequence++, ...message });
  /** `soFar`: with the word that has not ended. */
  const info = (event: string, more: Record<string, unknown> = {}, soFar = words): void =>
    send({
      type: 'TurnInfo',
      event,
      turn_index: turn,
      audio_window_start: turnSince / 1000,
      audio_window_end: audio.audioMs / 1000,
      transcript: soFar.map(({ text }) => text).join(' '),
      words: soFar.map(({ text, startMs, endMs }) => ({
        word: text,
        confidence: 0.95,
        start: startMs / 1000,
        end: endMs / 1000,
      })),
      end_of_turn_confidence: event === 'EndOfTurn' ? 0.82 : 0.1,
      ...(isMulti ? { languages: ['en'], languages_hinted: query.getAll('language_hint') } : {}),
      ...more,
    });
  const endTurn = (trigger: string): void => {
    info('EndOfTurn', { trigger });
    turn++;
    turnSince = audio.audioMs;
    words = [];
    isEager = false;
  };
  const fail = (code: string, description: string): void => {
    send({ type: 'Error', code, description });
    connection.close(1011, code);
  };

  const step = (heard: readonly CodedWord[]): void => {
    if (!audio.isSounding || heard.length > 0) {
      // A turn without words ends here: what sounded was no word.
      if (guess !== null && heard.length === 0 && words.length === 0) info('Update');
      guess = null;
    }
    if (guess === null) guessNow();
    for (const word of heard) {
      const begins = words.length === 0;
      words.push(word);
      if (begins) info('StartOfTurn');
      else if (isEager) info('TurnResumed');
      isEager = false;
    }
    const last = words.at(-1);
    if (last !== undefined && !audio.isSounding) {
      const quietMs = audio.audioMs - last.endMs;
      const { eagerMs, endMs } = endsOf(last.text, connection.settings);
      if (quietMs >= timeoutMs) return endTurn('timeout');
      if (eot < 1 && quietMs >= endMs) return endTurn('model');
      if (eager !== null && !isEager && quietMs >= eagerMs) {
        isEager = true;
        info('EagerEndOfTurn');
      }
    }
    if (audio.audioMs < updateAt) return;
    updateAt += UPDATE_MS;
    info('Update', {}, soFar());
  };
  const soFar = (): CodedWord[] =>
    guess === null ? words : [...words, { text: guess, startMs: audio.audioMs, endMs: audio.audioMs }];
  const guessNow = (): void => {
    const { lexicon, guessMs } = connection.settings;
    if (lexicon.length === 0) return;
    guess = audio.guess(lexicon, guessMs);
    if (guess === null) return;
    if (words.length === 0) info('StartOfTurn', {}, soFar());
    else if (isEager) {
      isEager = false;
      info('TurnResumed', {}, soFar());
    }
  };

  const configure = (message: Fields, raw: Record<string, unknown>): void => {
    const unknown = Object.keys(raw).find((name) => !CONFIGURABLE.has(name));
    if (unknown !== undefined) return fail('UNPARSABLE_CLIENT_MESSAGE', `unknown field ${unknown}`);
    const thresholds = message.of('thresholds');
    const nextEot = thresholds.number('eot_threshold') ?? eot;
    const nextEager = thresholds.number('eager_eot_threshold') ?? eager;
    if (nextEager !== null && nextEager > nextEot) {
      send({ type: 'ConfigureFailure', code: 'INVALID_THRESHOLD', description: 'eager above end of turn' });
      return;
    }
    eot = nextEot;
    eager = nextEager;
    timeoutMs = thresholds.number('eot_timeout_ms') ?? timeoutMs;
    send({
      type: 'ConfigureSuccess',
      thresholds: { eot_threshold: eot },
      keyterms: message.texts('keyterms'),
    });
  };

  send({ type: 'Connected' });
  return {
    binary(data) {
      audio.push(data, step);
      connection.carried(audio.audioMs);
    },
    text(message) {
      let fields: Fields;
      try {
        fields = Fields.parse(message);
      } catch {
        return fail('UNPARSABLE_CLIENT_MESSAGE', 'not JSON');
      }
      switch (fields.text('type')) {
        case 'ForceEndTurn':
          if (words.length > 0) endTurn('manual');
          else send({ type: 'Warning', code: 'FORCE_END_TURN_NO_ACTIVE_TURN', description: 'no turn' });
          return;
        case 'CloseStream':
          if (words.length > 0) info('Update');
          connection.close();
          return;
        case 'Configure':
          return configure(fields, JSON.parse(message) as Record<string, unknown>);
        default:
          return fail('UNPARSABLE_CLIENT_MESSAGE', 'unknown type');
      }
    },
  };
}

/** The silences after this word: a model that knows the language waits where the words are not finished. */
function endsOf(
  word: string,
  { eagerMs, endMs, openEndMs }: FakeSettings,
): { eagerMs: number; endMs: number } {
  if (openEndMs === null || ENDED.test(word)) return { eagerMs, endMs };
  return { eagerMs: Math.max(eagerMs, openEndMs), endMs: Math.max(endMs, openEndMs) };
}
