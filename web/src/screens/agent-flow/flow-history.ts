/** What undo and redo go back to. `mark` names the field that the newest change typed into; null: another change. */
export interface History<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
  readonly mark: string | null;
}

/** States that undo can go back to. */
export const MOST_STATES = 200;

export const startHistory = <T>(now: T): History<T> => ({ past: [], now, future: [], mark: null });

/** Changes with the mark of the change before them are undone together with it, as letters typed into one field are. */
export function record<T>(history: History<T>, now: T, mark: string | null = null): History<T> {
  if (now === history.now) return history;
  const isTyping = mark !== null && mark === history.mark;
  const past = isTyping ? history.past : [...history.past, history.now].slice(-MOST_STATES);
  return { past, now, future: [], mark };
}

export function undo<T>(history: History<T>): History<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    now: before,
    future: [history.now, ...history.future],
    mark: null,
  };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.now], now: next, future, mark: null };
}
