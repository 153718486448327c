/** The script brain's state between replies: plain data, because it is serialised with the call. */
export type Pending =
  /** The caller's answer to the first message. */
  | { type: 'opening' }
  | { type: 'step'; at: number }
  /** Waits for the answer to "You said Tuesday, right?" at step `at`. */
  | { type: 'verify'; at: number; value: string }
  /** Waits for another day or time than that of the question at step `at`, or for the caller's yes to it. */
  | { type: 'other_time'; at: number; value: string | null }
  | { type: 'callback'; next: number | null }
  | { type: 'anything_else' }
  | { type: 'help' }
  | { type: 'more'; next: number }
  | { type: 'closed' };

/** A yes or no of the caller, and the question that it answered. */
export interface Answered {
  answer: 'yes' | 'no';
  pending: Pending;
  /** The collected answers and the handled tool results before it, to which a caller who takes it back returns. */
  slots: Memory['slots'];
  results: number;
  /** How often the caller has repeated it since. */
  repeated: number;
}

export interface Memory {
  v: 1;
  pending: Pending;
  slots: readonly { label: string; value: string; at: number }[];
  /** Repeats of the pending question so far. */
  retries: number;
  /** The caller's last line, if it answered a question by yes or no. */
  answered: Answered | null;
  /** How often each step was reached. */
  visits: Readonly<Record<string, number>>;
  turns: number;
  /** Caller lines already answered. */
  heard: number;
  /** Caller lines without a recognised word that are already answered. */
  unclear: number;
  /** The last reply, for "please repeat". */
  said: string;
  /** Whether the caller already knows that only the keypad works. */
  keypadExplained: boolean;
  offeredHelp: boolean;
  /** The closing words of the script, for the end of the call. */
  closing: string;
  /** A day or time that the caller named before the script asked for it. */
  proposed: string | null;
  /** The question that "What exactly would you like to know about?" was said to; asked once in a call. */
  clarifying: string | null;
  clarified: boolean;
  /** The running tool, and the step that continues with its result; null: the pending question. `when`: of a callback. */
  awaiting: { name: string; next: number | null; when?: string } | null;
  /** Number of tool results already handled. */
  results: number;
}

export const freshMemory = (): Memory => ({
  v: 1,
  pending: { type: 'opening' },
  slots: [],
  retries: 0,
  answered: null,
  visits: {},
  turns: 0,
  heard: 0,
  unclear: 0,
  said: '',
  keypadExplained: false,
  offeredHelp: false,
  closing: '',
  proposed: null,
  clarifying: null,
  clarified: false,
  awaiting: null,
  results: 0,
});

/** Parses the memory of the previous reply; any other value (first reply, another brain's memory) starts fresh. */
export function readMemory(memory: unknown): Memory | null {
  if (typeof memory !== 'object' || memory === null) return null;
  const value = memory as Partial<Memory>;
  const sound =
    value.v === 1 &&
    typeof value.pending === 'object' &&
    typeof value.turns === 'number' &&
    typeof value.heard === 'number' &&
    Array.isArray(value.slots);
  return sound ? { ...freshMemory(), ...value } : null;
}
