import type { OptOutSense } from '@callwright/language';
import { type TurnEffect, type TurnState, waitingForKeys } from '@callwright/turns';

/** Sensitive keys answer another question than an offer to opt out. */
const openKeys = (keypad: TurnState['keypad']): string | undefined =>
  keypad === null || keypad.hidden !== null ? undefined : keypad.digits;

/**
 * Detects an opt-out in everything the caller says or presses, independently of the model: a slow model, or one that
 * does not call its tool, must not delay the do-not-call entry.
 */
export class OptOutWatch {
  /** Of the languages of the call: of each agent that had it. */
  readonly #senses: OptOutSense[];
  readonly #onOptOut: (at: number) => void;

  constructor(sense: OptOutSense, onOptOut: (at: number) => void) {
    this.#senses = [sense];
    this.#onOptOut = onOptOut;
  }

  /** An agent of other languages has the call, too. */
  add(sense: OptOutSense): void {
    this.#senses.push(sense);
  }

  /** Inspects one step of the conversation. */
  follow(
    before: TurnState,
    after: { readonly state: TurnState; readonly effects: readonly TurnEffect[] },
    at: number,
  ): void {
    if (after.state.attended !== 'person') return;
    const isOptOut = this.#inTurn(before, after.state) || this.#inLines(after.effects);
    if (isOptOut || this.#inLastKeys(before, after.state)) this.#onOptOut(at);
  }

  /** Checked at the commit: a turn's lines become final only once its reply is heard. */
  #inTurn(before: TurnState, { turn }: TurnState): boolean {
    if (turn === null || turn.committedAt === before.turn?.committedAt) return false;
    return this.#hasWords(turn.text) || this.#inKeys(openKeys(turn.keypad), before, turn.historyBefore);
  }

  /** Words without a turn: over the agent's goodbye, or right before the hangup. */
  #inLines(effects: readonly TurnEffect[]): boolean {
    return effects.some(
      (effect) =>
        effect.type === 'transcribe' &&
        effect.line.role === 'caller' &&
        effect.line.by !== 'keypad' &&
        this.#hasWords(effect.line.text),
    );
  }

  /** Keys that no turn was committed for, because the call ended. */
  #inLastKeys(before: TurnState, after: TurnState): boolean {
    const hasEnded = before.call.phase !== 'ended' && after.call.phase === 'ended';
    if (!hasEnded || waitingForKeys(before) !== null) return false;
    return this.#inKeys(openKeys(before.keypad), before, after.history);
  }

  #inKeys(keys: string | undefined, { expected }: TurnState, history: TurnState['history']): boolean {
    if (keys === undefined) return false;
    const said = history.findLast((item) => item.role === 'agent');
    const asked = { expected, question: said?.text ?? '' };
    return this.#senses.some((sense) => sense.keys(keys, asked));
  }

  #hasWords(text: string): boolean {
    return this.#senses.some((sense) => sense.words(text));
  }
}
