/**
 * How scripts in one language speak to the agent, and how to the caller. Forms are words or phrases in `normal` form; a star
 * at an end stands for more letters. Scripts without spaces are searched for them anywhere.
 */
export interface CommandForms {
  /** The caller in the third person, and the agent. */
  readonly others: readonly string[];
  /** The manner of the conversation and the task: "politely", "short sentences", "wait for the answer". */
  readonly manner: readonly string[];
  readonly you: readonly string[];
  /** The first and the last words of commands, and phrases of duty. */
  readonly begins: readonly string[];
  readonly ends: readonly string[];
  readonly duties: readonly string[];
  /** Words that make a request of a command to the caller. */
  readonly please: readonly string[];
  /** How statements end; where verbs come early, how they begin, or what they hold. */
  readonly statements: StatementForms;
  /** How short lines to the caller begin: thanks, praise, a welcome; and apologies, which have the form of commands. */
  readonly openers: readonly string[];
  readonly pardons: readonly string[];
  /** Verbs beside those of the phrase table. */
  readonly ask: readonly string[];
  readonly tell: readonly string[];
  readonly close: readonly string[];
  /** "to the customer that": left out of what is told. Third person to second, in the words of the language. */
  readonly drop: readonly string[];
  readonly swap: Readonly<Record<string, string>>;
  /** Ends a condition: "then". Answers that conditions name, beside yes and no. */
  readonly thenWords: readonly string[];
  readonly agrees: readonly string[];
  readonly declines: readonly string[];
}

interface StatementForms {
  readonly begin: readonly string[];
  readonly hold: readonly string[];
  readonly end: readonly string[];
}
