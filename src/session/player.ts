import { type Ambience, type Loop, type SampleRate, mixLoop, officeAmbience } from '@callwright/audio';
import {
  type FrameQueue,
  applyGain,
  applyRamp,
  createFrameQueue,
  gainOfDb,
  pushPcm,
  readFrame,
  truncate,
} from '@callwright/audio';
import type { Heard, TtsMark } from '@callwright/turns';
import { SpeechTrack } from './speech-track.ts';
import { speechMsOf, weightOf, wordPlaces, type SpokenForm } from './word-places.ts';

interface Utterance {
  readonly id: number;
  readonly replyId: number;
  readonly form: SpokenForm;
  readonly pcm: FrameQueue;
  readonly track: SpeechTrack;
  marks: TtsMark[];
  /** Audio that was sent although a cut made it void: later places in the audio are this much later, ms. */
  voidMs: number;
  total: number;
  played: number;
  complete: boolean;
  started: boolean;
}

/** The lowered voice, and the frames in which it is lowered and raised. */
const LOW = gainOfDb(-20);
const LOWERING_FRAMES = 1;
const RAISING_FRAMES = 4;

export interface PlayerEvents {
  onStarted(utteranceId: number, at: number): void;
  onEnded(utteranceId: number, at: number): void;
}

/**
 * The queue of synthesised sentences. A reply's sentences are held until the reply is released, so that a prepared reply
 * can be dropped unheard. The wheel calls `fill` every 20 ms; the frames it returns are exactly what was sent.
 */
export class Player {
  readonly #samplesPerMs: number;
  readonly #events: PlayerEvents;
  readonly #queue: Utterance[] = [];
  readonly #byId = new Map<number, Utterance>();
  readonly #released = new Set<number>();
  #gain = 1;
  #isLow = false;
  /** Of the whole utterances of the call: speech without pauses, and the length of their text. */
  #speechMs = 0;
  #weight = 0;

  constructor(sampleRate: number, events: PlayerEvents) {
    this.#samplesPerMs = sampleRate / 1000;
    this.#events = events;
  }

