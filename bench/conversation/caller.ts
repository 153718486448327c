import { type DtmfDigit, peak } from '@callwright/audio';
import type { MediaSink } from '@callwright/rtp';

/** Samples above this level count as speech; silence is zero. */
const LOUD = 300;
const FRAME_MS = 20;
/** A silence of the agent of this length after a backchannel is a stop, within WATCHED_MS of it. */
const HOLE_MS = 120;
const WATCHED_MS = 2_000;
/** Into the agent's speech, and between two backchannels. */
const TALKED_MS = 2_600;
const APART_MS = 3_500;

export interface Timing {
  /** Last speech sample sent → first agent packet with sound, ms. */
  readonly reactions: number[];
  /** First interrupting sample sent → last agent packet with sound, ms. */
  readonly stops: number[];
  /** First interrupting sample sent → last agent packet within 12 dB of its level before, ms. */
  readonly yields: number[];
  /** Backchannels said over the agent's speech, and those after which it paused or stopped. */
  backchannels: number;
  falseStops: number;
  questions: number;
  framesIn: number;
  /** Inter-arrival times of the agent's packets, ms. */
  readonly intervals: number[];
}

export interface CallerOptions {
  readonly question: Int16Array;
  readonly interruption: Int16Array | null;
  readonly backchannel?: Int16Array | null;
  /** Length of the agent's reply, whose end is no stop: backchannels come well before it. */
  readonly replyMs?: number;
  readonly timing: Timing;
  /** Times of the first question and after the last one, on the monotonic clock. */
  readonly firstAt: number;
  readonly stopAt: number;
}

/**
 * One caller: waits for silence, asks, times the answer; with an interruption it talks into a long answer and times the
 * stop, with a backchannel it listens whether the answer goes on. Speech is sent as 20 ms frames by the wheel; times are taken where packets leave and arrive.
 */
export class Caller implements MediaSink {
  readonly #question: Int16Array;
  readonly #interruption: Int16Array | null;
  readonly #backchannel: Int16Array | null;
  readonly #replyMs: number;
  readonly #timing: Timing;
  readonly #stopAt: number;
  #playing: Int16Array | null = null;
  #offset = 0;
  #speechEndAt: number | null = null;
  #bargeAt: number | null = null;
  #backchannelAt: number | null = null;
  #isFalseStop = false;
  #agentSince: number | null = null;
  #agentLast = 0;
  #agentPeak = 0;
  #agentLoudLast = 0;
  #nextAt: number;
  #lastIn = 0;

  constructor(options: CallerOptions) {
    this.#question = options.question;
    this.#interruption = options.interruption;
    this.#backchannel = options.backchannel ?? null;
    this.#replyMs = options.replyMs ?? Infinity;
    this.#timing = options.timing;
    this.#nextAt = options.firstAt;
    this.#stopAt = options.stopAt;
  }

  onAudio(pcm: Int16Array): void {
    const now = performance.now();
    this.#timing.framesIn++;
    if (this.#lastIn > 0) this.#timing.intervals.push(now - this.#lastIn);
    this.#lastIn = now;
    const level = peak(pcm);
    if (level < LOUD) return this.#watch(now);
    this.#agentLast = now;
    if (this.#bargeAt === null) this.#agentPeak = Math.max(this.#agentPeak, level);
    if (level > this.#agentPeak / 4) this.#agentLoudLast = now;
    this.#agentSince ??= now;
    if (this.#speechEndAt !== null && this.#playing === null) {
      this.#timing.reactions.push(now - this.#speechEndAt);
      this.#speechEndAt = null;
    }
  }

  fill(out: Int16Array): boolean {
    const now = performance.now();
    const isQuiet = now - this.#agentLast > 700;
    if (isQuiet && this.#bargeAt !== null) {
      this.#timing.stops.push(this.#agentLast - this.#bargeAt);
      this.#timing.yields.push(this.#agentLoudLast - this.#bargeAt);
      this.#bargeAt = null;
    }
    if (isQuiet) this.#agentSince = null;
    if (this.#playing === null) this.#decide(now, isQuiet);
    const clip = this.#playing;
    if (clip === null) return false;
    const part = clip.subarray(this.#offset, this.#offset + out.length);
    out.fill(0);
    out.set(part);
    this.#offset += out.length;
    if (this.#offset >= clip.length) {
      if (clip === this.#question) this.#speechEndAt = now + (part.length / out.length) * FRAME_MS - FRAME_MS;
      this.#playing = null;
      this.#nextAt = now + 1500;
    }
    return true;
  }

  /** Whether the agent, who speaks without pauses, has stopped for a backchannel. */
  #watch(now: number): void {
    if (this.#backchannelAt === null || this.#isFalseStop || now - this.#agentLast < HOLE_MS) return;
    if (now - this.#backchannelAt > WATCHED_MS) return;
    this.#isFalseStop = true;
    this.#timing.falseStops++;
  }

  onDtmf(_digit: DtmfDigit): void {}
  onMediaTimeout(): void {}

  #decide(now: number, isQuiet: boolean): void {
    if (now > this.#stopAt) return;
    const talksFor = this.#agentSince === null ? 0 : now - this.#agentSince;
    if (
      this.#interruption !== null &&
      this.#speechEndAt === null &&
      talksFor > TALKED_MS &&
      this.#bargeAt === null
    ) {
      this.#playing = this.#interruption;
      this.#offset = 0;
      this.#bargeAt = now;
      return;
    }
    const isApart = this.#backchannelAt === null || now - this.#backchannelAt > APART_MS;
    const goesOn = talksFor + WATCHED_MS + HOLE_MS < this.#replyMs;
    if (this.#backchannel !== null && talksFor > TALKED_MS && isApart && goesOn && !isQuiet) {
      this.#playing = this.#backchannel;
      this.#offset = 0;
      this.#backchannelAt = now;
      this.#isFalseStop = false;
      this.#timing.backchannels++;
      return;
    }
    if (!isQuiet || now < this.#nextAt || this.#speechEndAt !== null) return;
    this.#playing = this.#question;
    this.#offset = 0;
    this.#timing.questions++;
  }
}
