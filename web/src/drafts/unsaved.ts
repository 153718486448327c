import { createContext, useContext, useEffect, useId, useSyncExternalStore } from 'react';

/** A form on the page whose changes are not saved. */
interface Unsaved {
  readonly name: string;
  /** The part of the page that it is in, such as a tab. */
  readonly area: string;
  readonly discard: () => void;
}
let unsaved: ReadonlyMap<string, Unsaved> = new Map();
const listeners = new Set<() => void>();
function become(next: ReadonlyMap<string, Unsaved>): void {
  unsaved = next;
  for (const listener of listeners) listener();
}

/** The part of the page that the forms below are in. */
export const UnsavedArea = createContext('');

const unmark = (id: string): void => {
  if (unsaved.has(id)) become(new Map([...unsaved].filter(([key]) => key !== id)));
};

/** Counts a form among the unsaved ones while `isChanged`; the result takes it out at once. */
export function useUnsaved(name: string, isChanged: boolean, discard: () => void): () => void {
  const id = useId();
  const area = useContext(UnsavedArea);
  useEffect(() => {
    if (!isChanged) return undefined;
    become(new Map(unsaved).set(id, { name, area, discard }));
    return () => unmark(id);
  }, [id, name, area, isChanged, discard]);
  return () => unmark(id);
}

export const unsavedForms = (): ReadonlyMap<string, Unsaved> => unsaved;
export const useUnsavedForms = (): ReadonlyMap<string, Unsaved> =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, unsavedForms);