  /** `form`: the words of the utterance. */
  add(replyId: number, utteranceId: number, form: SpokenForm): void {
    const utterance: Utterance = {
      id: utteranceId,
      replyId,
      form,
      pcm: createFrameQueue(),
      track: new SpeechTrack(this.#samplesPerMs),
      marks: [],
      voidMs: 0,
      total: 0,
      played: 0,
      complete: false,
      started: false,
    };
    this.#queue.push(utterance);
    this.#byId.set(utteranceId, utterance);
  }

  /** Appends PCM; ignored for a dropped utterance. */
  push(utteranceId: number, pcm: Int16Array): void {
    const utterance = this.#byId.get(utteranceId);
    if (utterance === undefined || pcm.length === 0) return;
    pushPcm(utterance.pcm, pcm);
    utterance.track.push(pcm);
    utterance.total += pcm.length;
  }

  mark(utteranceId: number, marks: readonly TtsMark[]): void {
    const utterance = this.#byId.get(utteranceId);
    if (utterance === undefined) return;
    const { voidMs } = utterance;
    utterance.marks.push(...marks.map(({ textEnd, audioMs }) => ({ textEnd, audioMs: audioMs + voidMs })));
  }

  /** Drops the audio after `audioMs` that was not sent yet. */
  cut(utteranceId: number, audioMs: number): void {
    const utterance = this.#byId.get(utteranceId);
    if (utterance === undefined) return;
    const atMs = audioMs + utterance.voidMs;
    const playedMs = utterance.played / this.#samplesPerMs;
    const kept = Math.max(utterance.played, Math.round(atMs * this.#samplesPerMs));
    truncate(utterance.pcm, kept - utterance.played);
    utterance.total = Math.min(utterance.total, kept);
    utterance.track.cut(utterance.total / this.#samplesPerMs);
    utterance.marks = utterance.marks.filter((mark) => mark.audioMs <= atMs);
    utterance.voidMs += Math.max(0, playedMs - atMs);
  }

  complete(utteranceId: number): void {
    const utterance = this.#byId.get(utteranceId);
    if (utterance === undefined) return;
    utterance.complete = true;
    this.#speechMs += speechMsOf({
      totalMs: utterance.total / this.#samplesPerMs,
      pauses: utterance.track.pauses(),
    });
    this.#weight += weightOf(utterance.form.text);
  }

  release(replyId: number): void {
    this.#released.add(replyId);
  }

  isReleased(replyId: number): boolean {
    return this.#released.has(replyId);
  }

  /** Drops one utterance whose synthesis failed. */
  drop(utteranceId: number): void {
    const index = this.#queue.findIndex((u) => u.id === utteranceId);
    const utterance = this.#queue[index];
    if (utterance === undefined) return;
    this.#queue.splice(index, 1);
    this.#byId.delete(utteranceId);
  }

  /** Drops every utterance of a reply. */
  cancel(replyId: number): void {
    for (let i = this.#queue.length - 1; i >= 0; i--) {
      const utterance = this.#queue[i];
      if (utterance?.replyId !== replyId) continue;
      this.#queue.splice(i, 1);
      this.#byId.delete(utterance.id);
    }
    this.#released.delete(replyId);
  }

  /** Lowers the voice while the caller may be interrupting, or raises it again. */
  lower(isLow: boolean): void {
    this.#isLow = isLow;
  }

  /** Drops every released utterance; returns how much of each was heard: sent, and no longer among the last `unplayedMs`. */
  stop(unplayedMs = 0): Heard[] {
    this.#isLow = false;
    this.#gain = 1;
    const heard: Heard[] = [];
    for (let i = this.#queue.length - 1; i >= 0; i--) {
      const utterance = this.#queue[i];
      if (utterance === undefined || !this.#released.has(utterance.replyId)) continue;
      heard.push(this.#heard(utterance, unplayedMs));
      this.#queue.splice(i, 1);
      this.#byId.delete(utterance.id);
    }
    this.#released.clear();
    return heard.sort((a, b) => a.utteranceId - b.utteranceId);
  }

  /** True while a released utterance is queued or playing. */
  get isBusy(): boolean {
    const head = this.#queue[0];
    return head !== undefined && this.#released.has(head.replyId);
  }

  /** Fills one frame, padded with silence; false when there is nothing to play. */
  fill(out: Int16Array, at: number): boolean {
    let filled = 0;
    while (filled < out.length) {
      const utterance = this.#queue[0];
      if (utterance === undefined || !this.#released.has(utterance.replyId)) break;
      if (utterance.played < utterance.total) {
        if (!utterance.started) {
          utterance.started = true;
          this.#events.onStarted(utterance.id, at);
          // The listener may have stopped or dropped it.
          if (this.#queue[0] !== utterance) continue;
        }
        const read = readFrame(utterance.pcm, filled === 0 ? out : out.subarray(filled));
        utterance.played += read;
        filled += read;
        if (utterance.played < utterance.total) continue;
      }
      if (!utterance.complete) break;
      this.#queue.shift();
      this.#byId.delete(utterance.id);
      this.#events.onEnded(utterance.id, at);
    }
    if (filled === 0) return false;
    if (filled < out.length) out.fill(0, filled);
    this.#shape(out);
    return true;
  }

  /** Applies the gain of the lowered voice, in a ramp that does not click. */
  #shape(out: Int16Array): void {
    const target = this.#isLow ? LOW : 1;
    const before = this.#gain;
    if (before === target) {
      if (target !== 1) applyGain(out, target);
      return;
    }
    const step = (1 - LOW) / (this.#isLow ? LOWERING_FRAMES : RAISING_FRAMES);
    this.#gain = this.#isLow ? Math.max(LOW, before - step) : Math.min(1, before + step);
    applyRamp(out, before, this.#gain);
  }

  #heard(utterance: Utterance, unplayedMs: number): Heard {
    const { id, form, track, played, total, complete } = utterance;
    const totalMs = Math.round(total / this.#samplesPerMs);
    const marks = wordPlaces(form, {
      totalMs,
      complete,
      pauses: track.pauses(),
      marks: utterance.marks,
      paceMs: this.#weight === 0 ? null : this.#speechMs / this.#weight,
    });
    return {
      utteranceId: id,
      playedMs: Math.max(0, Math.round(played / this.#samplesPerMs - unplayedMs)),
      totalMs,
      complete,
      ...(marks.length === 0 ? {} : { marks }),
    };
  }
}

/** Office ambience under the agent's voice and between its words, at constant volume. Mixed into sent audio only. */
export class Background {
  readonly #ambience: Ambience;
  readonly #loop: Loop;
  readonly #gain: number;

  constructor(rate: SampleRate, volume: number) {
    this.#ambience = officeAmbience(rate);
    this.#loop = { pcm: this.#ambience.pcm, place: 0 };
    this.#gain = volume;
  }

  /** Mixes the next stretch into a frame; a frame without voice is cleared first. */
  mix(frame: Int16Array, hasVoice: boolean): void {
    if (!hasVoice) frame.fill(0);
    this.#ambience.reach(this.#loop.place + frame.length);
    mixLoop(frame, this.#loop, this.#gain);
  }
}
