import type { Scheduler } from '../../shared/clock.ts';
import { NOT_UNDERSTOOD } from '@callwright/turns';
import { FRAME_MS } from '@callwright/audio';
import type { SttEvent, SttOptions, SttProvider, SttSession } from '../ports/recogniser.ts';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import type { S2sCall } from './call.ts';
import type { S2sEvent } from './dialect.ts';

/** After our own end of speech: when to end the turn at the vendor, and when a silent vendor counts as lost. */
const END_TURN_MS = 600;
const SILENT_MS = 1_200;
/** Auto-reply vendors start within this time. */
const REPLIED_MS = 1_600;
/** Below the first length a vendor may ignore speech as noise; above the second every vendor reacts to it. */
const SURE_SPEECH_MS = 300;
const LONG_SPEECH_MS = 700;
/** Longest wait for the words of an ended turn; and after each piece of them. */
const WORDS_MS = 1_000;
const SETTLED_MS = 150;

type HearingEvent = Parameters<S2sCall['onHeard']>[0];

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

/** The vendor as a recogniser. It ends turns itself, often before their transcript is complete. */
class S2sHearing implements SttSession {
  readonly #call: S2sCall;
  readonly #options: SttOptions;
  readonly #scheduler: Scheduler;
  readonly #onFault = (fault: VendorFault): void => this.#fail(fault);
  #frameAt = 0;
  #frameClock: number;
  #audioMs = 0;
  #speechAt: number | null = null;
  /** Whether any vendor event arrived since the start of speech, and since its end. */
  #hasHeard = false;
  #hasAnswered = true;
  /** The turn of this speech has its final transcript: the vendor ended it before our own end of speech. */
  #isSettled = false;
  #cancelWaits: (() => void)[] = [];
  /** Turn awaiting its final transcript, with the text so far. */
  #turn: OpenTurn | null = null;
  #settledTurn = '';
  #cancelWords: () => void = () => undefined;
  #isClosed = false;

  constructor(call: S2sCall, options: SttOptions, scheduler: Scheduler) {
    this.#call = call;
    this.#options = options;
    this.#scheduler = scheduler;
    this.#frameClock = scheduler.now();
    call.onHeard = (event) => this.#onVendorEvent(event);
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
    let endsTurn = false;
    this.#cancelWaits = [
      this.#scheduler.after(END_TURN_MS, () => {
        endsTurn = this.#call.endTurn();
      }),
      this.#scheduler.after(SILENT_MS, () => {
        if (this.#hasAnswered || !(endsTurn || this.#hasHeard || ms >= LONG_SPEECH_MS)) return;
        this.#giveUp('it does not hear the caller');
      }),
      this.#scheduler.after(REPLIED_MS, () => {
        if (!endsTurn && this.#turn !== null && !this.#turn.isEnded) this.#giveUp('no reply to the caller');
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

  #onVendorEvent(event: HearingEvent): void {
    if (this.#isClosed) return;
    this.#hasHeard = true;
    this.#hasAnswered = true;
    if (event.type === 'turn_ended') this.#endTurn(event.turn);
    else if (event.type === 'nothing') {
      this.#call.callerSpeaks(false);
      this.#emit({ type: 'nothing', at: this.#at() });
    } else if (event.type === 'words') this.#onWords(event);
  }

  #endTurn(id: string): void {
    if (id === this.#settledTurn) return;
    this.#stopWaits();
    const turn = this.#turnOf(id);
    turn.isEnded = true;
    this.#emit({ type: 'eager', turn: id, text: turn.text, audioMs: null, at: this.#at() });
    this.#awaitWords(turn.text === '' ? WORDS_MS : SETTLED_MS);
  }

  #onWords({ turn: id, text, isFinal }: Extract<S2sEvent, { type: 'words' }>): void {
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

  /** Emits the final transcript; words of the same turn that arrive later are dropped. */
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
