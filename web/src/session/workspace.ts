import { useSyncExternalStore } from 'react';

const KEY = 'workspace';
const listeners = new Set<() => void>();
// A tab keeps its workspace; a new tab starts with the one that was chosen last.
let current = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);

/** The workspace that requests of this tab act in. */
export const workspaceId = (): string | null => current;

export function chooseWorkspace(id: string | null): void {
  if (id === current) return;
  current = id;
  if (id === null) {
    sessionStorage.removeItem(KEY);
    localStorage.removeItem(KEY);
  } else {
    sessionStorage.setItem(KEY, id);
    localStorage.setItem(KEY, id);
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useWorkspaceId = (): string | null => useSyncExternalStore(subscribe, workspaceId);
