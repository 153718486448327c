import { FRAME_MS, type SampleRate, finalPitch } from '@callwright/audio';
import type { EndSound } from '@callwright/turns';
import type { TurnModel } from '../providers/ports/recogniser.ts';

/** How much of a turn the model gets. */
const HEARD_MS = 8_000;
/** The turn begins this long before its first sound is noticed. */
const BEFORE_MS = 500;

/** Judges the sound of the caller's turn at each pause in it, by a turn model and the pitch; new speech makes it void. */
export class TurnJudge {
  readonly #model: TurnModel;
  readonly #sampleRate: SampleRate;
  readonly #onJudged: (sound: EndSound) => void;
  #frames: Int16Array[] = [];
  #text = '';
  #hasSpeech = false;
  /** Counts pauses: an answer is for one of them. */
  #pauses = 0;

  constructor(model: TurnModel, sampleRate: SampleRate, onJudged: (sound: EndSound) => void) {
    this.#model = model;
    this.#sampleRate = sampleRate;
    this.#onJudged = onJudged;
  }

  /** One frame of the caller, silence included. */
  hear(frame: Int16Array): void {
    this.#frames.push(frame.slice());
    if (this.#frames.length > HEARD_MS / FRAME_MS) this.#frames.shift();
  }

  words(text: string): void {
    this.#text = text;
  }

  /** The agent speaks: what follows is another turn. */
  begin(): void {
    if (this.#frames.length === 0) return;
    this.#pauses += 1;
    this.#frames = [];
    this.#text = '';
    this.#hasSpeech = false;
  }

  speechStarted(): void {
    this.#pauses += 1;
    if (!this.#hasSpeech) this.#frames = this.#frames.slice(-BEFORE_MS / FRAME_MS);
    this.#hasSpeech = true;
  }

  speechEnded(): void {
    const pause = ++this.#pauses;
    const samples = (this.#sampleRate * FRAME_MS) / 1000;
    const pcm = new Int16Array(this.#frames.length * samples);
    for (const [i, frame] of this.#frames.entries()) pcm.set(frame, i * samples);
    const pitch = finalPitch(pcm, this.#sampleRate);
    const turn = { pcm, sampleRate: this.#sampleRate, text: this.#text };
    void this.#model.finished(turn).then(
      (probability) => {
        if (pause === this.#pauses && probability !== null) this.#onJudged({ probability, pitch });
      },
      // The rules decide.
      () => undefined,
    );
  }

  close(): void {
    this.#pauses += 1;
    this.#frames = [];
  }
}
