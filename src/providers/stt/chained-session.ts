import type { Expected } from '@callwright/turns';
import type { SttEvent, SttOptions, SttProvider, SttSession, SttWords } from '../ports/recogniser.ts';
import { addUses, type AudioUse } from '../../voice/measures.ts';
import type { VendorFault } from '../../shared/vendor-fault.ts';
import { Course, takesOver, type Chain } from '../chain.ts';
import { unnamedFault } from '../wire/fault.ts';
import { carryOver, joinCarried, type Carried } from './carried-words.ts';
import { FrameRing } from './frame-ring.ts';

/** Length of the ring: audio that a new session can re-hear. */
const RING_MS = 6_000;
/** Lead-in before the detected start of speech, which may hold the first word. */
const PREROLL_MS = 300;
/** Mean retry delays of a lost session; words reset them. */
const RETRY_MS = [0, 250, 500] as const;
/** A session that lasted this long does not count as a failed retry. */
const LASTING_MS = 10_000;
const NOTHING_CARRIED: Carried = { text: '', fromMs: 0, overlaps: false };

type WordEvent = Extract<SttEvent, SttWords>;

/**
 * One call's recognition over sessions of several recognisers. When one is lost, the next one re-hears the open utterance
 * from the ring; words from before the ring are carried over.
 */
export class ChainedSession implements SttSession {
  readonly #chain: Chain<SttProvider>;
  readonly #course: Course<SttProvider>;
  readonly #options: SttOptions;
  readonly #ring: FrameRing;
  #session: SttSession | null = null;
  /** Audio use of earlier sessions. */
  #used: readonly AudioUse[] = [];
  /** Session number; events of earlier sessions are dropped. */
  #epoch = 0;
  /** Audio time at which the current session started to listen. */
  #baseMs = 0;
  #startedMs = 0;
  /** The call returned to this recogniser, which has produced no word since: its next fault is not retried. */
  #isOnTrial = false;
  #cancelRetry: (() => void) | null = null;
  #expected: Expected | null = null;
  #at = 0;
  #isSpeaking = false;
  /** Start of the speech that has no final yet; null: none. */
  #speechMs: number | null = null;
  /** End of the audio that the last final covers. */
  #finalMs = 0;
  /** Words of the current session without a final, and the turn id that the call uses for them. */
  #open: SttWords | null = null;
  #carried = NOTHING_CARRIED;
  /** Maps the open turn to the new session's turn id. */
  #sameTurn: { readonly known: string; named: string | null } | null = null;
  #isClosed = false;

  constructor(chain: Chain<SttProvider>, options: SttOptions) {
    this.#chain = chain;
    this.#course = new Course(chain);
    this.#options = options;
    this.#ring = new FrameRing(options.sampleRate, RING_MS);
    const fault = this.#course.choose() > 0 ? chain.health.brokenBy(chain.nameOf(0)) : null;
    if (fault !== null) this.#reportSwitch(fault, 0);
    this.#start();
  }

  write(frame: Int16Array, at: number): void {
    this.#at = at;
    this.#ring.push(frame, at);
    this.#session?.write(frame, at);
  }

