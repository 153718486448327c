import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { SPHINX_MODEL } from '../../providers/stt/offline.ts';
import { pronunciations } from '../../providers/stt/pronunciations.ts';
import { loadSphinx, type SphinxLibrary } from '../../providers/stt/sphinx-library.ts';
import { widened } from '../../providers/stt/telephone-band.ts';
import { utteranceBuffer } from '../../providers/stt/utterance.ts';
import type { SttProvider } from '../../voice/ports.ts';

/** What the callee listens for inside free speech, each with the threshold that suits its length. */
export const SPOTTED: readonly (readonly [phrase: string, threshold: string])[] = [
  ['which day', '1e-5'],
  ['what day', '1e-7'],
  ['what time', '1e-5'],
  ['how many', '1e-7'],
  ['scale of one to', '1e-10'],
  ['anything else', '1e-20'],
  ['is that right', '1e-20'],
  ['is that correct', '1e-15'],
  ["didn't catch that", '1e-15'],
  ['goodbye', '1e-15'],
  ['have a great day', '1e-20'],
  ['have a nice day', '1e-20'],
  ['have a good day', '1e-20'],
];

/** Audio per piece of work, so that the thread's other calls keep their beat: 100 ms at 16 kHz. */
const PIECE = 1600;
/** A phrase at the very end is found only with some quiet after it. */
const TAIL = 4800;
/** Utterances waiting beyond this are left unheard: their callees have answered by then. */
const MOST_WAITING = 16;

interface Heard {
  readonly pcm: Int16Array;
  readonly onText: (text: string) => void;
}

/**
 * Ears for the callee of a test call: finds a few phrases inside whatever the agent says and reports them, in the
 * order they were said, as the text of the utterance. One decoder serves every line.
 */
class QuestionEar implements SttProvider {
  readonly name = 'questions';
  readonly #library: SphinxLibrary;
  readonly #decoder: unknown;
  readonly #waiting: Heard[] = [];
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(library: SphinxLibrary, modelDirectory: string) {
    this.#library = library;
    const pronounce = pronunciations(readFileSync(join(modelDirectory, 'cmudict-en-us.dict'), 'latin1'));
    const words = new Set(SPOTTED.flatMap(([phrase]) => phrase.split(' ')));
    const entries = [...words].flatMap((word) =>
      pronounce(word).map((phones, form) => `${form === 0 ? word : `${word}(${form + 1})`} ${phones}`),
    );
    const scratch = mkdtempSync(join(tmpdir(), 'callwright-ear-'));
    try {
      const dictionary = join(scratch, 'words.dict');
      const phrases = join(scratch, 'phrases');
      writeFileSync(dictionary, `${entries.join('\n')}\n`);
      writeFileSync(phrases, SPOTTED.map(([phrase, threshold]) => `${phrase} /${threshold}/\n`).join(''));
      const files = ['-hmm', join(modelDirectory, 'en-us'), '-dict', dictionary, '-kws', phrases];
      this.#decoder = library.init([...files, '-remove_noise', 'no', '-logfn', '/dev/null']);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
    if (this.#decoder === null) throw new Error('the PocketSphinx acoustic model could not be loaded');
  }

  understands(): boolean {
    return true;
  }

  open({ sampleRate, onEvent }: Parameters<SttProvider['open']>[0]): ReturnType<SttProvider['open']> {
    const buffer = utteranceBuffer(sampleRate);
    let closed = false;
    return {
      write: (frame) => buffer.write(frame),
      speechStarted: () => buffer.begin(),
      speechEnded: (at) => {
        const utterance = buffer.end();
        if (utterance === null || closed) return;
        this.#hear(widened(utterance, sampleRate), (text) => {
          if (closed) return;
          onEvent(text === '' ? { type: 'nothing', at } : { type: 'final', text, confidence: null, at });
        });
      },
      expect: () => undefined,
      close() {
        closed = true;
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    this.#library.free(this.#decoder);
  }

  #hear(pcm: Int16Array, onText: (text: string) => void): void {
    if (this.#closed || this.#waiting.length >= MOST_WAITING) return;
    this.#waiting.push({ pcm, onText });
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
    });
  }

  async #work(): Promise<void> {
    const { startUtterance, processRaw, endUtterance, hypothesis } = this.#library;
    for (
      let next = this.#waiting.shift();
      next !== undefined && !this.#closed;
      next = this.#waiting.shift()
    ) {
      startUtterance(this.#decoder);
      for (let at = 0; at < next.pcm.length; at += PIECE) {
        const piece = next.pcm.subarray(at, at + PIECE);
        processRaw(this.#decoder, piece, piece.length, 0, 0);
        await breathe();
      }
      processRaw(this.#decoder, new Int16Array(TAIL), TAIL, 0, 0);
      endUtterance(this.#decoder);
      next.onText(inOrder(hypothesis(this.#decoder, [0]) ?? ''));
    }
  }
}

/** The decoder names what it found last first, two spaces apart. */
const inOrder = (found: string): string =>
  found
    .split('  ')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
    .toReversed()
    .join(', ');

/** The ear, or null where its engine is not installed: then callees answer without understanding. */
export function createQuestionEar(modelDirectory = SPHINX_MODEL): SttProvider | null {
  try {
    return new QuestionEar(loadSphinx(), modelDirectory);
  } catch {
    return null;
  }
}
