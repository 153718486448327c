/** The expected answer: the closed grammar of a phrase recogniser, a hint for other recognisers. */
export interface Expected {
  /** Answer kinds in play; a phrase recogniser expands each into its phrases for the language. */
  kinds: readonly ('yes_no' | 'number' | 'digits' | 'date' | 'time' | 'choice' | 'name' | 'free')[];
  /** Extra phrases (choices of this step, vocab, FAQ key words). */
  phrases: readonly string[];
  /** How many digits the answer has; absent: unknown, or as many as the question says. */
  digits?: number;
  /** The choices of the question, in the order of their keys. */
  choices?: readonly string[];
  /** Keys of the answer are hidden from transcript, model and watchers. */
  sensitive?: boolean;
}

/** What can be recognised of a caller who speaks a call's first language. */
export interface Ears {
  /** False: no speech, so answers come by keypad. */
  readonly understandsSpeech: boolean;
  /** Only the expected phrases. */
  readonly onlyPhrases: boolean;
}

/** Keys that a tool waits for. */
export interface KeyWait {
  readonly digits: number | null;
  readonly end: string | null;
  /** The keys are hidden from transcript, model and watchers; only parameters marked sensitive get them. */
  readonly sensitive?: boolean;
}

/**
 * Where a sentence's words sound: its first `textEnd` characters (UTF-16) are spoken once `audioMs` of its audio have
 * played. One mark a word where the engine has word times; words between two marks are placed by their length.
 */
export interface TtsMark {
  readonly textEnd: number;
  readonly audioMs: number;
}

/** One line of the conversation as both sides heard it. */
export type HistoryItem =
  /** `by`: a person of the workspace wrote or said it in the agent's place; with `author`, a guest of that name beside the agent. */
  | { role: 'agent'; text: string; interrupted: boolean; by?: 'person'; author?: string }
  | { role: 'caller'; text: string; by: 'speech' | 'keypad' | 'text' }
  /** What a person of the workspace tells the agent during the conversation; the caller does not hear it. */
  | { role: 'note'; text: string }
  /** The caller spoke, and no word was recognised. */
  | { role: 'unclear' }
  /** The caller said nothing for the check-in time. */
  | { role: 'silence' }
  /** A tool's result; follows the agent line of the reply that called the tool. */
  | {
      role: 'tool';
      name: string;
      args?: Record<string, unknown>;
      /** `PENDING_RESULT` while the tool runs. */
      result: unknown;
      /** The call's idempotency key: the same tool with the same arguments in the same turn. */
      key?: string;
      /** Variables the tool set. */
      variables?: Readonly<Record<string, string>>;
    };

/** The result of a tool that is still running, in the history of a request. */
export const PENDING_RESULT = {
  status: 'running',
  note: 'do not call it again: the result follows',
} as const;
