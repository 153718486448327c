/** What the engine remembers between replies: plain data, since it travels with the call. */
export type Pending =
  /** The caller's answer to the first message. */
  | { type: 'opening' }
  | { type: 'step'; at: number }
  /** "You said Tuesday, right?" about step `at`. */
  | { type: 'verify'; at: number; value: string }
  | { type: 'callback'; next: number | null }
  | { type: 'anything_else' }
  | { type: 'help' }
  | { type: 'more'; next: number }
  | { type: 'closed' };

export interface Memory {
  v: 1;
  pending: Pending;
  slots: readonly { label: string; value: string; at: number }[];
  /** Failed tries at the pending question. */
  retries: number;
  /** How often each step was reached. */
  visits: Readonly<Record<string, number>>;
  turns: number;
  /** Caller lines already answered. */
  heard: number;
  /** The last reply, for "please repeat". */
  said: string;
  /** The caller was told that only the keypad works. */
  keypadTold: boolean;
  offeredHelp: boolean;
  /** A tool is at work: where the script goes on with its result; null: with the pending question. */
  awaiting: { name: string; next: number | null } | null;
  /** Results of tools already looked at. */
  results: number;
}

export const freshMemory = (): Memory => ({
  v: 1,
  pending: { type: 'opening' },
  slots: [],
  retries: 0,
  visits: {},
  turns: 0,
  heard: 0,
  said: '',
  keypadTold: false,
  offeredHelp: false,
  awaiting: null,
  results: 0,
});

/** Memory as it came back; anything else (first reply, another brain's memory) starts afresh. */
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
