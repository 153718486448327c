import type { Language } from '@callwright/language';
import type {
  SpeechManner,
  TtsContext,
  TtsEvent,
  TtsOptions,
  TtsProvider,
  TtsSession,
} from '../ports/voice.ts';
import { type TtsMark, lastWordOf } from '@callwright/turns';
import { Course, takesOver, type Chain, type LostMembers } from '../chain.ts';
import { unnamedFault, vendorFault, type VendorFault } from '../wire/fault.ts';

/** Limits of a voice to its first audio: of the first one that is tried, and of the next ones. */
const FIRST_AUDIO_MS = 1_000;
const NEXT_AUDIO_MS = 700;
/** After this wait only the last voice is tried, which is on this machine. */
const PATIENCE_MS = 1_500;
/** The same voice speaks again on a new connection once, at once. */
const RETRY_MS = [0] as const;
/** Silence of a voice in the middle of a sentence. */
const STALL_MS = 800;
/** A stalled voice is replaced this long before the audio at hand is played. */
const AHEAD_MS = 700;
/** Assumed pace of speech without marks. */
const MS_PER_CHAR = 65;

/** What the replies of a call share. */
export interface ChainedCall {
  readonly chain: Chain<TtsProvider>;
  readonly options: TtsOptions;
  sessionOf(member: TtsProvider): TtsSession;
  readonly lost: LostMembers;
  /** Pace of whole sentences of the voice; null: none yet. */
  msPerChar: number | null;
}

interface Sentence {
  readonly text: string;
  readonly manner: SpeechManner | undefined;
  readonly onEvent: (event: TtsEvent) => void;
  readonly saidAt: number;
  /** Where the voice that speaks now began: in the text, and in the sentence's audio. */
  from: TtsMark;
  audioMs: number;
  marks: TtsMark[];
  /** Its characters are reported. */
  isCharged: boolean;
}

/** Whether a voice of the chain speaks a language. */
export const speaks =
  ({ members }: Chain<TtsProvider>, language: Language) =>
  (index: number): boolean =>
    members[index]?.speaks?.(language) ?? true;

/** The rest of a sentence is not cached, and has no written form. */
function mannerOfRest({ from, manner }: Sentence): SpeechManner | undefined {
  if (from.textEnd === 0 || manner === undefined) return manner;
  const { written: _, ...voice } = manner;
  return { ...voice, isFixed: false };
}

/** One reply over the voices of a chain. */
export class ChainedContext implements TtsContext {
  readonly #call: ChainedCall;
  readonly #course: Course<TtsProvider>;
  /** Sentences that are not whole, the oldest first. */
  #sentences: Sentence[] = [];
  /** The contexts of this reply; those before the current one only finish their sentences. */
  readonly #contexts = new Set<TtsContext>();
  #speech: { readonly member: number; readonly context: TtsContext } | null = null;
  /** Counts contexts: events of earlier ones are stale. */
  #epoch = 0;
  #startedAt = 0;
  /** Contexts of voices begun for this reply. */
  #voices = 0;
  #hasAudio = false;
  #heardAt = 0;
  /** Until when the audio so far plays, if it is played at once. */
  #playsUntil = 0;
  #cancelWatch: (() => void) | null = null;
  #isEnded = false;
  #isOver = false;

  constructor(call: ChainedCall) {
    this.#call = call;
    this.#course = new Course(call.chain, call.lost);
  }

