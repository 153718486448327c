import { encodeAlawTo, encodeUlawTo } from '@callwright/audio';
import type { FakeSettings, FakeStream } from './fake-vendor.ts';
import { codedSpeech, codedWords, type CodedWord } from './word-code.ts';

export interface SpeechFormat {
  readonly encoding: 'linear16' | 'float32' | 'mulaw' | 'alaw';
  readonly rate: number;
  /** Pieces end between words. */
  readonly isWhole?: boolean;
}

/** A piece of speech with the words that begin in it; times are of the whole speech. */
export interface SpeechPiece {
  readonly data: Buffer;
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly CodedWord[];
}

export interface SpeechEvents {
  onPiece(piece: SpeechPiece): void;
  /** Everything up to a `mark` has been sent. */
  onMark(mark: string): void;
}

/** A voice: it speaks texts in order, at the pace of the settings. */
export class FakeSpeech {
  readonly #settings: FakeSettings;
  readonly #format: SpeechFormat;
  readonly #events: SpeechEvents;
  readonly #speed: number;
  #queue: ({ readonly word: string } | { readonly mark: string })[] = [];
  #timer: NodeJS.Timeout | null = null;
  /** Sound that waits to be sent, and the words in it. */
  #pcm: Int16Array = new Int16Array(0);
  #words: CodedWord[] = [];
  #spokenMs = 0;
  #sentMs = 0;
  #pieces = 0;
  #odd: Buffer = Buffer.alloc(0);
  /** After a cancellation: how much more is sent. */
  #lateMs: number | null = null;
  #isStalled = false;
  #onQuiet: (() => void) | null = null;

  constructor(settings: FakeSettings, format: SpeechFormat, events: SpeechEvents, speed = 1) {
    this.#settings = settings;
    this.#format = format;
    this.#events = events;
    this.#speed = speed;
  }

  get sentMs(): number {
    return this.#sentMs;
  }
  /** Something is still to be said. */
  get isSpeaking(): boolean {
    return this.#timer !== null || this.#queue.length > 0;
  }

  say(text: string): void {
    this.#queue.push(...codedWords(text).map((word) => ({ word })));
    this.#start();
  }

  /** Reported after everything that was said before. */
  mark(mark: string): void {
    this.#queue.push({ mark });
    this.#start();
  }

