import type { RecordingPause } from '../voice/conversation.ts';
import type { Listeners } from './listeners.ts';
import type { Recorder } from './recorder.ts';

/**
 * Pauses a call's recording while sensitive keys are expected, and at the agent's request. Listeners hear nothing
 * meanwhile.
 */
export class RecordingPauses {
  readonly #recorder: Pick<Recorder, 'pause' | 'resume'> | null;
  readonly #listeners: Pick<Listeners, 'mute'> | null;
  #pauses: readonly RecordingPause[] = [];
  #startedAt = 0;
  #isAsked = false;
  #isSensitive = false;
  #isMuted = false;

  constructor(
    recorder: Pick<Recorder, 'pause' | 'resume'> | null,
    listeners: Pick<Listeners, 'mute'> | null = null,
  ) {
    this.#recorder = recorder;
    this.#listeners = listeners;
  }

  start(at: number): void {
    this.#startedAt = at;
  }

  /** The pauses so far; the last one may be open. */
  get list(): readonly RecordingPause[] {
    return this.#pauses;
  }

  get isRecording(): boolean {
    return this.#recorder !== null;
  }

  /** The agent's tools pause and resume the recording. */
  ask(isPaused: boolean, at: number): void {
    this.#isAsked = isPaused;
    this.#follow(at);
  }

  hide(isSensitive: boolean, at: number): void {
    this.#isSensitive = isSensitive;
    this.#follow(at);
  }

  /** The end of the call ends an open pause. */
  end(at: number): void {
    this.#isAsked = false;
    this.hide(false, at);
  }

  #follow(at: number): void {
    const recorder = this.#recorder;
    const isWanted = this.#isAsked || this.#isSensitive;
    if (isWanted !== this.#isMuted) {
      this.#isMuted = isWanted;
      this.#listeners?.mute(isWanted);
    }
    if (recorder === null) return;
    const open = this.#pauses.at(-1);
    const isPaused = open !== undefined && open.toMs === null;
    if (isPaused === isWanted) return;
    const ms = Math.max(0, at - this.#startedAt);
    if (isPaused) {
      this.#pauses = [...this.#pauses.slice(0, -1), { fromMs: open.fromMs, toMs: ms }];
      recorder.resume();
    } else {
      this.#pauses = [...this.#pauses, { fromMs: ms, toMs: null }];
      recorder.pause();
    }
  }
}
