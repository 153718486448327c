/** What a run of an engine reports; exactly one of done, missing or failed ends it, none after `stop`. */
export type EngineEvent =
  | { readonly type: 'samples'; readonly pcm: Int16Array; readonly sampleRate: number }
  | { readonly type: 'done' }
  /** The program is not installed. */
  | { readonly type: 'missing' }
  | { readonly type: 'failed'; readonly message: string };

/** A run that can be stopped; stopping kills the process and silences the run. */
export interface EngineRun {
  stop(): void;
}

/** An engine process that makes nothing for this long is broken. */
export const ENGINE_TIMEOUT_MS = 10_000;
/** Longest audio taken of one utterance, seconds. */
export const MAX_UTTERANCE_SECONDS = 180;