  get #now(): number {
    return this.#call.chain.scheduler.now();
  }

  say(text: string, onEvent: (event: TtsEvent) => void, manner?: SpeechManner): void {
    if (this.#isOver) return;
    const saidAt = this.#now;
    const from = { textEnd: 0, audioMs: 0 };
    const sentence: Sentence = {
      text,
      manner,
      onEvent,
      saidAt,
      from,
      audioMs: 0,
      marks: [],
      isCharged: false,
    };
    this.#sentences.push(sentence);
    this.#speak(sentence);
    this.#watch();
  }

  end(): void {
    this.#isEnded = true;
    this.#speech?.context.end();
  }

  cancel(): void {
    this.#isOver = true;
    this.#cancelWatch?.();
    this.#cancelContexts();
    this.#sentences = [];
    this.#course.cancelled();
  }

  #cancelContexts(): void {
    this.#epoch++;
    this.#speech = null;
    for (const context of this.#contexts) context.cancel();
    this.#contexts.clear();
  }

  #speak(sentence: Sentence): void {
    const { chain, options, lost } = this.#call;
    const index = this.#course.choose(speaks(chain, sentence.manner?.language ?? options.language));
    const member = chain.members[index];
    if (member === undefined) return;
    if (lost.fault !== null) {
      const { fault } = lost;
      sentence.onEvent({ type: 'switched', message: takesOver(fault, member.name, 'speaks'), fault });
      lost.fault = null;
    }
    if (this.#speech?.member !== index) {
      this.#speech?.context.end();
      this.#speech = { member: index, context: this.#call.sessionOf(member).begin() };
      this.#contexts.add(this.#speech.context);
      this.#voices += 1;
      this.#startedAt = this.#now;
      this.#hasAudio = false;
    }
    const epoch = this.#epoch;
    sentence.isCharged = false;
    const rest = sentence.text.slice(sentence.from.textEnd);
    this.#speech.context.say(
      rest,
      (event) => {
        if (epoch === this.#epoch && !this.#isOver) this.#onEvent(sentence, index, event);
      },
      mannerOfRest(sentence),
    );
  }

  #onEvent(sentence: Sentence, member: number, event: TtsEvent): void {
    const { from } = sentence;
    switch (event.type) {
      case 'audio':
        if (!sentence.isCharged) this.#onFree(sentence, member);
        this.#onAudio(sentence, member, event.pcm);
        return sentence.onEvent(event);
      case 'marks': {
        const marks = event.marks.map(({ textEnd, audioMs }) => ({
          textEnd: textEnd + from.textEnd,
          audioMs: audioMs + from.audioMs,
        }));
        sentence.marks.push(...marks);
        return sentence.onEvent({ type: 'marks', marks });
      }
      case 'cut': {
        const audioMs = event.audioMs + from.audioMs;
        this.#cut(sentence, audioMs);
        return sentence.onEvent({ type: 'cut', audioMs });
      }
      case 'usage':
        sentence.isCharged = true;
        return sentence.onEvent(event);
      case 'switched':
        return sentence.onEvent(event);
      case 'done':
        if (from.textEnd === 0 && sentence.audioMs > 0) {
          this.#call.msPerChar = sentence.audioMs / sentence.text.length;
        }
        return this.#over(sentence, event);
      case 'failed':
        if (member === this.#call.chain.last) return this.#over(sentence, event);
        return this.#onFailed(member, this.#faultOf(member, event));
    }
  }

  /** Free voices report no usage. */
  #onFree(sentence: Sentence, member: number): void {
    sentence.isCharged = true;
    const vendor = this.#call.chain.nameOf(member);
    const characters = Array.from(sentence.text.slice(sentence.from.textEnd)).length;
    sentence.onEvent({ type: 'usage', vendor, model: null, characters });
  }

  #onAudio(sentence: Sentence, member: number, pcm: Int16Array): void {
    if (!this.#hasAudio) this.#course.worked(member);
    const now = this.#now;
    const ms = (pcm.length * 1000) / this.#call.options.sampleRate;
    sentence.audioMs += ms;
    this.#hasAudio = true;
    this.#heardAt = now;
    this.#playsUntil = Math.max(this.#playsUntil, now) + ms;
    this.#watch();
  }

  #over(sentence: Sentence, event: TtsEvent): void {
    this.#sentences = this.#sentences.filter((one) => one !== sentence);
    this.#heardAt = this.#now;
    this.#course.resetTries();
    this.#watch();
    sentence.onEvent(event);
  }

  #faultOf(member: number, event: Extract<TtsEvent, { type: 'failed' }>): VendorFault {
    return event.fault ?? unnamedFault(this.#call.chain.nameOf(member), event);
  }

  /** The same voice speaks again on a new connection once, then the next one. */
  #onFailed(index: number, fault: VendorFault): void {
    const waitedMs = this.#now - (this.#sentences[0]?.saidAt ?? this.#now);
    const mayRetry = fault.retryable && (this.#hasAudio || waitedMs < NEXT_AUDIO_MS);
    this.#cancelContexts();
    const isOver = this.#course.failed(fault, { delaysMs: RETRY_MS, mayRetry }, { index }) === null;
    if (isOver && !this.#hasAudio && waitedMs >= PATIENCE_MS) this.#course.tooLate();
    for (const sentence of this.#sentences.slice()) this.#resume(sentence);
    if (this.#isEnded) this.end();
    this.#watch();
  }

  /** Speaks what the sentence's audio so far does not hold, from the word that it does not hold whole. */
  #resume(sentence: Sentence): void {
    const { text, audioMs, marks } = sentence;
    if (audioMs > 0) {
      const held = { playedMs: audioMs, totalMs: audioMs, complete: false, marks };
      const last = lastWordOf(text, held, this.#call.msPerChar ?? MS_PER_CHAR);
      const at = last.textEnd > sentence.from.textEnd ? last : sentence.from;
      if (text.slice(at.textEnd).trim() === '') return this.#over(sentence, { type: 'done' });
      this.#cut(sentence, at.audioMs);
      sentence.onEvent({ type: 'cut', audioMs: at.audioMs });
      const isKnown = at.textEnd === 0 || marks.some(({ textEnd }) => textEnd === at.textEnd);
      if (!isKnown) {
        sentence.marks.push(at);
        sentence.onEvent({ type: 'marks', marks: [at] });
      }
      const spaces = text.length - at.textEnd - text.slice(at.textEnd).trimStart().length;
      sentence.from = { textEnd: at.textEnd + spaces, audioMs: at.audioMs };
    }
    return this.#speak(sentence);
  }

  #cut(sentence: Sentence, audioMs: number): void {
    this.#playsUntil -= Math.max(0, sentence.audioMs - audioMs);
    sentence.audioMs = Math.min(sentence.audioMs, audioMs);
    sentence.marks = sentence.marks.filter((mark) => mark.audioMs <= audioMs);
  }

  /** Sets the time at which a silent voice is given up; the last one is never. */
  #watch(): void {
    this.#cancelWatch?.();
    this.#cancelWatch = null;
    const [sentence] = this.#sentences;
    const speech = this.#speech;
    const { chain } = this.#call;
    const { members, last, scheduler } = chain;
    if (sentence === undefined || speech === null || speech.member === last) return;
    const limitMs =
      members[speech.member]?.firstAudioMs ?? (this.#voices === 1 ? FIRST_AUDIO_MS : NEXT_AUDIO_MS);
    const since = Math.max(this.#startedAt, sentence.saidAt, this.#heardAt);
    const silentUntil = since + (this.#hasAudio ? STALL_MS : limitMs);
    const due = Math.max(silentUntil, this.#playsUntil - AHEAD_MS);
    this.#cancelWatch = scheduler.after(Math.max(0, due - scheduler.now()), () => {
      const ms = Math.round(scheduler.now() - since);
      const fault = vendorFault(chain.nameOf(speech.member), 'timeout', `no audio for ${ms} ms`);
      this.#onFailed(speech.member, fault);
    });
  }
}
