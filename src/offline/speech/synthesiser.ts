import { ScratchFolders } from '../../shared/scratch.ts';
import type { SampleRate } from '@callwright/audio';
import { type EngineEvent, type EngineRun, runEspeak, runFlite } from './engines.ts';
import { engineSlots, type Rank } from './engine-slots.ts';
import { type ClipEnd, type ClipEvent, SharedClip } from './shared-clip.ts';
import { hibariEngine } from './hibari/engine.ts';
import type { NaturalEngine } from './natural-engine.ts';
import { libraryEngine } from './library/engine.ts';
import { installedModel } from '../models/installed.ts';
import { clipsOf, engineBehind, type Synthesis, synthesisKey } from './synthesis.ts';
import { VOICE_PACKAGE } from './library/voices.ts';
import { chunkBytes, clipCache } from '../../providers/tts/clip-cache.ts';

/** Settings of a speech thread, given as its worker data. */
export interface SpeechThreadOptions {
  readonly cacheBytes: number;
  /** Engine processes at once. */
  readonly processes: number;
  readonly espeakCommand: string;
  readonly fliteCommand: string;
  /** MODELS_DIR, which may hold natural voices; absent: there are none. */
  readonly modelsDir?: string;
  /** The package of sherpa-onnx; tests replace it. */
  readonly voiceModule?: string;
}

export interface SpeechRequest {
  readonly synthesis: Synthesis;
  readonly sampleRate: SampleRate;
  /** `ahead`: only the first sentence is synthesised, for a call that is not answered yet. */
  readonly purpose: 'speak' | 'ahead';
  /** Until the audio is needed, ms; 0: the caller waits for it. */
  readonly inMs: number;
}

/** `reached`: this share of the text (0 to 1, by characters) is spoken in the first `audioMs` of the audio. */
export type SpeechEvent =
  | ClipEvent
  | { readonly type: 'reached'; readonly share: number; readonly audioMs: number };

/** Starts an engine; tests replace it. */
export type StartEngine = (synthesis: Synthesis, onEvent: (event: EngineEvent) => void) => EngineRun;

type Natural = Extract<Synthesis, { readonly engine: 'hibari' | 'library' }>;
const isNatural = (synthesis: Synthesis): synthesis is Natural =>
  synthesis.engine === 'hibari' || synthesis.engine === 'library';

/** The least time a phone rings: audio for a call that is not answered yet is due then. */
const RING_MS = 1000;

/**
 * Synthesises the speech of all calls of a process, clip by clip: one engine run per text and voice, however many calls
 * speak it; the first clip of a waiting caller before everything else; then by when the audio is needed.
 */
export class Synthesiser {
  readonly #cache;
  readonly #slots;
  readonly #start: StartEngine;
  readonly #now: () => number;
  readonly #live = new Map<string, SharedClip>();
  readonly #leave = new Set<() => void>();
  /** Hold the files of flite. */
  readonly #folders = new ScratchFolders('voice');
  readonly #natural: Readonly<Record<'hibari' | 'library', NaturalEngine>>;
  #fliteMissing = false;
  #runs = 0;

