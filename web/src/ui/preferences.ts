import { useSyncExternalStore } from 'react';

/** What a reader chose for this browser. */
type Preference = 'no-shortcuts' | 'keep-messages' | 'show-requests' | 'no-first-steps';
const listeners = new Set<() => void>();
const isSet = (name: Preference): boolean => localStorage.getItem(name) === 'yes';

/** Whether toasts stay until they are closed. */
export const keepsToasts = (): boolean => isSet('keep-messages');
/** Whether shortcuts of a single key are off. */
export const hasNoShortcuts = (): boolean => isSet('no-shortcuts');

/** A choice of this browser, and the function that changes it. */
export function usePreference(name: Preference): [boolean, (value: boolean) => void] {
  const value = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isSet(name),
  );
  const set = (next: boolean): void => {
    if (next) localStorage.setItem(name, 'yes');
    else localStorage.removeItem(name);
    for (const listener of listeners) listener();
  };
  return [value, set];
}
