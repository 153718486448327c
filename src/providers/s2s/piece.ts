import type { TtsEvent } from '../ports/voice.ts';
import type { VendorFault } from '../wire/fault.ts';

/** Words of a reply with their audio, kept in case the agent resumes an interrupted reply. */
export class Piece {
  readonly text: string;
  /** Its playback has started. */
  isTaken = false;
  readonly #audio: Int16Array[] = [];
  #samples = 0;
  #last: TtsEvent | null = null;
  #follower: ((event: TtsEvent) => void) | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get samples(): number {
    return this.#samples;
  }

  push(pcm: Int16Array): void {
    if (pcm.length === 0 || this.#last !== null) return;
    this.#audio.push(pcm);
    this.#samples += pcm.length;
    this.#follower?.({ type: 'audio', pcm });
  }

  /** No audio follows. */
  end(): void {
    this.#close({ type: 'done' });
  }

  fail(fault: VendorFault): void {
    const { message, retryable } = fault;
    this.#close({ type: 'failed', message, retryable, fault });
  }

  /** Replays the audio from this share on, then streams the rest; returns the function that stops it. */
  follow(share: number, onEvent: (event: TtsEvent) => void): () => void {
    this.isTaken = true;
    let skip = Math.round(this.#samples * share);
    for (const pcm of this.#audio) {
      const from = Math.min(skip, pcm.length);
      skip -= from;
      if (from < pcm.length) onEvent({ type: 'audio', pcm: pcm.slice(from) });
    }
    if (this.#last !== null) {
      onEvent(this.#last);
      return () => undefined;
    }
    this.#follower = onEvent;
    return () => {
      if (this.#follower === onEvent) this.#follower = null;
    };
  }

  #close(event: TtsEvent): void {
    if (this.#last !== null) return;
    this.#last = event;
    this.#follower?.(event);
    this.#follower = null;
  }
}
