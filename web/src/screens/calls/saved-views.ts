import { useSyncExternalStore } from 'react';
import { callFilters, type CallFilters } from './filters.ts';

/** Filters of the calls list under a name, kept by this browser for one workspace. */
export interface SavedView {
  readonly name: string;
  readonly filters: CallFilters;
}

const MAX_VIEWS = 20;
const keyOf = (workspace: string): string => `call-views ${workspace}`;
const listeners = new Set<() => void>();

/** The views in a stored text; what is none is left out. */
export function readViews(text: string | null): SavedView[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(parsed)) return [];
  return (parsed as unknown[]).flatMap((entry): SavedView[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { name, filters } = entry as Record<string, unknown>;
    if (typeof name !== 'string' || name === '' || typeof filters !== 'object' || filters === null) return [];
    return [{ name, filters: callFilters(filters as Record<string, unknown>) }];
  });
}

/** The views with this one: in place of one of the same name, else first; the oldest beyond the limit are dropped. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [view, ...views.filter(({ name }) => name !== view.name)].slice(0, MAX_VIEWS);

/** The saved views of the workspace, and how to save and remove one. */
export function useSavedViews(workspace: string): {
  views: readonly SavedView[];
  save: (view: SavedView) => void;
  remove: (name: string) => void;
} {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(keyOf(workspace)),
  );
  const views = readViews(text);
  const store = (next: readonly SavedView[]): void => {
    localStorage.setItem(keyOf(workspace), JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  return {
    views,
    save: (view) => store(withView(views, view)),
    remove: (name) => store(views.filter((view) => view.name !== name)),
  };
}
