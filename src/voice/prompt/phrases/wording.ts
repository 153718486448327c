import type { TurnSettings } from '../../turn/types.ts';

/** The words of one language that the conversation itself needs: see the same fields of `TurnSettings`. */
export interface Wording {
  readonly phrases: TurnSettings['phrases'];
  readonly backchannels: readonly string[];
  readonly farewells: readonly string[];
  readonly greetings: readonly string[];
  readonly shortAnswers: readonly string[];
}
