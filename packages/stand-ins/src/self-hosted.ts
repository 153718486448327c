import { Fields } from '@callwright/fields';
import type { FakeConnection, FakeHandler, FakeProtocol, Refusal } from './fake-vendor.ts';
import { FakeUtterances, textOf } from './fake-utterances.ts';
import type { CodedWord } from './word-code.ts';

const VOSK_SILENCE_MS = 700;
const SHERPA_SILENCE_MS = 1_200;
/** Of the published models. */
const MODEL_RATE = 16_000;

const refusal = (status: number): Refusal => ({ status, body: { message: 'refused' } });

/** vosk-server: exactly one answer to every message of audio; its model takes 16 kHz only. */
export const fakeVosk: FakeProtocol = {
  name: 'vosk',
  refusal,
  socket: () => (connection) => vosk(connection),
};

const plain = (word: string): string => word.toLowerCase().replaceAll(/[.,?!]/g, '');

function vosk(connection: FakeConnection): FakeHandler {
  let rate = 8000;
  let words: readonly CodedWord[] = [];
  let ended: readonly CodedWord[] | null = null;
  let utterances: FakeUtterances | null = null;
  const open = (): FakeUtterances =>
    new FakeUtterances(
      { encoding: 'linear16', rate },
      { everyMs: 10, endMs: () => VOSK_SILENCE_MS },
      { onPartial: (heard) => (words = [...heard]), onEnd: (heard) => (ended = heard) },
    );
  const final = (heard: readonly CodedWord[]): void => {
    words = [];
    const result = heard.map(({ text, startMs, endMs }) => ({
      conf: 0.98,
      start: startMs / 1000,
      end: endMs / 1000,
      word: plain(text),
    }));
    connection.send({ ...(result.length === 0 ? {} : { result }), text: plain(textOf(heard)) });
  };
  return {
    binary(data) {
      // The recogniser fails ("Failed to process waveform"), and with it the server's task.
      if (rate !== MODEL_RATE) return connection.close(1011);
      utterances ??= open();
      ended = null;
      utterances.push(data);
      connection.carried(utterances.audio.audioMs);
      if (ended !== null) final(ended);
      else connection.send({ partial: plain(textOf(words)) });
    },
    text(message) {
      if (message === '{"eof" : 1}' || message === '{"reset" : 1}') {
        final(utterances?.take() ?? []);
        if (message.includes('eof')) connection.close(1000);
        return;
      }
      // Any text with this word is configuration; one that cannot be read ends the server's task.
      if (!message.includes('config')) return connection.close(1011);
      rate = Fields.parse(message).of('config').number('sample_rate') ?? rate;
    },
  };
}

/** The streaming server of sherpa-onnx: float32 at 16 kHz, results repeated while nothing is new. */
export const fakeSherpa: FakeProtocol = {
  name: 'sherpa',
  refusal,
  socket: () => (connection) => sherpa(connection),
};

function sherpa(connection: FakeConnection): FakeHandler {
  let segment = 0;
  const send = (words: readonly CodedWord[], isFinal: boolean, isEof = false): void => {
    connection.send({
      text: textOf(words),
      tokens: words.map(({ text }) => ` ${text}`),
      timestamps: words.map(({ startMs }) => startMs / 1000),
      segment,
      start_time: 0,
      is_final: isFinal,
      is_eof: isEof,
    });
  };
  const utterances = new FakeUtterances(
    { encoding: 'float32', rate: 16_000 },
    { everyMs: 100, endMs: () => SHERPA_SILENCE_MS },
    {
      onPartial(words) {
        send(words, false);
        send(words, false);
      },
      onEnd(words) {
        send(words, true);
        segment++;
      },
    },
  );
  return {
    binary(data) {
      utterances.push(data);
      connection.carried(utterances.audio.audioMs);
    },
    text(message) {
      if (message !== 'Done') return;
      send(utterances.take(), true, true);
      connection.send('Done!');
    },
  };
}
