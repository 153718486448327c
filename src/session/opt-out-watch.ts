import type { OptOutSense } from '../voice/ports.ts';
import type { TurnState } from '../voice/turn/state.ts';
import { waitingForKeys } from '../voice/turn/tools.ts';
import type { TurnEffect } from '../voice/turn/types.ts';

/**
 * Hears in whatever the caller says or presses that they want no more calls. No brain is waited for: one that is slow,
 * or that does not call its tool, must not keep somebody on the list.
 */
export class OptOutWatch {
  readonly #sense: OptOutSense;
  readonly #onWish: (at: number) => void;

  constructor(sense: OptOutSense, onWish: (at: number) => void) {
    this.#sense = sense;
    this.#onWish = onWish;
  }

  /** One step of the conversation, from the state before it. */
  follow(
    before: TurnState,
    after: { readonly state: TurnState; readonly effects: readonly TurnEffect[] },
    at: number,
  ): void {
    if (after.state.attended !== 'person') return;
    const isWish = this.#inTurn(before, after.state) || this.#inLines(after.effects);
    if (isWish || this.#inLastKeys(before, after.state)) this.#onWish(at);
  }

  /** A turn counts from its commit on; its lines become final only once the reply to it is heard. */
  #inTurn(before: TurnState, { turn }: TurnState): boolean {
    if (turn === null || turn.committedAt === before.turn?.committedAt) return false;
    return this.#sense.words(turn.text) || this.#inKeys(turn.keypad?.digits, before, turn.historyBefore);
  }

  /** Words that get no reply of their own: over the agent's goodbye, or before the caller hung up. */
  #inLines(effects: readonly TurnEffect[]): boolean {
    return effects.some(
      (effect) =>
        effect.type === 'transcribe' &&
        effect.line.role === 'caller' &&
        effect.line.by !== 'keypad' &&
        this.#sense.words(effect.line.text),
    );
  }

  /** Whoever presses the key and hangs up has said all there is to say. */
  #inLastKeys(before: TurnState, after: TurnState): boolean {
    const hasEnded = before.call.phase !== 'ended' && after.call.phase === 'ended';
    if (!hasEnded || waitingForKeys(before) !== null) return false;
    return this.#inKeys(before.keypad?.digits, before, after.history);
  }

  #inKeys(keys: string | undefined, { expected }: TurnState, history: TurnState['history']): boolean {
    if (keys === undefined) return false;
    const said = history.findLast((item) => item.role === 'agent');
    return this.#sense.keys(keys, { expected, question: said?.text ?? '' });
  }
}
