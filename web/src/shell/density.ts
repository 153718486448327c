import { useSyncExternalStore } from 'react';

/** How much room the rows of a table take. */
export type Density = 'compact' | 'normal' | 'comfortable';
export const DENSITIES: readonly Density[] = ['compact', 'normal', 'comfortable'];
const KEY = 'density';
const listeners = new Set<() => void>();

const chosen = (): Density => DENSITIES.find((each) => each === localStorage.getItem(KEY)) ?? 'normal';

/** `public/theme.js` sets it before the first paint. */
export function chooseDensity(density: Density): void {
  localStorage.setItem(KEY, density);
  document.documentElement.dataset['density'] = density;
  for (const listener of listeners) listener();
}

export const useDensity = (): Density =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
