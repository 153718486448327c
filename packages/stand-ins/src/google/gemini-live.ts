import { randomUUID } from 'node:crypto';
import { Fields } from '@callwright/fields';
import type { FakeConnection, FakeHandler, FakeSettings } from '../fake-vendor.ts';
import { FakeUtterances, textOf } from '../fake-utterances.ts';
import { FakeConversation, lineToRead, speakReply, wordsOfPiece } from '../s2s-conversation.ts';
import type { CodedWord } from '../word-code.ts';

export const LIVE_PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
const SETUP_KEYS = new Set(
  'model generationConfig systemInstruction tools realtimeInputConfig inputAudioTranscription outputAudioTranscription sessionResumption contextWindowCompression proactivity historyConfig'.split(
    ' ',
  ),
);

/** What the vendor remembers of sessions, by handle. */
const sessions = new WeakMap<FakeSettings, Map<string, FakeConversation>>();

function sessionsOf(settings: FakeSettings): Map<string, FakeConversation> {
  const known = sessions.get(settings) ?? new Map<string, FakeConversation>();
  sessions.set(settings, known);
  return known;
}

/** Gemini Live: it replies by itself, in binary frames, and its transcriptions come late. */
export function geminiLive(connection: FakeConnection, settings: FakeSettings): FakeHandler {
  let talk = new FakeConversation();
  let setup: Fields | null = null;
  let utterances: FakeUtterances | null = null;
  let stop: (() => void) | null = null;
  let pendingCalls: string[] = [];
  /** Words of the caller that are transcribed. */
  let told = 0;
  let isLeaving = false;

  const send = (message: object): void => connection.send(Buffer.from(JSON.stringify(message)));
  const content = (serverContent: object): void => send({ serverContent });

  /** The session can be taken up again from here. */
  const keep = (): void => {
    if (setup?.has('sessionResumption') !== true) return;
    const newHandle = randomUUID();
    sessionsOf(settings).set(newHandle, new FakeConversation(talk.lines));
    send({ sessionResumptionUpdate: { newHandle, resumable: true } });
  };

  /** The connection ends because of its age. */
  const age = (audioMs: number): void => {
    const { sessionMs, noticeMs } = settings;
    if (sessionMs === null) return;
    if (audioMs >= sessionMs)
      return connection.close(1011, 'Deadline expired before operation could complete.');
    if (isLeaving || audioMs < sessionMs - noticeMs) return;
    isLeaving = true;
    send({ goAway: { timeLeft: `${(sessionMs - audioMs) / 1000}s` } });
  };

  const transcribe = (words: readonly CodedWord[]): void => {
    const text = words.slice(told).map((word) => `${word.text} `);
    told = words.length;
    if (text.length > 0 && !settings.isUntranscribed)
      content({ inputTranscription: { text: text.join('') } });
  };

  const interrupt = (): void => {
    told = 0;
    if (pendingCalls.length > 0) send({ toolCallCancellation: { ids: pendingCalls } });
    pendingCalls = [];
    if (stop === null) return;
    stop();
    stop = null;
    content({ interrupted: true });
    content({ turnComplete: true });
  };

  const speak = (text: string, onFirst: () => void, onEnd: () => void): void => {
    let said = '';
    const id = randomUUID();
    stop = speakReply(settings, { encoding: 'linear16', rate: 24_000 }, text, {
      onPiece(piece) {
        const data = piece.data.toString('base64');
        content({ modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data } }] } });
        if (said === '') onFirst();
        const words = wordsOfPiece(piece);
        said += words;
        if (words !== '') content({ outputTranscription: { text: words } });
        talk.change(id, null);
        talk.add(id, 'agent', said);
      },
      onEnd: () => {
        stop = null;
        onEnd();
      },
    });
  };

  const complete = (text: string): void => {
    const { input, cached, output } = talk.usage(text);
    content({ generationComplete: true });
    send({
      serverContent: { turnComplete: true },
      usageMetadata: {
        promptTokenCount: input,
        cachedContentTokenCount: cached,
        responseTokenCount: output,
        totalTokenCount: input + output,
      },
    });
    keep();
  };

  const respond = (onFirst: () => void = () => undefined): void => {
    const { text = '', tools = [] } = talk.next(settings);
    const finish = (): void => {
      if (tools.length === 0) return complete(text);
      const functionCalls = tools.map(({ name, args }) => ({ id: randomUUID(), name, args }));
      pendingCalls = functionCalls.map(({ id }) => id);
      return send({ toolCall: { functionCalls } });
    };
    if (text === '') {
      onFirst();
      return finish();
    }
    return speak(text, onFirst, finish);
  };

  const onAudio = (audio: Fields): void => {
    const rate = /^audio\/pcm;rate=(\d+)$/.exec(audio.text('mimeType'))?.[1];
    if (rate === undefined) return connection.close(1007, 'Request contains an invalid argument.');
    utterances ??= new FakeUtterances(
      { encoding: 'linear16', rate: Number(rate) },
      {
        everyMs: 200,
        endMs: () =>
          setup?.of('realtimeInputConfig').of('automaticActivityDetection').number('silenceDurationMs') ??
          500,
      },
      {
        onBegin: interrupt,
        onPartial: transcribe,
        onEnd(words) {
          talk.add(randomUUID(), 'user', textOf(words));
          // The last words are transcribed only when the reply has begun.
          respond(() => transcribe(words));
        },
      },
    );
    utterances.push(Buffer.from(audio.text('data'), 'base64'));
    age(utterances.audio.audioMs);
    return connection.carried(utterances.audio.audioMs);
  };

  const onContent = (fields: Fields): void => {
    interrupt();
    const turns = fields.list('turns').flatMap((turn) =>
      turn.list('parts').map((part) => ({
        role: turn.text('role') === 'model' ? ('agent' as const) : ('user' as const),
        text: part.text('text'),
      })),
    );
    const line = lineToRead(turns.at(-1)?.text ?? '');
    for (const { role, text } of line === null ? turns : []) talk.add(randomUUID(), role, text);
    if (!fields.flag('turnComplete')) return;
    if (line === null) respond();
    else
      speak(
        line,
        () => undefined,
        () => complete(line),
      );
  };

  const onTools = (answers: readonly Fields[]): void => {
    for (const answer of answers) {
      if (!pendingCalls.includes(answer.text('id'))) return connection.close(1007, 'unknown function call');
      pendingCalls = pendingCalls.filter((id) => id !== answer.text('id'));
      talk.add(randomUUID(), 'user', answer.of('response').text('result'));
    }
    if (pendingCalls.length === 0) respond();
  };

  return {
    binary: (data) => handle(data.toString('utf8')),
    closed: () => stop?.(),
    text: (message) => handle(message),
  };

  function handle(message: string): void {
    const fields = Fields.parse(message);
    if (setup === null) {
      const asked = fields.of('setup');
      const unknown = Object.keys(fields.record('setup')).find((name) => !SETUP_KEYS.has(name));
      if (unknown !== undefined) return connection.close(1007, `Unknown name "${unknown}" at 'setup'`);
      if (!asked.text('model').startsWith('models/')) return connection.close(1008, 'the model is not found');
      const handle = asked.of('sessionResumption').text('handle');
      const known = settings.forgetsSessions ? undefined : sessionsOf(settings).get(handle);
      if (handle !== '' && known === undefined)
        return connection.close(1007, 'Request contains an invalid argument.');
      talk = new FakeConversation(known?.lines);
      setup = asked;
      send({ setupComplete: {} });
      return keep();
    }
    if (fields.has('realtimeInput')) return onAudio(fields.of('realtimeInput').of('audio'));
    if (fields.has('clientContent')) return onContent(fields.of('clientContent'));
    if (fields.has('toolResponse')) return onTools(fields.of('toolResponse').list('functionResponses'));
    return connection.close(1007, 'Request contains an invalid argument.');
  }
}
