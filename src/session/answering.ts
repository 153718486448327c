import {
  type AnswerEffect,
  type AnswerEvent,
  type AnswerSettings,
  type AnswerState,
  type AnsweredBy,
  type EndReason,
  type Expected,
  type GateEdge,
  type MusicDetector,
  type ToneDetector,
  type TurnEvent,
  createMusicDetector,
  createToneDetector,
  initialAnswer,
  leftAs,
  listenAgain,
  stepAnswer,
  stepMusic,
  stepTone,
} from '@callwright/turns';
import { MACHINE_PHRASES, machineKind } from '@callwright/language';
import type { SampleRate } from '@callwright/audio';
import type { SttEvent } from '../providers/ports/recogniser.ts';

/** Limit of a voicemail message, as a safeguard: a base and a share per character. */
export const MESSAGE_MS = { base: 8_000, perChar: 150 } as const;

/** A tone this long is judged before its end. */
const LONG_TONE_MS = 1_000;

export interface AnsweringDeps {
  dispatch(event: TurnEvent): void;
  /** Press keys for a phone menu. */
  press(digits: string): void;
  /** Detection is over: the recogniser's expectations change. */
  onSettled(): void;
  /** Who answered: the decision, and each change of it. */
  onAnswered(answered: AnsweredBy): void;
}

/** Machine detection of one call: runs `stepAnswer` on audio and words, and dispatches its effects as turn events. */
export class Answering {
  readonly #deps: AnsweringDeps;
  readonly #tones: ToneDetector;
  readonly #music: MusicDetector;
  #state: AnswerState;
  /** The call ends because of who answered. */
  #isOver = false;

  constructor(settings: AnswerSettings, rate: SampleRate, at: number, deps: AnsweringDeps) {
    this.#deps = deps;
    this.#tones = createToneDetector(rate);
    this.#music = createMusicDetector(rate);
    this.#state = initialAnswer(settings, at);
  }

  /** False once a verdict is final: from then on nothing is analysed. */
  get isOpen(): boolean {
    return this.#state.phase !== 'settled';
  }

  /** One frame; `probability`: of speech. */
  audio(pcm: Int16Array, probability: number, at: number): void {
    if (!this.isOpen) return;
    if (stepMusic(this.#music, pcm, probability)) this.#step({ type: 'music', at });
    if (!this.isOpen) return;
    const tone = stepTone(this.#tones, pcm);
    if (tone !== null) this.#step({ type: 'tone', ...tone, at });
    if (this.#tones.runMs !== LONG_TONE_MS) return;
    this.#step({ type: 'tone', hz: this.#tones.hz, ms: LONG_TONE_MS, goesOn: true, at });
  }

  edge(edge: GateEdge): void {
    if (this.isOpen) this.#step(edge);
  }

  recognised(event: SttEvent): void {
    if (!('text' in event)) return;
    if (!this.isOpen) {
      const isTransfer = event.type === 'final' && machineKind(event.text) === 'transfer';
      if (isTransfer && !this.#isOver) this.listenAgain(event.at);
      return;
    }
    this.#step({ type: 'words', text: event.text, isFinal: event.type === 'final', at: event.at });
  }

  tick(at: number): void {
    if (this.isOpen) this.#step({ type: 'tick', at });
  }

  spoken(at: number): void {
    if (this.isOpen) this.#step({ type: 'spoken', at });
  }

  /** Adds the phrases of answering machines to the recogniser's expectations. */
  expect(expected: Expected | null): Expected | null {
    if (!this.isOpen) return expected;
    const { kinds, phrases } = expected ?? { kinds: ['yes_no', 'date'] as const, phrases: [] };
    return { kinds, phrases: [...phrases, ...MACHINE_PHRASES] };
  }

  /** End reason for a hangup by the far side now. */
  leftAs(): EndReason {
    return leftAs(this.#state);
  }

  /** The far side transferred or resumed the call: another person or machine may answer now. */
  listenAgain(at: number): void {
    if (this.#isOver || this.#state.phase === 'recording') return;
    this.#state = listenAgain(this.#state, at);
  }

  #step(event: AnswerEvent): void {
    const { answered } = this.#state;
    const { state, effects } = stepAnswer(this.#state, event);
    this.#state = state;
    if (state.answered !== null && state.answered !== answered) this.#deps.onAnswered(state.answered);
    for (const effect of effects) this.#perform(effect, event.at);
    if (!this.isOpen) this.#deps.onSettled();
  }

  #perform(effect: AnswerEffect, at: number): void {
    switch (effect.type) {
      case 'hush':
        this.#deps.dispatch({ type: 'machine_answered', before: effect.before, at });
        return;
      case 'introduce':
        this.#deps.dispatch({ type: 'introduce', say: effect.say, at });
        return;
      case 'person':
        this.#deps.dispatch({ type: 'person_answered', at });
        return;
      case 'press':
        this.#deps.press(effect.digits);
        return;
      case 'leave': {
        this.#isOver = true;
        const withinMs = MESSAGE_MS.base + effect.say.length * MESSAGE_MS.perChar;
        this.#deps.dispatch({
          type: 'end_requested',
          reason: 'VOICEMAIL_DETECTED',
          say: effect.say,
          withinMs,
          at,
        });
        return;
      }
      case 'end':
        this.#isOver = true;
        this.#deps.dispatch({ type: 'end_requested', reason: effect.reason, say: null, at });
        return;
      default:
        effect satisfies never;
    }
  }
}
