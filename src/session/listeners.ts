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
