import { useSyncExternalStore } from 'react';
import { keepsToasts } from './preferences.ts';
import { afterMs, lastUndoable, withBusy, withoutToast, withToast, type Toast } from './toast-queue.ts';
import { plainMessage } from './plain-message.ts';
import { t } from '../words/words.ts';

const TICK_MS = 250;

let toasts: readonly Toast[] = [];
let lastId = 0;
let isHeld = false;
let timer: ReturnType<typeof setInterval> | undefined;
const undos = new Map<number, () => Promise<unknown>>();
const listeners = new Set<() => void>();

function show(next: readonly Toast[]): void {
  if (next === toasts) return;
  toasts = next;
  for (const id of undos.keys()) if (!toasts.some((toast) => toast.id === id)) undos.delete(id);
  if (toasts.length === 0) {
    clearInterval(timer);
    timer = undefined;
  } else {
    timer ??= setInterval(
      // Nobody reads a hidden page.
      () => show(afterMs(toasts, TICK_MS, isHeld || document.visibilityState === 'hidden')),
      TICK_MS,
    );
  }
  for (const listener of listeners) listener();
}

/** What a toast says, and how to reverse it. */
export interface Message {
  readonly text: string;
  /** Reverses the action by the API; rejects with the reason when it cannot. */
  readonly undo?: (() => Promise<unknown>) | undefined;
  /** A newer message about the same thing replaces this one. Default: messages of the same text without undo. */
  readonly about?: string;
  readonly tone?: Toast['tone'];
}

/** Shows what was done. */
export function notify({ text, undo, about, tone = 'good' }: Message): void {
  lastId += 1;
  if (undo !== undefined) undos.set(lastId, undo);
  const hasUndo = undo !== undefined;
  const toast = { id: lastId, text, about: about ?? (hasUndo ? null : text), tone, hasUndo };
  show(withToast(toasts, toast, keepsToasts()));
}

export const closeToast = (id: number): void => show(withoutToast(toasts, id));

/** Removes all: their undo belongs to the workspace or session that is left. */
export const clearToasts = (): void => show([]);

/** Runs the undo of a toast once. */
export async function undoToast(id: number): Promise<void> {
  const undo = undos.get(id);
  const toast = toasts.find((each) => each.id === id);
  if (undo === undefined || toast === undefined || toast.isBusy) return;
  show(withBusy(toasts, id));
  try {
    await undo();
    closeToast(id);
    notify({ text: t('Undone: {text}', { text: toast.text }) });
  } catch (error) {
    closeToast(id);
    const reason = error instanceof Error ? plainMessage(error.message) : t('the reason is unknown');
    notify({ text: `${toast.text} ${t('It could not be undone: {reason}', { reason })}`, undo, tone: 'bad' });
  }
}

/** Undoes the newest change whose toast still shows. */
export function undoLast(): void {
  const toast = lastUndoable(toasts);
  if (toast !== undefined) void undoToast(toast.id);
}

/** While the pointer or the focus is on them, toasts stay. */
export function holdToasts(held: boolean): void {
  isHeld = held;
}

export const useToasts = (): readonly Toast[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
