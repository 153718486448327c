import {
  initialAnswer,
  stepAnswer,
  type AnswerEvent,
  type AnswerSettings,
  type AnswerState,
  type TurnEvent,
} from '@callwright/turns';
import { MESSAGE_MS } from '../../session/answering.ts';

/** Who answered a call in rehearsal: the rules of real calls, fed with words and edges instead of audio. */
export class WhoAnswers {
  readonly #feed: (event: TurnEvent) => void;
  #state: AnswerState;

  constructor(settings: AnswerSettings, at: number, feed: (event: TurnEvent) => void) {
    this.#state = initialAnswer(settings, at);
    this.#feed = feed;
  }

  get isOpen(): boolean {
    return this.#state.phase !== 'settled';
  }

  /** What the recogniser and the speech gate report, before the conversation gets it. */
  heard(event: TurnEvent): void {
    if (event.type === 'speech_started' || event.type === 'speech_stopped') this.step(event);
    if (event.type === 'partial' || event.type === 'final')
      this.step({ type: 'words', text: event.text, isFinal: event.type === 'final', at: event.at });
  }

  step(event: AnswerEvent): void {
    if (!this.isOpen) return;
    const { state, effects } = stepAnswer(this.#state, event);
    this.#state = state;
    const { at } = event;
    for (const effect of effects)
      switch (effect.type) {
        case 'hush':
          this.#feed({ type: 'machine_answered', before: effect.before, at });
          break;
        case 'introduce':
          this.#feed({ type: 'introduce', say: effect.say, at });
          break;
        case 'person':
          this.#feed({ type: 'person_answered', at });
          break;
        case 'leave': {
          const withinMs = MESSAGE_MS.base + effect.say.length * MESSAGE_MS.perChar;
          this.#feed({ type: 'end_requested', reason: 'VOICEMAIL_DETECTED', say: effect.say, withinMs, at });
          break;
        }
        case 'end':
          this.#feed({ type: 'end_requested', reason: effect.reason, say: null, at });
          break;
        case 'press':
          // A phone menu does not answer in a rehearsal.
          break;
        default:
          effect satisfies never;
      }
  }
}
