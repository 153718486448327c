import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../../shared/scratch.ts';
import type { Grammar } from './grammar.ts';
import { pronunciations } from './pronunciations.ts';
import type { SphinxLibrary } from './sphinx-library.ts';

/** Compiled grammars kept per decoder; a few hundred kilobytes each. */
const MOST_GRAMMARS = 24;

/** Search settings. The word penalty prevents insertions of short words into digit strings. */
const PHRASE_ARGS = ['-wip', '0.1'] as const;
const PHONE_ARGS = ['-allphone_ci', 'yes', '-beam', '1e-20', '-pbeam', '1e-10', '-lw', '2.0'] as const;

/**
 * Log-likelihood ratio per frame of the phrase against free phones at which the confidence is 0.5, and the slope around
 * it; measured over synthetic callers on a telephone band.
 */
const EVEN_GAP = -20;
const GAP_SPREAD = 4;

/** Least share of an utterance's sounding frames that its words must cover. */
const LEAST_COVERED = 0.8;

export interface Decoded {
  /** Empty when no phrase of the grammar matched. */
  readonly text: string;
  /** Confidence in the phrase against free speech, 0 to 1. */
  readonly confidence: number;
}

/**
 * One PocketSphinx decoder with closed grammars. Its calls block, so it runs in a dedicated thread. It starts with an empty
 * dictionary and adds the words that grammars need, which limits it to a few megabytes.
 */
export class PhraseDecoder {
  readonly #library: SphinxLibrary;
  readonly #decoder: unknown;
  /** The search over free phones, the baseline for a phrase's score. */
  readonly #phones: unknown;
  readonly #pronounce: (word: string) => readonly string[];
  readonly #words = new Set<string>();
  /** Search names by grammar text, least recently used first. */
  readonly #searches = new Map<string, string>();
  #grammars = 0;
  #closed = false;

  constructor(library: SphinxLibrary, modelDirectory: string) {
    this.#library = library;
    this.#pronounce = pronunciations(readFileSync(join(modelDirectory, 'cmudict-en-us.dict'), 'latin1'));
    const scratch = scratchFolder('words');
    try {
      const seed = join(scratch, 'seed.dict');
      writeFileSync(seed, 'yes Y EH S\n');
      const acoustic = ['-hmm', join(modelDirectory, 'en-us')];
      this.#decoder = library.init([...acoustic, '-dict', seed, ...PHRASE_ARGS]);
      const phoneModel = join(modelDirectory, 'en-us-phone.lm.bin');
      this.#phones = library.init([...acoustic, '-allphone', phoneModel, ...PHONE_ARGS]);
      if (this.#decoder === null || this.#phones === null) {
        throw new Error('the PocketSphinx acoustic model could not be loaded');
      }
      this.#words.add('yes');
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  /** Compiles a grammar ahead of its first use. */
  prepare(grammar: Grammar): void {
    this.#search(grammar);
  }

  /** Recognises one utterance of 16 kHz PCM. Throws when the grammar or decoder fails. */
  decode(grammar: Grammar, pcm: Int16Array): Decoded {
    if (this.#library.setSearch(this.#decoder, this.#search(grammar)) !== 0) {
      throw new Error('grammar could not be selected');
    }
    const phrase = this.#run(this.#decoder, pcm);
    if (phrase.text === '') return { text: '', confidence: 0 };
    // A phrase that covers too little of the sound was found inside other speech.
    const covered = this.#library.wordFrames(this.#decoder) / Math.max(1, soundingFrames(pcm));
    if (covered < LEAST_COVERED) return { text: phrase.text, confidence: 0 };
    const phones = this.#run(this.#phones, pcm);
    const gap = (phrase.score - phones.score) / Math.max(1, phrase.frames);
    return { text: phrase.text, confidence: 1 / (1 + Math.exp((EVEN_GAP - gap) / GAP_SPREAD)) };
  }

  #run(decoder: unknown, pcm: Int16Array): { text: string; score: number; frames: number } {
    const { startUtterance, processRaw, endUtterance, hypothesis } = this.#library;
    if (startUtterance(decoder) !== 0) throw new Error('decoder could not start');
    const frames = processRaw(decoder, pcm, pcm.length, 0, 0);
    endUtterance(decoder);
    const score = new Int32Array(1);
    const text = hypothesis(decoder, score) ?? '';
    return { text: text.replace(/\(\d+\)/g, '').trim(), score: score[0]!, frames };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#library.free(this.#decoder);
    this.#library.free(this.#phones);
  }

  #search(grammar: Grammar): string {
    const known = this.#searches.get(grammar.jsgf);
    if (known !== undefined) {
      this.#searches.delete(grammar.jsgf);
      this.#searches.set(grammar.jsgf, known);
      return known;
    }
    this.#learn(grammar.words);
    const name = `said${this.#grammars++}`;
    if (this.#library.setJsgf(this.#decoder, name, grammar.jsgf) !== 0) {
      throw new Error('grammar could not be compiled');
    }
    this.#searches.set(grammar.jsgf, name);
    for (const [oldest, search] of this.#searches) {
      if (this.#searches.size <= MOST_GRAMMARS) break;
      this.#searches.delete(oldest);
      this.#library.unsetSearch(this.#decoder, search);
    }
    return name;
  }

  #learn(words: readonly string[]): void {
    for (const word of words) {
      if (this.#words.has(word)) continue;
      for (const [form, phones] of this.#pronounce(word).entries()) {
        this.#library.addWord(this.#decoder, form === 0 ? word : `${word}(${form + 1})`, phones, 0);
      }
      this.#words.add(word);
    }
  }
}

/** Number of 10 ms frames (16 kHz) above the line's noise and within 30 dB of the loudest frame. */
function soundingFrames(pcm: Int16Array): number {
  const powers: number[] = [];
  for (let at = 0; at + 160 <= pcm.length; at += 160) {
    let power = 0;
    for (let i = at; i < at + 160; i++) power += pcm[i]! * pcm[i]!;
    powers.push(power);
  }
  const loudest = powers.reduce((most, power) => Math.max(most, power), 0);
  const noise = powers.toSorted((a, b) => a - b)[Math.floor(powers.length / 10)] ?? 0;
  const floor = Math.max(loudest / 1000, Math.min(noise * 8, loudest / 30));
  return powers.filter((power) => power > floor).length;
}
