import type { SpeechManner, TtsContext, TtsEvent, TtsProvider, TtsSession } from '../ports/voice.ts';
import { wordEnds, wordsOf } from '@callwright/turns';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import type { S2sCall } from './call.ts';
import type { S2sStream } from './reply.ts';

/** Verbatim speech starts as late as a reply. */
const FIRST_AUDIO_MS = 1_600;

/**
 * The vendor as a voice. Audio of its own replies has already arrived; it speaks other text on request. `reader`: the voice
 * that takes over when the vendor deviates from that text.
 */
export const s2sVoice = (call: S2sCall, reader: TtsProvider): TtsProvider => ({
  name: call.vendor.name,
  firstAudioMs: FIRST_AUDIO_MS,
  open(options) {
    call.open({ voice: options });
    let readers: TtsSession | null = null;
    const contexts = new Set<S2sContext>();
    return {
      begin() {
        const context = new S2sContext(call, () => (readers ??= reader.open(options)));
        contexts.add(context);
        return context;
      },
      close() {
        for (const context of contexts) context.cancel();
        readers?.close();
        call.close();
      },
    };
  },
  close: () => Promise.resolve(),
});

class S2sContext implements TtsContext {
  readonly #call: S2sCall;
  readonly #reader: () => TtsSession;
  readonly #cancels: (() => void)[] = [];
  #isOver = false;

  constructor(call: S2sCall, reader: () => TtsSession) {
    this.#call = call;
    this.#reader = reader;
  }

  say(text: string, onEvent: (event: TtsEvent) => void, manner: SpeechManner = {}): void {
    const emit = (event: TtsEvent): void => {
      if (!this.#isOver) onEvent(event);
    };
    const written = manner.written ?? text;
    const found = this.#call.find(written);
    if (found !== null) {
      // `say` must return before it emits the first event.
      queueMicrotask(() => {
        if (!this.#isOver) this.#cancels.push(found.piece.follow(found.share, emit));
      });
      return;
    }
    const line = new ReadLine(text, written, emit, (rest) => this.#read(rest, emit, manner));
    const cancel = this.#call.say(written, line);
    if (cancel !== null) return void this.#cancels.push(cancel);
    const fault = this.#call.fault ?? vendorFault(this.#call.vendor.name, 'lost', 'there is no connection');
    queueMicrotask(() => line.fail({ ...fault, retryable: false }));
  }

  end(): void {}

  cancel(): void {
    this.#isOver = true;
    for (const cancel of this.#cancels.splice(0)) cancel();
  }

  #read(text: string, onEvent: (event: TtsEvent) => void, { language, voiceKey, speed }: SpeechManner): void {
    const voice = {
      ...(language === undefined ? {} : { language }),
      ...(voiceKey === undefined ? {} : { voiceKey }),
      ...(speed === undefined ? {} : { speed }),
    };
    const context = this.#reader().begin();
    this.#cancels.push(() => context.cancel());
    context.say(text, onEvent, voice);
    context.end();
  }
}

/** Verbatim speech. Forwards audio while the vendor's words match the text; otherwise falls back to a TTS reader. */
class ReadLine implements S2sStream {
  readonly #text: string;
  readonly #wordings: readonly (readonly string[])[];
  readonly #emit: (event: TtsEvent) => void;
  readonly #readOn: (rest: string) => void;
  #heard = '';
  #held: Int16Array[] = [];
  #hasSound = false;
  #isOver = false;

  constructor(
    text: string,
    written: string,
    emit: (event: TtsEvent) => void,
    readOn: (rest: string) => void,
  ) {
    this.#text = text;
    this.#wordings = [wordsOf(text), wordsOf(written)];
    this.#emit = emit;
    this.#readOn = readOn;
  }

  text(text: string): void {
    this.#heard += text;
    if (this.#isOver) return;
    // The last word may be incomplete.
    const words = wordsOf(this.#heard).slice(0, -1);
    const said = this.#wordsSaid(words);
    if (said < words.length) this.#leave(said);
    else this.#release(said);
  }

  audio(pcm: Int16Array): void {
    if (this.#isOver || pcm.length === 0) return;
    this.#held.push(pcm);
    this.#release(wordsOf(this.#heard).length - 1);
  }

  tool(): void {}

  done(): void {
    if (this.#isOver) return;
    const words = wordsOf(this.#heard);
    const isWhole = this.#wordings.some((line) => line.join(' ') === words.join(' '));
    if (!isWhole) return this.#leave(this.#wordsSaid(words));
    this.#release(words.length);
    this.#isOver = true;
    this.#emit({ type: 'done' });
  }

  fail(fault: VendorFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { message, retryable } = fault;
    this.#emit({ type: 'failed', message, retryable, fault });
  }

  /** Number of leading words that match the text. */
  #wordsSaid(words: readonly string[]): number {
    const counts = this.#wordings.map((line) => {
      const other = words.findIndex((word, i) => word !== line[i]);
      return other < 0 ? words.length : other;
    });
    return Math.max(...counts);
  }

  #release(knownWords: number): void {
    if (knownWords <= 0 || this.#held.length === 0) return;
    this.#hasSound = true;
    for (const pcm of this.#held.splice(0)) this.#emit({ type: 'audio', pcm });
  }

  /** Hands the rest to the reader: the vendor deviated after this many words. */
  #leave(words: number): void {
    this.#isOver = true;
    const ends = [...wordEnds(this.#text)];
    const at = this.#hasSound ? (ends[Math.max(0, words - 1)] ?? 0) : 0;
    const rest = this.#text.slice(at).trim();
    if (rest === '') this.#emit({ type: 'done' });
    else this.#readOn(rest);
  }
}