  constructor(
    options: SpeechThreadOptions,
    start: StartEngine | null = null,
    now: () => number = () => performance.now(),
    onFault: (message: string) => void = () => undefined,
  ) {
    const { modelsDir, espeakCommand, voiceModule = VOICE_PACKAGE } = options;
    const find = (id: string) => (modelsDir === undefined ? null : installedModel(modelsDir, id));
    const files = { module: voiceModule, espeakCommand };
    this.#natural = {
      hibari: hibariEngine({ find, onFault, now }),
      library: libraryEngine({
        find,
        files,
        onFault,
        now,
        ...(modelsDir === undefined ? {} : { modelsDir }),
      }),
    };
    this.#natural.hibari.warm('heart');
    this.#cache = clipCache(options.cacheBytes, chunkBytes);
    this.#slots = engineSlots(options.processes);
    this.#now = now;
    this.#start = start ?? this.#processes(options);
  }

  /** Streams the audio of a text; the last event is `done` or `failed`. Returns a function that cancels it. */
  speak(request: SpeechRequest, onEvent: (event: SpeechEvent) => void): () => void {
    const { sampleRate, purpose } = request;
    const clips = clipsOf(request.synthesis).filter(({ isFirst }) => isFirst || purpose === 'speak');
    let isOver = false;
    let leaveClip = (): void => undefined;
    const end = (): void => {
      isOver = true;
      this.#leave.delete(end);
      leaveClip();
    };
    this.#leave.add(end);
    /** Until then the audio so far keeps the caller supplied. */
    let playsUntil = this.#now() + (purpose === 'ahead' ? RING_MS : request.inMs);
    const isWaiting = purpose === 'speak' && request.inMs <= 0;

    const characters = clips.reduce((sum, clip) => sum + clip.synthesis.text.length, 0);
    let spoken = 0;
    let samples = 0;
    const send = (pcm: Int16Array): void => {
      samples += pcm.length;
      playsUntil = Math.max(playsUntil, this.#now()) + (pcm.length / sampleRate) * 1000;
      onEvent({ type: 'audio', pcm });
    };
    const speakFrom = (index: number): void => {
      const clip = clips[index];
      if (clip === undefined) {
        end();
        onEvent({ type: 'done' });
        return;
      }
      const rank = { waiting: isWaiting && index === 0, due: playsUntil };
      let hasLeft = false;
      const leave = this.#clip(clip.synthesis, sampleRate, rank, (event) => {
        if (isOver) return;
        if (event.type === 'audio') return send(event.pcm);
        hasLeft = true;
        if (event.type === 'failed') {
          end();
          return onEvent(event);
        }
        spoken += clip.synthesis.text.length;
        if (clips.length > 1 && purpose === 'speak') {
          onEvent({ type: 'reached', share: spoken / characters, audioMs: (samples / sampleRate) * 1000 });
        }
        const pause = Math.round((clip.pauseMs * sampleRate) / 1000);
        if (pause > 0 && index + 1 < clips.length) send(new Int16Array(pause));
        return speakFrom(index + 1);
      });
      if (!hasLeft) leaveClip = leave;
    };
    speakFrom(0);
    return end;
  }

  async close(): Promise<void> {
    for (const leave of this.#leave) leave();
    this.#folders.close();
    await Promise.all([this.#natural.hibari.close(), this.#natural.library.close()]);
  }

  #clip(
    wanted: Synthesis,
    sampleRate: SampleRate,
    rank: Rank,
    onEvent: (event: ClipEvent) => void,
  ): () => void {
    const isAbsent = isNatural(wanted) && !this.#natural[wanted.engine].isUsable(wanted.voice);
    const synthesis = isAbsent ? engineBehind(wanted) : wanted;
    const key = synthesisKey(synthesis, sampleRate);
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      for (const pcm of cached) onEvent({ type: 'audio', pcm });
      onEvent({ type: 'done' });
      return () => undefined;
    }
    let clip = this.#live.get(key);
    if (clip === undefined) {
      clip = this.#open(synthesis, sampleRate, rank, key);
      this.#live.set(key, clip);
    }
    return clip.listen(rank, onEvent);
  }

  #open(synthesis: Synthesis, sampleRate: SampleRate, rank: Rank, key: string): SharedClip {
    let used = synthesis;
    const onEnd = (end: ClipEnd): boolean => {
      if (end.type === 'missing' && used.engine !== 'espeak') {
        if (used.engine === 'flite') this.#fliteMissing = true;
        used = engineBehind(used);
        return true;
      }
      this.#live.delete(key);
      // What another voice spoke in the place of a natural one is not kept for it.
      const isOwn = !isNatural(synthesis) || used.engine === synthesis.engine;
      if (end.type === 'done' && isOwn) this.#cache.put(key, end.chunks);
      return false;
    };
    return new SharedClip({
      sampleRate,
      slots: this.#slots,
      rank,
      start: (onEvent) => {
        if (used.engine === 'flite' && this.#fliteMissing) used = engineBehind(used);
        return this.#start(used, onEvent);
      },
      onEnd,
    });
  }

  #processes(options: SpeechThreadOptions): StartEngine {
    const directory = (): string => this.#folders.path;
    return (synthesis, onEvent) => {
      if (isNatural(synthesis)) return this.#natural[synthesis.engine].run(synthesis, onEvent);
      if (synthesis.engine === 'espeak') {
        return runEspeak({ ...synthesis, command: options.espeakCommand }, onEvent);
      }
      const name = String(++this.#runs);
      return runFlite({ ...synthesis, directory, name, command: options.fliteCommand }, onEvent);
    };
  }
}
