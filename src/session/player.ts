import { createFrameQueue, pushPcm, readFrame, type FrameQueue } from '../voice/audio/frame-queue.ts';
import type { Heard } from '../voice/turn/types.ts';

interface Utterance {
  readonly id: number;
  readonly replyId: number;
  readonly pcm: FrameQueue;
  total: number;
  played: number;
  complete: boolean;
  started: boolean;
}

export interface PlayerEvents {
  onStarted(utteranceId: number, at: number): void;
  onEnded(utteranceId: number, at: number): void;
}

/**
 * What the agent says next, sentence after sentence. Replies are held until released, so that a prepared one
 * costs nothing when the caller goes on talking; `fill` is pulled by the pacer once every 20 ms, and what it
 * hands out is exactly what was heard.
 */
export class Player {
  readonly #samplesPerMs: number;
  readonly #events: PlayerEvents;
  readonly #queue: Utterance[] = [];
  readonly #byId = new Map<number, Utterance>();
  readonly #released = new Set<number>();

  constructor(sampleRate: number, events: PlayerEvents) {
    this.#samplesPerMs = sampleRate / 1000;
    this.#events = events;
  }

  add(replyId: number, utteranceId: number): void {
    const utterance: Utterance = {
      id: utteranceId,
      replyId,
      pcm: createFrameQueue(),
      total: 0,
      played: 0,
      complete: false,
      started: false,
    };
    this.#queue.push(utterance);
    this.#byId.set(utteranceId, utterance);
  }

  /** Appends PCM; ignored for an utterance that was dropped meanwhile. */
  push(utteranceId: number, pcm: Int16Array): void {
    const utterance = this.#byId.get(utteranceId);
    if (utterance === undefined || pcm.length === 0) return;
    pushPcm(utterance.pcm, pcm);
    utterance.total += pcm.length;
  }

  complete(utteranceId: number): void {
    const utterance = this.#byId.get(utteranceId);
    if (utterance !== undefined) utterance.complete = true;
  }

  release(replyId: number): void {
    this.#released.add(replyId);
  }

  isReleased(replyId: number): boolean {
    return this.#released.has(replyId);
  }

  /** Drops one utterance (its synthesis failed). */
  drop(utteranceId: number): void {
    const index = this.#queue.findIndex((u) => u.id === utteranceId);
    const utterance = this.#queue[index];
    if (utterance === undefined) return;
    this.#queue.splice(index, 1);
    this.#byId.delete(utteranceId);
  }

  /** Drops everything of a reply that has not been released. */
  cancel(replyId: number): void {
    for (let i = this.#queue.length - 1; i >= 0; i--) {
      const utterance = this.#queue[i];
      if (utterance?.replyId !== replyId) continue;
      this.#queue.splice(i, 1);
      this.#byId.delete(utterance.id);
    }
    this.#released.delete(replyId);
  }

  /** Silence at once. Returns what was put on the wire of every released utterance that has not ended. */
  stop(): Heard[] {
    const heard: Heard[] = [];
    for (let i = this.#queue.length - 1; i >= 0; i--) {
      const utterance = this.#queue[i];
      if (utterance === undefined || !this.#released.has(utterance.replyId)) continue;
      heard.push(this.#heard(utterance));
      this.#queue.splice(i, 1);
      this.#byId.delete(utterance.id);
    }
    this.#released.clear();
    return heard.sort((a, b) => a.utteranceId - b.utteranceId);
  }

  /** True while something released is queued or sounding. */
  get isBusy(): boolean {
    const head = this.#queue[0];
    return head !== undefined && this.#released.has(head.replyId);
  }

  /** Fills one frame; false when there is nothing to play now. The rest of a short last chunk is silence. */
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
    return true;
  }

  #heard(utterance: Utterance): Heard {
    return {
      utteranceId: utterance.id,
      playedMs: Math.round(utterance.played / this.#samplesPerMs),
      totalMs: Math.round(utterance.total / this.#samplesPerMs),
      complete: utterance.complete,
    };
  }
}
