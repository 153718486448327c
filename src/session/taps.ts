import type { RecordingPause } from '../voice/conversation.ts';
import type { MediaSink } from '@callwright/rtp';
import type { ProcessorMeter } from './processor-meter.ts';
import type { Recorder } from './recorder.ts';

/** Where a listener's audio goes. Must not block, and may drop what its connection does not take. */
export interface ListenerOut {
  /** 20 ms of interleaved PCM16: caller left, agent right. */
  send(stereo: Int16Array): void;
}

/** Frames of the caller that wait for the agent's clock: the jitter of their arrival. */
const MOST_WAITING = 5;

/**
 * The listeners of one live call. The agent's frames are the clock; each takes the oldest frame of the caller with it.
 * Without a listener a frame costs one comparison.
 */
export class Listeners {
  readonly #outs = new Map<string, ListenerOut>();
  #waiting: Int16Array[] = [];
  #isMuted = false;

  get size(): number {
    return this.#outs.size;
  }

  add(id: string, out: ListenerOut): void {
    this.#outs.set(id, out);
  }

  remove(id: string): void {
    this.#outs.delete(id);
    if (this.#outs.size === 0) this.#waiting = [];
  }

  /** While it is muted, listeners hear silence: the recording is paused too. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    this.#waiting = [];
  }

  caller(pcm: Int16Array): void {
    if (this.#outs.size === 0 || this.#isMuted) return;
    this.#waiting.push(pcm.slice());
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }

  /** The frame that leaves now; null: silence. */
  agent(pcm: Int16Array | null, samples: number): void {
    if (this.#outs.size === 0) return;
    const stereo = new Int16Array(samples * 2);
    if (!this.#isMuted) {
      interleave(stereo, this.#waiting.shift(), 0);
      interleave(stereo, pcm ?? undefined, 1);
    }
    for (const out of this.#outs.values()) out.send(stereo);
  }
}

function interleave(stereo: Int16Array, pcm: Int16Array | undefined, channel: 0 | 1): void {
  if (pcm === undefined) return;
  const samples = Math.min(pcm.length, stereo.length / 2);
  for (let at = 0; at < samples; at += 1) stereo[at * 2 + channel] = pcm[at] ?? 0;
}

/**
 * What copies the frames of a call: its recording and its listeners. The recording pauses while sensitive keys are expected
 * and at the agent's request; listeners hear silence meanwhile.
 */
export class Taps {
  readonly #recorder: Recorder | null;
  readonly #listeners: Listeners | null;
  #pauses: readonly RecordingPause[] = [];
  #startedAt = 0;
  #isAsked = false;
  #isSensitive = false;
  #isMuted = false;

  constructor(recorder: Recorder | null, listeners: Listeners | null = null) {
    this.#recorder = recorder;
    this.#listeners = listeners;
  }

  start(at: number): void {
    this.#startedAt = at;
    this.#recorder?.start(at);
  }

  /** A frame of the far side, before noise filter and echo guard. */
  caller(pcm: Int16Array, timestamp: number): void {
    this.#recorder?.caller(pcm, timestamp);
    this.#listeners?.caller(pcm);
  }

  /** The frame that leaves now; null: silence. */
  agent(pcm: Int16Array | null, samples: number, at: number): void {
    this.#recorder?.agent(pcm, samples, at);
    this.#listeners?.agent(pcm, samples);
  }

  /** The pauses so far; the last one may be open. */
  get pauses(): readonly RecordingPause[] {
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

/**
 * Contains a sink's fault in its own call: thrown into the leg, it would end the thread and all its calls. Measures how long
 * the call has the thread.
 */
export function guardedSink(
  sink: MediaSink,
  meter: ProcessorMeter,
  onFault: (error: unknown, at: number) => void,
): MediaSink {
  return {
    onAudio(pcm, timestamp, concealed, at) {
      meter.enter();
      try {
        sink.onAudio(pcm, timestamp, concealed, at);
      } catch (error) {
        onFault(error, at);
      } finally {
        meter.leave();
      }
    },
    fill(out, at) {
      meter.enter();
      try {
        return sink.fill(out, at);
      } catch (error) {
        onFault(error, at);
        return false;
      } finally {
        meter.leave();
      }
    },
    onDtmf(digit, at) {
      meter.enter();
      try {
        sink.onDtmf(digit, at);
      } catch (error) {
        onFault(error, at);
      } finally {
        meter.leave();
      }
    },
    onText(text, at) {
      meter.enter();
      try {
        sink.onText?.(text, at);
      } catch (error) {
        onFault(error, at);
      } finally {
        meter.leave();
      }
    },
    onMediaTimeout(at) {
      meter.enter();
      try {
        sink.onMediaTimeout(at);
      } catch (error) {
        onFault(error, at);
      } finally {
        meter.leave();
      }
    },
  };
}
