import { rmSync } from 'node:fs';
import type { EngineEvent, EngineRun } from './engine.ts';
import { runEspeak } from './espeak.ts';
import { runFlite } from './flite.ts';
import type { FromSpeechThread, SpeechThreadOptions, ToSpeechThread } from './protocol.ts';
import { openScratchFolder } from './scratch-folder.ts';
import { slots } from './slots.ts';
import { speechAudio } from './speech-audio.ts';
import { synthesisKey, type Synthesis } from './synthesis.ts';
import { utteranceCache } from './utterance-cache.ts';

type Speak = Extract<ToSpeechThread, { type: 'speak' }>;

/** Runs engine processes for one speech thread: bounded at once, cached, cancellable. */
export class Synthesiser {
  readonly #options: SpeechThreadOptions;
  readonly #post: (event: FromSpeechThread) => void;
  readonly #cache;
  readonly #espeakSlots;
  readonly #fliteSlots;
  readonly #live = new Map<number, () => void>();
  readonly #directory: string;
  #fliteMissing = false;

  constructor(options: SpeechThreadOptions, post: (event: FromSpeechThread) => void) {
    this.#options = options;
    this.#post = post;
    this.#cache = utteranceCache(options.cacheBytes);
    this.#espeakSlots = slots(options.espeakAtOnce);
    this.#fliteSlots = slots(options.fliteAtOnce);
    this.#directory = openScratchFolder();
  }

  handle(message: ToSpeechThread): void {
    if (message.type === 'speak') this.#speak(message);
    else {
      this.#live.get(message.id)?.();
      this.#live.delete(message.id);
    }
  }

  close(): void {
    for (const stop of this.#live.values()) stop();
    this.#live.clear();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #speak(request: Speak): void {
    const key = synthesisKey(request.synthesis, request.sampleRate);
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      for (const chunk of cached) this.#post({ type: 'audio', id: request.id, pcm: chunk.slice() });
      this.#post({ type: 'done', id: request.id });
      return;
    }
    this.#run(request, request.synthesis, key);
  }

  #run(request: Speak, synthesis: Synthesis, key: string): void {
    if (synthesis.engine === 'flite' && this.#fliteMissing) {
      this.#run(request, espeakInstead(synthesis), key);
      return;
    }
    const kept: Int16Array[] = [];
    const audio = speechAudio(request.sampleRate);
    const send = (chunks: readonly Int16Array[]): void => {
      for (const chunk of chunks) {
        kept.push(chunk);
        this.#post({ type: 'audio', id: request.id, pcm: chunk.slice() });
      }
    };
    const pool = synthesis.engine === 'flite' ? this.#fliteSlots : this.#espeakSlots;
    let run: EngineRun | null = null;
    let giveBack = (): void => undefined;
    const turn = pool.take((release) => {
      giveBack = release;
      run = this.#start(synthesis, request.id, (event) => {
        if (event.type === 'samples') {
          send(audio.push(event.pcm, event.sampleRate));
          return;
        }
        release();
        this.#live.delete(request.id);
        if (event.type === 'missing' && synthesis.engine === 'flite') {
          this.#fliteMissing = true;
          this.#run(request, espeakInstead(synthesis), key);
        } else if (event.type === 'done') {
          send(audio.end());
          this.#cache.put(key, kept);
          this.#post({ type: 'done', id: request.id });
        } else {
          const message = event.type === 'missing' ? 'espeak-ng is not installed' : event.message;
          this.#post({ type: 'failed', id: request.id, message, retryable: event.type === 'failed' });
        }
      });
    });
    this.#live.set(request.id, () => {
      turn.cancel();
      run?.stop();
      giveBack();
    });
  }

  #start(synthesis: Synthesis, id: number, onEvent: (event: EngineEvent) => void): EngineRun {
    if (synthesis.engine === 'flite') {
      const { fliteCommand: command } = this.#options;
      return runFlite({ ...synthesis, directory: this.#directory, name: String(id), command }, onEvent);
    }
    return runEspeak({ ...synthesis, command: this.#options.espeakCommand }, onEvent);
  }
}

const espeakInstead = (synthesis: Extract<Synthesis, { engine: 'flite' }>): Synthesis => ({
  engine: 'espeak',
  voice: synthesis.instead,
  speed: synthesis.speed,
  text: synthesis.text,
});
