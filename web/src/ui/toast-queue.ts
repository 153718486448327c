/** A message about what was just done. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  /** A newer toast about the same thing replaces this one; null: none does. */
  readonly about: string | null;
  readonly tone: 'good' | 'bad';
  /** Whether the action can be undone. */
  readonly hasUndo: boolean;
  /** busy: the undo is under way, so the toast stays. */
  readonly isBusy: boolean;
  /** Time left on the screen; null: it stays until it is closed. */
  readonly leftMs: number | null;
}

/** More would cover the page; the oldest leave. */
const MOST_SHOWN = 3;
const SHOWN_MS = 6_000;
/** Long enough to read, decide and reach the button. */
const SHOWN_WITH_UNDO_MS = 20_000;

/** Adds a toast as the newest one. `stays`: the reader wants toasts to stay until they are closed. */
export const withToast = (
  toasts: readonly Toast[],
  toast: Pick<Toast, 'id' | 'text' | 'about' | 'tone' | 'hasUndo'>,
  stays: boolean,
): readonly Toast[] => {
  // A failure stays: it must not pass unseen.
  const leftMs = stays || toast.tone === 'bad' ? null : toast.hasUndo ? SHOWN_WITH_UNDO_MS : SHOWN_MS;
  const others = toasts.filter((each) => each.isBusy || each.about === null || each.about !== toast.about);
  const all = [...others, { ...toast, isBusy: false, leftMs }];
  const surplus = all.length - MOST_SHOWN;
  // A busy one answers its own click, so it outlives older and newer ones.
  const leaving = new Set(all.filter(({ isBusy }) => !isBusy).slice(0, Math.max(0, surplus)));
  return all.filter((each) => !leaving.has(each));
};

export const withoutToast = (toasts: readonly Toast[], id: number): readonly Toast[] =>
  toasts.filter((toast) => toast.id !== id);

/** Marks the toast while its undo runs. */
export const withBusy = (toasts: readonly Toast[], id: number): readonly Toast[] =>
  toasts.map((toast) => (toast.id === id ? { ...toast, isBusy: true } : toast));

/** Lets time pass; toasts whose time is over leave. While the reader holds them (pointer or focus), no time passes. */
export const afterMs = (toasts: readonly Toast[], ms: number, isHeld: boolean): readonly Toast[] =>
  isHeld || toasts.every(({ leftMs, isBusy }) => leftMs === null || isBusy)
    ? toasts
    : toasts
        .map((toast) =>
          toast.leftMs === null || toast.isBusy ? toast : { ...toast, leftMs: toast.leftMs - ms },
        )
        .filter(({ leftMs }) => leftMs === null || leftMs > 0);

/** The newest toast whose action can be undone now. */
export const lastUndoable = (toasts: readonly Toast[]): Toast | undefined =>
  toasts.findLast(({ hasUndo, isBusy }) => hasUndo && !isBusy);
