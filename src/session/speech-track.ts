/** A silence in an utterance's audio, ms. */
export interface Pause {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One level a hop. */
const HOP_MS = 10;
/** Shorter silences are inside words, such as before a plosive. */
const SHORTEST_PAUSE_MS = 90;
/** Silence lies so far below the loud parts of the speech, and below this RMS in any case. */
const BELOW_SPEECH = 10 ** (-38 / 20);
const SILENT_RMS = 12;

/** The loudness of one utterance's audio, which tells where its voice pauses. */
export class SpeechTrack {
  readonly #hop: number;
  /** RMS of each whole hop. */
  readonly #levels: number[] = [];
  #sum = 0;
  #count = 0;

  constructor(samplesPerMs: number) {
    this.#hop = samplesPerMs * HOP_MS;
  }

  push(pcm: Int16Array): void {
    for (const sample of pcm) {
      this.#sum += sample * sample;
      this.#count += 1;
      if (this.#count < this.#hop) continue;
      this.#levels.push(Math.sqrt(this.#sum / this.#hop));
      this.#sum = 0;
      this.#count = 0;
    }
  }

  /** Forgets the audio after `ms`. */
  cut(ms: number): void {
    this.#levels.splice(Math.max(0, Math.floor(ms / HOP_MS)));
    this.#sum = 0;
    this.#count = 0;
  }

  /** In order; those at the beginning and at the end too. Audio without a voice has none. */
  pauses(): Pause[] {
    const loud = this.#levels.toSorted((a, b) => a - b)[Math.floor(this.#levels.length * 0.95)] ?? 0;
    if (loud <= SILENT_RMS) return [];
    const threshold = Math.max(SILENT_RMS, loud * BELOW_SPEECH);
    const pauses: Pause[] = [];
    let from = 0;
    for (let at = 0; at <= this.#levels.length; at++) {
      if ((this.#levels[at] ?? Number.POSITIVE_INFINITY) <= threshold) continue;
      if ((at - from) * HOP_MS >= SHORTEST_PAUSE_MS) {
        pauses.push({ fromMs: from * HOP_MS, toMs: at * HOP_MS });
      }
      from = at + 1;
    }
    return pauses;
  }
}
