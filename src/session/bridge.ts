import { clearQueue, createFrameQueue, pushPcm, readFrame } from '../voice/audio/frame-queue.ts';
import type { DtmfDigit, MediaLeg, MediaSink, MediaStats, TtsSession } from '../voice/ports.ts';
import { FrameRelay } from './frame-relay.ts';

export interface BridgeDeps {
  /** The leg of the person the caller is handed to. */
  readonly leg: MediaLeg;
  /** The agent's voice, for the briefing. */
  readonly tts: TtsSession;
  /** What that person is told before the caller is connected; empty: nothing. */
  readonly briefing: string;
  /** The agent is still talking to the caller. */
  isSpeaking(): boolean;
  /** Keys of that person, for the caller. */
  onKey(digit: DtmfDigit): void;
  onConnected(at: number): void;
  /** That person's side sends nothing any more. */
  onLost(at: number): void;
}

/** A briefing, and the wait for its voice, takes no longer. */
const BRIEFING_MS = 30_000;
/** The agent may end its sentence to the caller so long. */
const LAST_WORD_MS = 4_000;

/**
 * The second leg of a call: the person the caller is handed to. It rings, hears the briefing alone, and is then one
 * with the caller: frames and keys of each go to the other, each leg with its own codec and clock.
 */
export class Bridge implements MediaSink {
  readonly #deps: BridgeDeps;
  readonly #toCaller: FrameRelay;
  readonly #toTarget: FrameRelay;
  readonly #briefing = createFrameQueue();
  readonly #speech = new AbortController();
  #phase: 'ringing' | 'briefing' | 'connected' | 'over' = 'ringing';
  #isBriefingMade = false;
  #answeredAt = 0;
  /** The person has heard what they are told. */
  #toldAt: number | null = null;

  /** The briefing is made while the leg rings. */
  constructor(deps: BridgeDeps) {
    this.#deps = deps;
    this.#toCaller = new FrameRelay(deps.leg.sampleRate);
    this.#toTarget = new FrameRelay(deps.leg.sampleRate);
    if (deps.briefing === '') {
      this.#isBriefingMade = true;
      return;
    }
    deps.tts.speak(deps.briefing, this.#speech.signal, (event) => {
      if (this.#speech.signal.aborted) return;
      if (event.type === 'audio') pushPcm(this.#briefing, event.pcm);
      // A voice that fails costs the briefing, not the transfer.
      else this.#isBriefingMade = true;
    });
  }

  /** The person has taken the call. */
  answered(at: number): void {
    if (this.#phase !== 'ringing') return;
    this.#phase = 'briefing';
    this.#answeredAt = at;
    this.#deps.leg.start(this);
  }

  /** What the caller says. */
  hear(pcm: Int16Array): void {
    if (this.#phase === 'connected') this.#toTarget.push(pcm);
  }

  /** What the caller presses. */
  press(digit: DtmfDigit): void {
    if (this.#phase === 'connected') this.#deps.leg.sendDtmf([digit]);
  }

  /** The next 20 ms for the caller; false when there is nothing. */
  take(out: Int16Array): boolean {
    return this.#phase === 'connected' && this.#toCaller.take(out);
  }

  onAudio(pcm: Int16Array): void {
    if (this.#phase === 'connected') this.#toCaller.push(pcm);
  }

  fill(out: Int16Array, at: number): boolean {
    if (this.#phase === 'briefing') {
      if (at - this.#answeredAt < BRIEFING_MS && readFrame(this.#briefing, out) > 0) return true;
      if (this.#isTold(at)) this.#toldAt ??= at;
      if (this.#mayConnect(at)) this.#connect(at);
    }
    return this.#phase === 'connected' && this.#toTarget.take(out);
  }

  onDtmf(digit: DtmfDigit): void {
    if (this.#phase === 'connected') this.#deps.onKey(digit);
  }

  onMediaTimeout(at: number): void {
    if (this.#phase !== 'over') this.#deps.onLost(at);
  }

  /** Gives what the leg's audio was like; null when nobody took the call, or it was given before. */
  close(): MediaStats | null {
    const wasTaken = this.#phase === 'briefing' || this.#phase === 'connected';
    this.#phase = 'over';
    this.#speech.abort();
    clearQueue(this.#briefing);
    return wasTaken ? this.#deps.leg.stats() : null;
  }

  #isTold(at: number): boolean {
    const isHeard = this.#isBriefingMade && this.#briefing.length === 0;
    return isHeard || at - this.#answeredAt >= BRIEFING_MS;
  }

  #mayConnect(at: number): boolean {
    return this.#toldAt !== null && (!this.#deps.isSpeaking() || at - this.#toldAt >= LAST_WORD_MS);
  }

  #connect(at: number): void {
    this.#phase = 'connected';
    this.#speech.abort();
    this.#deps.onConnected(at);
  }
}