  /** Says nothing more, but for the late speech of the settings, after which `onQuiet` is called; no mark is reported. */
  cancel(onQuiet: () => void = () => undefined): void {
    this.#queue = this.#queue.filter((item) => 'word' in item);
    this.#onQuiet = onQuiet;
    if (!this.isSpeaking || this.#settings.lateMs === 0) return this.stop();
    this.#lateMs ??= this.#settings.lateMs;
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#queue = [];
    this.#pcm = new Int16Array(0);
    this.#words = [];
    this.#odd = Buffer.alloc(0);
    const onQuiet = this.#onQuiet;
    this.#onQuiet = null;
    onQuiet?.();
  }

  #start(): void {
    if (this.#timer !== null || this.#isStalled || this.#queue.length === 0) return;
    this.#lateMs = null;
    this.#timer = setTimeout(() => this.#step(), this.#settings.speechMs);
  }

  #step(): void {
    this.#timer = null;
    const { speed, chunkMs, stallAtMs } = this.#settings;
    for (;;) {
      if (stallAtMs !== null && this.#sentMs >= stallAtMs) {
        this.#settings.stallAtMs = null;
        this.#isStalled = true;
        return;
      }
      const due = this.#lateMs === null ? chunkMs : Math.min(chunkMs, this.#lateMs);
      if (due <= 0) return this.stop();
      const pieceMs = this.#piece(due);
      if (this.#lateMs !== null) this.#lateMs -= pieceMs;
      if (this.#queue.length === 0 && this.#pcm.length === 0)
        return this.#lateMs === null ? undefined : this.stop();
      if (speed > 0 && pieceMs > 0) {
        this.#timer = setTimeout(() => this.#step(), pieceMs / speed);
        return;
      }
    }
  }

  /** Sends the next piece, shorter before a mark and at the end, and the marks after it; returns its length in ms. */
  #piece(ms: number): number {
    const samples = Math.round((ms * this.#format.rate) / 1000);
    for (let next = this.#queue[0]; this.#pcm.length < samples; next = this.#queue[0]) {
      if (next === undefined || 'mark' in next) break;
      this.#queue.shift();
      this.#speak(next.word);
    }
    const pcm = this.#format.isWhole === true ? this.#pcm : this.#pcm.subarray(0, samples);
    this.#pcm = this.#pcm.subarray(pcm.length);
    const startMs = this.#sentMs;
    const endMs = startMs + (pcm.length * 1000) / this.#format.rate;
    const words = this.#words.filter((word) => word.startMs < endMs);
    this.#words = this.#words.slice(words.length);
    this.#sentMs = endMs;
    if (pcm.length > 0) this.#events.onPiece({ data: this.#wire(pcm), startMs, endMs, words });
    while (this.#pcm.length === 0) {
      const [next] = this.#queue;
      if (next === undefined || 'word' in next) break;
      this.#queue.shift();
      this.#events.onMark(next.mark);
    }
    return endMs - startMs;
  }

  #speak(word: string): void {
    const { rate } = this.#format;
    const sound = codedSpeech(word, rate, this.#speed);
    const soundMs = (Buffer.byteLength(word) + 1) * 40;
    this.#words.push({ text: word, startMs: this.#spokenMs, endMs: this.#spokenMs + soundMs });
    this.#spokenMs += (sound.length * 1000) / rate;
    const joined = new Int16Array(this.#pcm.length + sound.length);
    joined.set(this.#pcm);
    joined.set(sound, this.#pcm.length);
    this.#pcm = joined;
  }

  /** The piece as bytes; with odd bytes, one of them waits for the next piece. */
  #wire(pcm: Int16Array): Buffer {
    const bytes = Buffer.concat([this.#odd, encoded(pcm, this.#format.encoding)]);
    const isOdd = this.#settings.oddBytes && this.#pieces++ % 2 === 0 && this.#pcm.length > 0;
    this.#odd = isOdd ? bytes.subarray(-1) : Buffer.alloc(0);
    return isOdd ? bytes.subarray(0, -1) : bytes;
  }
}

function encoded(pcm: Int16Array, encoding: SpeechFormat['encoding']): Buffer {
  if (encoding === 'linear16') {
    const bytes = Buffer.alloc(2 * pcm.length);
    for (const [i, sample] of pcm.entries()) bytes.writeInt16LE(sample, 2 * i);
    return bytes;
  }
  if (encoding === 'float32') {
    const bytes = Buffer.alloc(4 * pcm.length);
    for (const [i, sample] of pcm.entries()) bytes.writeFloatLE(sample / 32_768, 4 * i);
    return bytes;
  }
  const bytes = Buffer.alloc(pcm.length);
  if (encoding === 'mulaw') encodeUlawTo(bytes, 0, pcm);
  else encodeAlawTo(bytes, 0, pcm);
  return bytes;
}

/** Speech as the body of an answer over HTTP. */
export const speechBody = (
  settings: FakeSettings,
  format: SpeechFormat,
  text: string,
  { contentType, speed = 1 }: { contentType: string; speed?: number },
): FakeStream => ({
  status: 200,
  contentType,
  start(body) {
    const speech = new FakeSpeech(
      settings,
      format,
      {
        onPiece({ data, endMs }) {
          body.send(data);
          if (settings.cutAtMs === null || endMs < settings.cutAtMs) return;
          settings.cutAtMs = null;
          speech.stop();
          body.cut();
        },
        onMark: () => body.end(),
      },
      speed,
    );
    speech.say(text);
    speech.mark('end');
    return () => speech.stop();
  },
});
