import type { Scheduler } from '../../shared/clock.ts';
import { NOT_UNDERSTOOD } from '@callwright/turns';
import { FRAME_MS } from '@callwright/audio';
import type { SttEvent, SttOptions, SttProvider, SttSession } from '../ports/recogniser.ts';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import type { S2sCall } from './call.ts';
import type { S2sNews } from './dialect.ts';

/** After our own end of speech: the vendor is told to end the turn, and given up if it says nothing at all. */
const END_TURN_MS = 600;
const SILENT_MS = 1_200;
/** A vendor that replies by itself has begun to by then. */
const REPLIED_MS = 1_600;
/** Shorter sound may be noise to the vendor; longer one it answers in some way, also if it cannot be told to end the turn. */
const SURE_SPEECH_MS = 300;
const LONG_SPEECH_MS = 700;
/** Words of a turn that has ended come within this; those that come in pieces, after the last one. */
const WORDS_MS = 1_000;
const SETTLED_MS = 150;

type HearingNews = Parameters<S2sCall['onHeard']>[0];

export const s2sHearing = (call: S2sCall, scheduler: Scheduler): SttProvider => ({
  name: call.vendor.name,
  understands: () => true,
  open: (options) => new S2sHearing(call, options, scheduler),
  close: () => Promise.resolve(),
});

interface OpenTurn {
  readonly id: string;
  text: string;
  isEnded: boolean;
}

/** The vendor as a recogniser: it ends turns itself, often before it has their words. */
class S2sHearing implements SttSession {
  readonly #call: S2sCall;
  readonly #options: SttOptions;
  readonly #scheduler: Scheduler;
  readonly #onFault = (fault: VendorFault): void => this.#fail(fault);
  #frameAt = 0;
  #frameClock: number;
  #audioMs = 0;
  #speechAt: number | null = null;
  /** The vendor has said something since the caller began to speak, and since the end. */
  #hasHeard = false;
  #hasAnswered = true;
  /** The turn that began with this speech has its words: the vendor was quicker than our own end of speech. */
  #isSettled = false;
  #cancelWaits: (() => void)[] = [];
  /** The turn whose words are awaited; `text`: so far. */
  #turn: OpenTurn | null = null;
  #settledTurn = '';
  #cancelWords: () => void = () => undefined;
  #isClosed = false;

  constructor(call: S2sCall, options: SttOptions, scheduler: Scheduler) {
    this.#call = call;
    this.#options = options;
    this.#scheduler = scheduler;
    this.#frameClock = scheduler.now();
    call.onHeard = (news) => this.#onNews(news);
    call.onFault.add(this.#onFault);
    const { onEvent: _, ...hearing } = options;
    call.open({ hearing });
    const { fault } = call;
    if (fault !== null) queueMicrotask(() => this.#fail(fault));
  }

  write(frame: Int16Array, at: number): void {
    this.#frameAt = at;
    this.#frameClock = this.#scheduler.now();
    this.#audioMs += FRAME_MS;
    this.#call.audio(frame);
  }

  speechStarted(at: number): void {
    this.#speechAt = at;
    this.#hasHeard = false;
    this.#isSettled = false;
    this.#stopWaits();
    this.#call.callerSpeaks(true);
  }

  speechEnded(at: number): void {
    const ms = this.#speechAt === null ? 0 : at - this.#speechAt;
    this.#speechAt = null;
    this.#stopWaits();
    if (ms < SURE_SPEECH_MS || this.#isSettled || this.#turn?.isEnded === true) {
      if (this.#turn === null) this.#call.callerSpeaks(false);
      return;
    }
    this.#hasAnswered = false;
    let isTold = false;
    this.#cancelWaits = [
      this.#scheduler.after(END_TURN_MS, () => {
        isTold = this.#call.endTurn();
      }),
      this.#scheduler.after(SILENT_MS, () => {
        if (this.#hasAnswered || !(isTold || this.#hasHeard || ms >= LONG_SPEECH_MS)) return;
        this.#giveUp('it does not hear the caller');
      }),
      this.#scheduler.after(REPLIED_MS, () => {
        if (!isTold && this.#turn !== null && !this.#turn.isEnded) this.#giveUp('no reply to the caller');
      }),
    ];
  }

  expect(): void {}

  usage() {
    const { name: vendor, model } = this.#call.vendor;
    return [{ vendor, model, audioMs: this.#audioMs }];
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaits();
    this.#cancelWords();
    this.#call.onFault.delete(this.#onFault);
    this.#call.close();
  }

  #onNews(news: HearingNews): void {
    if (this.#isClosed) return;
    this.#hasHeard = true;
    this.#hasAnswered = true;
    if (news.type === 'turn_ended') this.#endTurn(news.turn);
    else if (news.type === 'nothing') {
      this.#call.callerSpeaks(false);
      this.#emit({ type: 'nothing', at: this.#at() });
    } else if (news.type === 'words') this.#onWords(news);
  }

  #endTurn(id: string): void {
    if (id === this.#settledTurn) return;
    this.#stopWaits();
    const turn = this.#turnOf(id);
    turn.isEnded = true;
    this.#emit({ type: 'eager', turn: id, text: turn.text, audioMs: null, at: this.#at() });
    this.#awaitWords(turn.text === '' ? WORDS_MS : SETTLED_MS);
  }

  #onWords({ turn: id, text, isFinal }: Extract<S2sNews, { type: 'words' }>): void {
    if (id === this.#settledTurn) return;
    const turn = this.#turnOf(id);
    if (text === null) return this.#settle(NOT_UNDERSTOOD);
    turn.text = text.trim();
    if (isFinal) return this.#settle(turn.text);
    if (turn.text === '') return;
    if (turn.isEnded) return this.#awaitWords(SETTLED_MS);
    this.#emit({ type: 'partial', turn: id, text: turn.text, audioMs: null, at: this.#at() });
  }

  #turnOf(id: string): OpenTurn {
    const turn = this.#turn?.id === id ? this.#turn : { id, text: '', isEnded: false };
    this.#turn = turn;
    return turn;
  }

  #awaitWords(ms: number): void {
    this.#cancelWords();
    this.#cancelWords = this.#scheduler.after(ms, () => {
      const text = this.#turn?.text ?? '';
      this.#settle(text === '' ? NOT_UNDERSTOOD : text);
    });
  }

  /** The words of the turn are as good as they get; later ones are dropped. */
  #settle(text: string): void {
    this.#cancelWords();
    const turn = this.#turn;
    if (turn === null) return;
    this.#turn = null;
    this.#isSettled = true;
    this.#settledTurn = turn.id;
    if (this.#speechAt === null) this.#call.callerSpeaks(false);
    const at = this.#at();
    if (text === '') return this.#emit({ type: 'nothing', at });
    this.#emit({
      type: 'final',
      turn: turn.id,
      text,
      confidence: null,
      endpoint: 'certain',
      audioMs: null,
      at,
    });
  }

  #giveUp(detail: string): void {
    this.#call.giveUp(vendorFault(this.#call.vendor.name, 'timeout', detail));
  }

  #at(): number {
    return this.#frameAt + Math.round(this.#scheduler.now() - this.#frameClock);
  }

  #emit(event: SttEvent): void {
    if (!this.#isClosed) this.#options.onEvent(event);
  }

  #fail(fault: VendorFault): void {
    this.#stopWaits();
    this.#cancelWords();
    const { message } = fault;
    this.#emit({ type: 'failed', message, retryable: false, at: this.#at(), fault });
  }

  #stopWaits(): void {
    for (const cancel of this.#cancelWaits) cancel();
    this.#cancelWaits = [];
  }
}
