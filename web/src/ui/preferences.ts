import { useSyncExternalStore } from 'react';

/** What a reader chose for this browser. */
type Preference = 'no-shortcuts' | 'keep-messages' | 'show-requests' | 'no-first-steps';
/** Choices among several. */
type Choice = 'live-calls-by';
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const store = (name: Preference | Choice, value: string | null): void => {
  if (value === null) localStorage.removeItem(name);
  else localStorage.setItem(name, value);
  for (const listener of listeners) listener();
};
const isSet = (name: Preference): boolean => localStorage.getItem(name) === 'yes';

/** Whether toasts stay until they are closed. */
export const keepsToasts = (): boolean => isSet('keep-messages');
/** Whether shortcuts of a single key are off. */
export const hasNoShortcuts = (): boolean => isSet('no-shortcuts');

/** Whether the reader chose something for this browser, and the function that changes it. */
export function usePreference(name: Preference): [boolean, (value: boolean) => void] {
  const value = useSyncExternalStore(subscribe, () => isSet(name));
  return [value, (next) => store(name, next ? 'yes' : null)];
}

/** Which of `values` the reader chose for this browser, at first the first; and the function that changes it. */
export function useChoice<Value extends string>(
  name: Choice,
  values: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(name));
  return [values.find((each) => each === stored) ?? values[0], (next) => store(name, next)];
}
