import { clearQueue, createFrameQueue, pushPcm, readFrame } from '@callwright/audio';
import type { TtsContext, TtsSession } from '../providers/ports/voice.ts';

/** Limit of an announcement, with its synthesis. */
const LONGEST_MS = 15_000;

/** A sentence in the agent's voice that the caller hears before somebody joins them. */
export class Announcement {
  readonly #speech: TtsContext;
  readonly #queue = createFrameQueue();
  readonly #endsAt: number;
  #isSynthesised = false;

  constructor(tts: TtsSession, text: string, at: number) {
    this.#endsAt = at + LONGEST_MS;
    this.#speech = tts.begin();
    this.#speech.say(text, (event) => {
      if (event.type === 'audio') pushPcm(this.#queue, event.pcm);
      else if (event.type === 'done' || event.type === 'failed') this.#isSynthesised = true;
    });
    this.#speech.end();
  }

  /** Fills the next frame; false: nothing is to be heard. */
  take(out: Int16Array): boolean {
    return readFrame(this.#queue, out) > 0;
  }

  /** The caller has heard it, or it took too long. */
  isOver(at: number): boolean {
    return (this.#isSynthesised && this.#queue.length === 0) || at >= this.#endsAt;
  }

  close(): void {
    this.#speech.cancel();
    clearQueue(this.#queue);
  }
}
