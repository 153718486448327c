import type { EngineEvent, EngineRun } from './engines.ts';
import { moreUrgent, type EngineSlots, type Rank, type Turn } from './engine-slots.ts';
import { speechAudio } from './speech-audio.ts';

export type ClipEvent =
  | { readonly type: 'audio'; readonly pcm: Int16Array }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly message: string; readonly retryable: boolean };

export type ClipEnd =
  | { readonly type: 'done'; readonly chunks: readonly Int16Array[] }
  | { readonly type: 'missing' }
  | { readonly type: 'failed' }
  /** Its last listener left. */
  | { readonly type: 'dropped' };

export interface ClipOptions {
  readonly sampleRate: number;
  readonly slots: EngineSlots;
  readonly rank: Rank;
  start(onEvent: (event: EngineEvent) => void): EngineRun;
  /** Runs once, before the listeners' last event. True: the clip starts again, with another engine. */
  onEnd(end: ClipEnd): boolean;
}

/**
 * One engine run whose audio goes to every call that speaks the same text. A late listener gets the audio so far at once;
 * the run stops when its last listener leaves.
 */
export class SharedClip {
  readonly #options: ClipOptions;
  readonly #listeners = new Set<(event: ClipEvent) => void>();
  #rank: Rank;
  #chunks: Int16Array[] = [];
  #turn: Turn;
  #run: EngineRun | null = null;
  #release: () => void = () => undefined;
  #isOver = false;

  constructor(options: ClipOptions) {
    this.#options = options;
    this.#rank = options.rank;
    this.#turn = this.#queue();
  }

  /** Returns a function that leaves the clip; no event follows it. */
  listen(rank: Rank, onEvent: (event: ClipEvent) => void): () => void {
    // A new function, so that the same one may listen twice.
    const listener = (event: ClipEvent): void => onEvent(event);
    this.#rank = moreUrgent(rank, this.#rank);
    this.#turn.raise(this.#rank);
    this.#listeners.add(listener);
    for (const pcm of this.#chunks) if (this.#listeners.has(listener)) listener({ type: 'audio', pcm });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#drop();
    };
  }

  #queue(): Turn {
    const { slots, sampleRate } = this.#options;
    return slots.take(this.#rank, (release) => {
      this.#release = release;
      const audio = speechAudio(sampleRate);
      this.#run = this.#options.start((event) => {
        if (this.#isOver) return;
        if (event.type === 'samples') {
          this.#add(audio.push(event.pcm, event.sampleRate));
          return;
        }
        release();
        if (event.type === 'done') this.#add(audio.end());
        this.#end(event);
      });
    });
  }

  #add(chunks: readonly Int16Array[]): void {
    for (const pcm of chunks) {
      this.#chunks.push(pcm);
      this.#tell({ type: 'audio', pcm });
    }
  }

  #end(event: Exclude<EngineEvent, { type: 'samples' }>): void {
    const again = this.#options.onEnd(event.type === 'done' ? { type: 'done', chunks: this.#chunks } : event);
    if (again) {
      this.#chunks = [];
      this.#turn = this.#queue();
      return;
    }
    this.#isOver = true;
    if (event.type === 'done') this.#tell({ type: 'done' });
    else {
      const message = event.type === 'missing' ? 'espeak-ng is not installed' : event.message;
      this.#tell({ type: 'failed', message, retryable: event.type === 'failed' });
    }
    this.#listeners.clear();
  }

  #drop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#turn.cancel();
    this.#run?.stop();
    this.#release();
    this.#options.onEnd({ type: 'dropped' });
  }

  #tell(event: ClipEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