  speechStarted(at: number): void {
    if (this.#speechMs === null) this.#comeBack();
    this.#isSpeaking = true;
    this.#speechMs ??= Math.max(0, this.#ring.endMs - Math.max(0, this.#at - at));
    this.#session?.speechStarted(at);
  }

  speechEnded(at: number): void {
    this.#isSpeaking = false;
    this.#session?.speechEnded(at);
  }

  expect(expected: Expected | null): void {
    this.#expected = expected;
    this.#session?.expect(expected);
  }

  usage(): readonly AudioUse[] {
    return addUses(this.#used, this.#usedNow());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
    this.#session?.close();
  }

  get #member(): SttProvider | undefined {
    return this.#chain.members[this.#course.index];
  }

  /** Returns from the offline recogniser to a vendor as soon as the chain allows a probe. */
  #comeBack(): void {
    const course = this.#course;
    if (!course.isLast || this.#chain.last === 0 || this.#isClosed) return;
    const used = this.usage();
    course.restart();
    if (course.choose() === this.#chain.last) return;
    this.#used = used;
    this.#session?.close();
    this.#session = null;
    this.#isOnTrial = true;
    this.#report(`${this.#course.name} recognises again`, this.#at, null);
    this.#start();
  }

  /** Opens the member's session and feeds it the open utterance. */
  #start(): void {
    const member = this.#member;
    if (member === undefined || this.#isClosed) return;
    this.#cancelRetry = null;
    const epoch = ++this.#epoch;
    this.#startedMs = this.#ring.endMs;
    const { endMs } = this.#ring;
    // Words with a final are not re-heard.
    const fromMs =
      this.#speechMs === null ? Math.max(endMs - PREROLL_MS, this.#finalMs) : this.#carried.fromMs;
    this.#baseMs = this.#ring.replay(Math.max(fromMs, 0), () => undefined);
    const session = member.open({
      ...this.#options,
      onEvent: (event) => {
        if (epoch === this.#epoch && !this.#isClosed) this.#onEvent(event);
      },
    });
    if (epoch !== this.#epoch) return session.close();
    this.#session = session;
    session.expect(this.#expected);
    if (this.#speechMs !== null) {
      session.speechStarted(this.#at - endMs + Math.max(this.#speechMs, this.#baseMs));
    }
    this.#ring.replay(this.#baseMs, (frame, at) => session.write(frame, at));
    if (this.#speechMs !== null && !this.#isSpeaking) session.speechEnded(this.#at);
  }

  #onEvent(event: SttEvent): void {
    switch (event.type) {
      case 'partial':
      case 'eager':
      case 'final':
        return this.#onWords(event);
      case 'resumed':
        return this.#options.onEvent({ ...event, ...this.#turnOf(event.turn) });
      case 'nothing':
        return this.#onNothing(event.at);
      case 'failed':
        return this.#onFailed(event);
      case 'switched':
        return this.#options.onEvent(event);
    }
  }

  #onWords(event: WordEvent): void {
    const { text, audioMs, words } = event;
    const base = this.#baseMs;
    const placed = {
      ...event,
      ...this.#turnOf(event.turn),
      audioMs: audioMs === null ? null : audioMs + base,
      ...(words === undefined
        ? {}
        : { words: words.map((w) => ({ ...w, startMs: w.startMs + base, endMs: w.endMs + base })) }),
    };
    this.#open = event.type === 'final' || text === '' ? null : placed;
    if (text !== '') {
      this.#isOnTrial = false;
      this.#course.restart();
      this.#course.worked();
    }
    const whole = { ...placed, text: joinCarried(this.#carried, text) };
    if (event.type === 'final') this.#settle(whole.audioMs ?? this.#ring.endMs);
    this.#options.onEvent(whole);
    if (event.type === 'final' && !this.#isSpeaking) this.#comeBack();
  }

  /** Emits the carried-over words as the final: the recogniser found no others. */
  #onNothing(at: number): void {
    const { text } = this.#carried;
    const turn = this.#sameTurn?.known;
    const audioMs = this.#ring.endMs;
    this.#settle(audioMs);
    if (text === '') return this.#options.onEvent({ type: 'nothing', at });
    const known = turn === undefined ? {} : { turn, endpoint: 'certain' as const };
    this.#options.onEvent({ type: 'final', text, confidence: null, audioMs, at, ...known });
  }

  #settle(finalMs: number): void {
    this.#finalMs = finalMs;
    this.#open = null;
    this.#carried = NOTHING_CARRIED;
    this.#sameTurn = null;
    this.#speechMs = this.#isSpeaking ? Math.max(finalMs, this.#speechMs ?? 0) : null;
  }

  /** Turn ids are unique in the call; the turn that was open when a session was lost keeps its id. */
  #turnOf(turn: string | undefined): { turn?: string } {
    const same = this.#sameTurn;
    if (turn === undefined) return same === null ? {} : { turn: same.known };
    if (same !== null) {
      same.named ??= turn;
      if (same.named === turn) return { turn: same.known };
    }
    return { turn: `${this.#epoch}.${turn}` };
  }

  #onFailed(event: Extract<SttEvent, { type: 'failed' }>): void {
    const course = this.#course;
    if (course.isLast) return this.#options.onEvent(event);
    this.#epoch++;
    this.#used = this.usage();
    this.#session?.close();
    this.#session = null;
    this.#keepWords();
    if (this.#ring.endMs - this.#startedMs > LASTING_MS) {
      course.resetTries();
      this.#isOnTrial = false;
    }
    const fault = event.fault ?? unnamedFault(this.#course.name, event);
    const mayRetry = event.retryable && !this.#isOnTrial;
    const delayMs = course.failed(fault, { delaysMs: RETRY_MS, mayRetry });
    if (delayMs !== null) {
      const jitteredMs = delayMs * (0.75 + Math.random() / 2);
      this.#cancelRetry = this.#chain.scheduler.after(jitteredMs, () => this.#start());
      return;
    }
    this.#isOnTrial = false;
    course.choose();
    this.#reportSwitch(fault, event.at);
    this.#start();
  }

  #usedNow(): readonly AudioUse[] {
    if (this.#session === null) return [];
    const audioMs = this.#ring.endMs - this.#baseMs;
    const own = { vendor: this.#course.name, model: null, audioMs };
    return this.#session.usage?.() ?? [own];
  }

  #reportSwitch(fault: VendorFault, at: number): void {
    this.#report(takesOver(fault, this.#course.name, 'recognises'), at, fault);
  }

  #report(message: string, at: number, fault: VendorFault | null): void {
    const member = this.#member;
    if (member === undefined) return;
    const { language, onEvent } = this.#options;
    const ears = {
      understandsSpeech: member.understands(language),
      onlyPhrases: member.onlyPhrases?.(language) ?? false,
    };
    onEvent({ type: 'switched', message, at, ...(fault === null ? {} : { fault }), ears });
  }

  #keepWords(): void {
    const turn = this.#open?.turn ?? this.#sameTurn?.known;
    this.#sameTurn = turn === undefined ? null : { known: turn, named: null };
    const begunMs = (this.#speechMs ?? this.#ring.endMs) - PREROLL_MS;
    const speechMs = Math.max(0, begunMs, this.#finalMs, this.#carried.fromMs);
    this.#carried = carryOver(this.#carried, this.#open, { speechMs, keptMs: this.#ring.startMs });
    if (this.#open !== null) this.#speechMs ??= this.#carried.fromMs;
    this.#open = null;
  }
}
