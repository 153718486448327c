import { ReceivedAudio } from '@callwright/stand-ins';
import type { SttEvent, SttProvider, SttSession } from '../../../../src/providers/ports/recogniser.ts';
import type { Scheduler } from '../../../../src/shared/clock.ts';

/**
 * How a recogniser hands out words: it ends turns itself (as Flux), it writes words at short intervals and leaves turns to
 * others (as Nova-3), or it reads an utterance when the speech gate has closed (as the offline ones).
 */
export type EarsKind = 'turns' | 'words' | 'utterances';

/** From a sound to the words of a recogniser, ms. */
const NETWORK_MS = 50;
const READING_MS = 100;
const INTERIM_MS = 300;
/** A pause ends a segment of words, may end a turn, ends a turn, and ends a turn whose sentence is open. */
const SEGMENT_MS = 300;
const EAGER_MS = 110;
const END_MS = 260;
const OPEN_END_MS = 900;
const WHOLE = /[.?!।]$/u;
const SAMPLE_BYTES = 2;

/** A recogniser of coded words in virtual time. */
export const codedEars = (kind: EarsKind, scheduler: Scheduler): SttProvider => ({
  name: kind,
  understands: () => true,
  open: ({ sampleRate, onEvent }) => openEars(kind, scheduler, sampleRate, onEvent),
  close: () => Promise.resolve(),
});

function openEars(
  kind: EarsKind,
  scheduler: Scheduler,
  sampleRate: number,
  onEvent: (event: SttEvent) => void,
): SttSession {
  const audio = new ReceivedAudio('linear16', sampleRate);
  let isClosed = false;
  let words: string[] = [];
  let lastEndMs = 0;
  let interimAt = INTERIM_MS;
  let reported = 0;
  let turn = 0;
  let isEager = false;

  const send = (event: SttEvent, afterMs = NETWORK_MS): void => {
    scheduler.after(afterMs, () => {
      if (!isClosed) onEvent({ ...event, at: scheduler.now() });
    });
  };
  const said = () => ({ text: words.join(' '), audioMs: audio.audioMs, at: 0 });
  const ofTurn = () => ({ ...said(), turn: String(turn) });
  const forget = (): void => {
    words = [];
    reported = 0;
    isEager = false;
  };

  const takeTurn = (heard: number, quietMs: number): void => {
    if (heard > 0) {
      if (isEager) send({ type: 'resumed', turn: String(turn), at: 0 });
      isEager = false;
      send({ type: 'partial', ...ofTurn() });
    }
    if (words.length === 0) return;
    const isWhole = WHOLE.test(words.at(-1) ?? '');
    if (quietMs >= (isWhole ? END_MS : OPEN_END_MS)) {
      send({ type: 'final', confidence: 0.95, endpoint: 'certain', ...ofTurn() });
      turn += 1;
      forget();
    } else if (!isEager && quietMs >= (isWhole ? EAGER_MS : OPEN_END_MS)) {
      isEager = true;
      send({ type: 'eager', ...ofTurn() });
    }
  };
  const takeWords = (quietMs: number): void => {
    if (words.length > 0 && quietMs >= SEGMENT_MS) {
      send({ type: 'final', confidence: 0.95, ...said() });
      forget();
    }
    if (audio.audioMs < interimAt) return;
    interimAt += INTERIM_MS;
    if (words.length > reported) send({ type: 'partial', ...said() });
    reported = words.length;
  };

  return {
    write(frame) {
      audio.push(bytesOf(frame), (heard) => {
        words.push(...heard.map(({ text }) => text));
        lastEndMs = heard.at(-1)?.endMs ?? lastEndMs;
        const quietMs = audio.isSounding ? 0 : audio.audioMs - lastEndMs;
        if (kind === 'turns') takeTurn(heard.length, quietMs);
        else if (kind === 'words') takeWords(quietMs);
      });
    },
    speechStarted: () => undefined,
    speechEnded() {
      if (kind === 'turns') return;
      if (words.length > 0) send({ type: 'final', confidence: 0.95, ...said() }, READING_MS);
      else send({ type: 'nothing', at: 0 }, READING_MS);
      forget();
    },
    expect: () => undefined,
    close() {
      isClosed = true;
    },
  };
}

function bytesOf(frame: Int16Array): Buffer {
  const bytes = Buffer.alloc(SAMPLE_BYTES * frame.length);
  for (const [i, sample] of frame.entries()) bytes.writeInt16LE(sample, SAMPLE_BYTES * i);
  return bytes;
}
