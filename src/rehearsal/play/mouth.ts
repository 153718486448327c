import type { TurnEvent } from '@callwright/turns';
import { draw, spread } from '../draw.ts';
import type { Piece } from '../caller/state.ts';
import type { CallerPersona } from '../scenario/document.ts';
import type { Timing } from './timing.ts';
import { soundMs } from './virtual-voice.ts';

/** Delay of the speech gate's edges after the sound begins, becomes quiet and ends. */
const GATE_MS = { start: 60, pause: 20, stop: 120 } as const;
/** From one partial result to the next. */
const PARTIAL_MS = 320;
/** Share of words that a recogniser loses in each noise. */
const LOST_WORDS = { quiet: 0, street: 0.02, car: 0.03, bad_line: 0.06 } as const;

interface MouthDeps {
  readonly seed: number;
  readonly timing: Timing;
  readonly noise: NonNullable<CallerPersona['noise']>;
  readonly speed: number;
  readonly now: () => number;
  readonly at: (time: number, run: () => void) => void;
  readonly feed: (event: TurnEvent) => void;
}

/** The caller's voice on the line: turns words into what a speech gate and a recogniser report. */
export class Mouth {
  readonly #deps: MouthDeps;
  #segments = 0;

  constructor(deps: MouthDeps) {
    this.#deps = deps;
  }

  /** Speaks from now on; returns when it ends. `onEnd` is called then. */
  say(pieces: readonly Piece[], onEnd: () => void): number {
    let from = this.#deps.now();
    for (const [index, { text, pauseMs }] of pieces.entries()) {
      if (index > 0) from += pauseMs;
      from = this.#piece(text, from);
    }
    this.#deps.at(from, onEnd);
    return from;
  }

  #piece(text: string, from: number): number {
    const { at, feed, now, speed, seed, timing } = this.#deps;
    this.#segments += 1;
    const segment = this.#segments;
    const ms = soundMs(text, speed);
    const to = from + ms;
    const heard = this.#heard(text, segment);
    at(from + GATE_MS.start, () => feed({ type: 'speech_started', since: from, at: now() }));
    for (let after = PARTIAL_MS; after < ms; after += PARTIAL_MS) {
      const partial = heard.slice(0, Math.floor((heard.length * after) / ms)).join(' ');
      if (partial !== '') at(from + after, () => feed({ type: 'partial', text: partial, at: now() }));
    }
    at(to + GATE_MS.pause, () => feed({ type: 'speech_paused', isPaused: true, at: now() }));
    at(to + GATE_MS.stop, () => feed({ type: 'speech_stopped', since: to, at: now() }));
    const finalMs = Math.max(
      GATE_MS.stop,
      Math.round(spread(timing.recogniser, seed, 'recogniser', segment)),
    );
    at(to + finalMs, () =>
      feed(
        heard.length === 0
          ? { type: 'stt_nothing', at: now() }
          : { type: 'final', text: heard.join(' '), at: now() },
      ),
    );
    return to;
  }

  /** The words without those that the noise costs. */
  #heard(text: string, segment: number): string[] {
    const { seed, noise } = this.#deps;
    const words = text.split(/\s+/u).filter((word) => word !== '');
    const lost = LOST_WORDS[noise];
    return lost === 0 ? words : words.filter((_, at) => draw(seed, 'lost', segment, at) >= lost);
  }
}
