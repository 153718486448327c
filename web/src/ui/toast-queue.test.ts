import { expect, it } from 'vitest';
import { afterMs, lastUndoable, withBusy, withoutToast, withToast, type Toast } from './toast-queue.ts';

const toast = (id: number, more: Partial<Toast> = {}) => ({
  id,
  text: `Change ${id}`,
  about: null,
  tone: 'good' as const,
  hasUndo: false,
  ...more,
});
const idsOf = (toasts: readonly Toast[]): number[] => toasts.map(({ id }) => id);

it('shows a plain message for 6 seconds and one with an undo for 20', () => {
  const shown = withToast(withToast([], toast(1), false), toast(2, { hasUndo: true }), false);
  expect(idsOf(afterMs(shown, 5_999, false))).toEqual([1, 2]);
  expect(idsOf(afterMs(shown, 6_000, false))).toEqual([2]);
  expect(idsOf(afterMs(shown, 19_999, false))).toEqual([2]);
  expect(afterMs(shown, 20_000, false)).toEqual([]);
});

it('lets no time pass while a pointer or the focus is on the messages', () => {
  const shown = withToast([], toast(1), false);
  expect(idsOf(afterMs(shown, 60_000, true))).toEqual([1]);
  expect(idsOf(afterMs(afterMs(shown, 60_000, true), 5_999, false))).toEqual([1]);
});

it('keeps failures, and every message where the reader wants so, until they are closed', () => {
  const failed = withToast([], toast(1, { tone: 'bad' }), false);
  const wanted = withToast(failed, toast(2, { hasUndo: true }), true);
  expect(idsOf(afterMs(wanted, 86_400_000, false))).toEqual([1, 2]);
  expect(idsOf(withoutToast(wanted, 1))).toEqual([2]);
});

it('shows at most three, and drops none whose undo is under way', () => {
  const three = [1, 2, 3].reduce<readonly Toast[]>(
    (all, id) => withToast(all, toast(id, { hasUndo: true }), false),
    [],
  );
  expect(idsOf(withToast(three, toast(4), false))).toEqual([2, 3, 4]);
  const busy = withToast(withBusy(three, 1), toast(4), false);
  expect(idsOf(busy)).toEqual([1, 3, 4]);
  expect(idsOf(afterMs(busy, 60_000, false))).toEqual([1]);
});

it('replaces a message by a newer one about the same thing, unless its undo is under way', () => {
  const paused = withToast([], toast(1, { about: 'campaign 7', hasUndo: true }), false);
  const resumed = toast(2, { about: 'campaign 7' });
  expect(idsOf(withToast(paused, resumed, false))).toEqual([2]);
  expect(idsOf(withToast(withBusy(paused, 1), resumed, false))).toEqual([1, 2]);
  expect(idsOf(withToast(paused, toast(3), false))).toEqual([1, 3]);
});

it('undoes the newest change that can be undone and is not under way', () => {
  const all = [toast(1, { hasUndo: true }), toast(2, { hasUndo: true }), toast(3)].reduce<readonly Toast[]>(
    (shown, each) => withToast(shown, each, false),
    [],
  );
  expect(lastUndoable(all)?.id).toBe(2);
  expect(lastUndoable(withBusy(all, 2))?.id).toBe(1);
  expect(lastUndoable([])).toBeUndefined();
});
