/**
 * Words as tones that telephone audio carries unharmed: each half byte of a word's UTF-8 is a tone of 20 ms, its checksum
 * follows, and silence ends it. What a fake recogniser writes is what it received: a word with a lost frame is lost. Under
 * the tones lies a hum with a melody like that of speech, which voice detectors take for speech.
 */
const SYMBOL_MS = 20;
const BASE_HZ = 1_200;
const STEP_HZ = 100;
const TONES = 16;
const PAUSE_MS = 60;
const LEVEL = 2_000;
/** The hum: levels of its harmonics, its pitch, and how far and how often it moves. */
const HUM = [1, 1, 1.6, 1.4, 0.6].map((level) => level * 2_600);
const PITCH_HZ = { middle: 150, reach: 30, moves: 2.5 } as const;
/** Samples below this level are silence; a word ends after ENDING_MS of them. */
const FLOOR = 1_200;
const ENDING_MS = 16;
const LONGEST_WORD_MS = 4_000;

export interface CodedWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** The audio of a text; faster speech has shorter pauses. Another pitch is another voice. */
export function codedSpeech(
  text: string,
  rate: number,
  speed = 1,
  pitchHz: number = PITCH_HZ.middle,
): Int16Array {
  const symbol = (rate * SYMBOL_MS) / 1000;
  const pause = Math.round((rate * PAUSE_MS) / 1000 / Math.min(2, Math.max(0.25, speed)));
  const words = text.split(/\s+/u).filter((word) => word !== '');
  const symbols = words.map((word) => [...halfBytes(new TextEncoder().encode(word))]);
  const samples = symbols.reduce((sum, list) => sum + list.length * symbol + pause, 0);
  const out = new Int16Array(samples);
  let place = 0;
  for (const list of symbols) {
    let phase = 0;
    for (const half of list) {
      const step = (2 * Math.PI * (BASE_HZ + STEP_HZ * half)) / rate;
      for (let i = 0; i < symbol; i++) {
        out[place + i] = Math.round(LEVEL * Math.cos(step * i) + hum(phase));
        phase += (2 * Math.PI * (pitchHz + melody((place + i) / rate))) / rate;
      }
      place += symbol;
    }
    place += pause;
  }
  return out;
}

const melody = (seconds: number): number => PITCH_HZ.reach * Math.sin(2 * Math.PI * PITCH_HZ.moves * seconds);

/** Cosines: the first sample of a word is loud. */
const hum = (phase: number): number =>
  HUM.reduce((sum, level, i) => sum + level * Math.cos((i + 1) * phase), 0);

function* halfBytes(bytes: Uint8Array): Generator<number> {
  let sum = 0;
  for (const byte of bytes) {
    sum = (sum * 31 + byte) % 256;
    yield byte >> 4;
    yield byte & 15;
  }
  yield sum >> 4;
  yield sum & 15;
}

/** Longer words cannot be found again. */
const LONGEST_WORD_BYTES = LONGEST_WORD_MS / SYMBOL_MS / 2 - 4;

/** The words of a text as they sound; one that is too long, as of a script without spaces, sounds as several. */
export function codedWords(text: string): string[] {
  const words: string[] = [];
  for (const word of text.split(/\s+/u)) {
    let part = '';
    for (const character of word) {
      if (Buffer.byteLength(part + character) > LONGEST_WORD_BYTES) {
        words.push(part);
        part = '';
      }
      part += character;
    }
    if (part !== '') words.push(part);
  }
  return words;
}

/** Where each character of a word begins in its audio, and how long it sounds, ms. */
export function characterTimes(
  word: string,
): { readonly char: string; readonly startMs: number; readonly ms: number }[] {
  let startMs = 0;
  return Array.from(word).map((char, i, { length }) => {
    // The checksum belongs to the last one.
    const ms = (Buffer.byteLength(char) + (i === length - 1 ? 1 : 0)) * 2 * SYMBOL_MS;
    startMs += ms;
    return { char, startMs: startMs - ms, ms };
  });
}

