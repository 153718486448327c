import { createResampler, resample } from '@callwright/audio';
import type { EarModel } from '../../../src/offline/words/ear-api.ts';
import type { HeardWord } from '../../../src/offline/words/heard-words.ts';
import { loadWords } from '../../../src/offline/words/library.ts';
import { EarStream } from '../../../src/offline/words/stream.ts';

const LEAD_MS = 500;
const TAIL_MS = 1_000;
const RATE = 8_000;
/** Samples at 16 kHz. */
const PIECE = 960;

export interface WholeWords {
  readonly text: string;
  /** Times in ms of the recording. */
  readonly words: readonly HeardWord[];
}

/** Opens the recogniser of this machine for whole recordings at 8 kHz, on this thread. */
export function wholeDecoder(model: EarModel): (pcm: Int16Array) => WholeWords {
  const library = loadWords(model.library);
  const address = library.newModel(model.folder);
  if (address === null) throw new Error('the model cannot be loaded');
  return (pcm) => {
    const texts: string[] = [];
    const words: HeardWord[] = [];
    const stream = new EarStream(library, address, {
      heard: () => undefined,
      ended: (heard) => {
        if (heard === null) return;
        texts.push(heard.text);
        words.push(...heard.words);
      },
      failed: () => undefined,
    });
    const padded = new Int16Array(pcm.length + ((LEAD_MS + TAIL_MS) * RATE) / 1_000);
    padded.set(pcm, (LEAD_MS * RATE) / 1_000);
    const wide = resample(createResampler(RATE, 16_000), padded, true);
    for (let at = 0; at < wide.length; at += PIECE) stream.hear(wide.slice(at, at + PIECE));
    stream.end();
    stream.free();
    const moved = words.map((word) => ({
      ...word,
      startMs: word.startMs - LEAD_MS,
      endMs: word.endMs - LEAD_MS,
    }));
    return { text: texts.join(' '), words: moved };
  };
}
