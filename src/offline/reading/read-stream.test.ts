import { describe, expect, it } from 'vitest';
import type { EarEvents } from '../words/ear-api.ts';
import type { HeardWords } from '../words/heard-words.ts';
import type { Reading } from './reader.ts';
import { ReadStream, type PieceStream } from './read-stream.ts';

const words = (text: string): HeardWords => ({ text, confidence: 1, words: [] });

/** A recogniser that hears the first sample of a piece as its words, and what comes out of the stream. */
function stream(read: (pcm: Int16Array) => Promise<Reading> | null): { stream: ReadStream; log: string[] } {
  const log: string[] = [];
  const open = (events: EarEvents): PieceStream => {
    let heard: number[] = [];
    return {
      hear(samples) {
        if (samples[0] === 99) throw new Error('the audio is refused');
        heard.push(samples[0] ?? 0);
        events.heard(heard.join(' '));
      },
      end() {
        const text = heard.join(' ');
        heard = [];
        events.ended(text === '' ? null : words(text), true);
      },
      free: () => log.push('freed'),
    };
  };
  const events: EarEvents = {
    heard: (text) => log.push(`heard ${text}`),
    ended: (heard) => log.push(`ended ${heard?.text ?? 'nothing'}`),
    failed: (message) => log.push(message),
  };
  return { stream: new ReadStream(open, events, read), log };
}
const say = (...samples: number[]): Int16Array => Int16Array.from(samples);
const settled = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

describe('a call whose utterances are read', () => {
  it('has the words of the reading, in the order of the audio', async () => {
    const asked: number[][] = [];
    const { promise, resolve } = Promise.withResolvers<Reading>();
    const { stream: call, log } = stream((pcm) => {
      asked.push([...pcm]);
      return asked.length === 1 ? promise : Promise.resolve({ text: 'Three', confidence: 1 });
    });
    call.hear(say(1, 7));
    call.hear(say(2));
    call.end(0);
    call.hear(say(3));
    call.end(0);
    expect(log).toEqual(['heard 1', 'heard 1 2']);
    resolve({ text: 'One two.', confidence: 1 });
    await settled();
    expect(asked).toEqual([[1, 7, 2], [3]]);
    expect(log.slice(2)).toEqual(['ended One two', 'heard 3', 'ended Three']);
  });

  it.each([
    ['no reader is ready', () => null],
    ['the reading fails', () => Promise.reject(new Error('no memory'))],
    ['the reading is empty', () => Promise.resolve({ text: '', confidence: 0 })],
  ])('keeps the words of the recogniser where %s', async (_, read) => {
    const { stream: call, log } = stream(read);
    call.hear(say(1));
    call.end(0);
    call.end(0);
    await settled();
    expect(log).toEqual(['heard 1', 'ended 1', 'ended nothing']);
  });

  it('reads nothing of what may belong to the next utterance', async () => {
    const asked: number[] = [];
    const { stream: call } = stream((pcm) => {
      asked.push(pcm.length);
      return null;
    });
    call.hear(new Int16Array(1_600));
    call.hear(new Int16Array(1_600));
    call.end(120);
    call.hear(say(1));
    call.end(120);
    await settled();
    expect(asked).toEqual([1_280, 0]);
  });

  it('reads nothing longer than 20 s', async () => {
    let readings = 0;
    const { stream: call, log } = stream(() => {
      readings += 1;
      return null;
    });
    for (let second = 0; second < 22; second++) call.hear(new Int16Array(16_000));
    call.end(0);
    call.hear(say(5));
    call.end(0);
    await settled();
    expect(readings).toBe(1);
    expect(log.at(-1)).toBe('ended 5');
  });

  it('says what fails of the audio that waited, and nothing after its end', async () => {
    const { stream: call, log } = stream(() => Promise.resolve({ text: 'One', confidence: 1 }));
    call.hear(say(1));
    call.end(0);
    call.hear(say(99));
    await settled();
    expect(log).toEqual(['heard 1', 'ended One', 'the audio is refused']);
    call.hear(say(2));
    call.end(0);
    call.free();
    await settled();
    expect(log.slice(3)).toEqual(['heard 2', 'freed']);
  });
});