/** The words that whole audio holds. */
export function wordsIn(pcm: Int16Array, rate: number): CodedWord[] {
  const words: CodedWord[] = [];
  const listener = new WordListener(rate);
  listener.push(pcm, (word) => words.push(word));
  listener.push(new Int16Array(rate / 10), (word) => words.push(word));
  return words;
}

/** Finds words in audio as it arrives. */
export class WordListener {
  readonly #rate: number;
  readonly #word: Float64Array;
  readonly #ending: number;
  #length = 0;
  #quiet = 0;
  #heard = 0;
  #isSounding = false;

  constructor(rate: number) {
    this.#rate = rate;
    this.#word = new Float64Array((rate * LONGEST_WORD_MS) / 1000);
    this.#ending = (rate * ENDING_MS) / 1000;
  }

  /** Audio received, ms. */
  get audioMs(): number {
    return (this.#heard * 1000) / this.#rate;
  }
  /** A word or noise is under way. */
  get isSounding(): boolean {
    return this.#isSounding;
  }
  /** Its length so far, ms; 0: silence. */
  get soundingMs(): number {
    return (this.#length * 1000) / this.#rate;
  }

  /** How the word that sounds now begins: its whole characters so far. */
  begun(): string {
    const symbol = (this.#rate * SYMBOL_MS) / 1000;
    const bytes = new Uint8Array(Math.floor(this.#length / symbol / 2));
    for (let i = 0; i < bytes.length; i++) {
      const place = 2 * i * symbol;
      bytes[i] = (this.#tone(place, symbol) << 4) | this.#tone(place + symbol, symbol);
    }
    // Without the character that has not sounded whole.
    return new TextDecoder().decode(bytes, { stream: true });
  }

  push(pcm: Int16Array, onWord: (word: CodedWord) => void): void {
    for (const sample of pcm) {
      this.#heard++;
      const isLoud = Math.abs(sample) > FLOOR;
      if (!this.#isSounding && !isLoud) continue;
      this.#isSounding = true;
      this.#quiet = isLoud ? 0 : this.#quiet + 1;
      if (this.#length < this.#word.length) this.#word[this.#length++] = sample;
      if (this.#quiet < this.#ending) continue;
      const word = this.#decoded(this.#length - this.#quiet);
      this.#isSounding = false;
      this.#length = 0;
      this.#quiet = 0;
      if (word !== null) onWord(word);
    }
  }

  #decoded(length: number): CodedWord | null {
    const symbol = (this.#rate * SYMBOL_MS) / 1000;
    const count = Math.round(length / symbol);
    if (count < 4 || count % 2 === 1) return null;
    const bytes = new Uint8Array(count / 2);
    for (let i = 0; i < count; i++) {
      const half = this.#tone(i * symbol, Math.min(symbol, this.#length - i * symbol));
      bytes[i >> 1] = ((bytes[i >> 1] ?? 0) << 4) | half;
    }
    const said = bytes.subarray(0, -1);
    const sum = said.reduce((before, byte) => (before * 31 + byte) % 256, 0);
    if (sum !== bytes.at(-1)) return null;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(said);
      const endMs = this.audioMs - ENDING_MS;
      return { text, startMs: Math.round(endMs - (length * 1000) / this.#rate), endMs: Math.round(endMs) };
    } catch {
      return null;
    }
  }

  /** The strongest tone of a symbol (Goertzel). */
  #tone(from: number, length: number): number {
    let [best, strongest] = [0, -1];
    for (let tone = 0; tone < TONES; tone++) {
      const factor = 2 * Math.cos((2 * Math.PI * (BASE_HZ + STEP_HZ * tone)) / this.#rate);
      let [before, last] = [0, 0];
      for (let i = 0; i < length; i++) {
        const next = (this.#word[from + i] as number) + factor * last - before;
        before = last;
        last = next;
      }
      const power = last * last + before * before - factor * last * before;
      if (power > strongest) [best, strongest] = [tone, power];
    }
    return best;
  }
}
