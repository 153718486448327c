import { useSyncExternalStore } from 'react';

/** What the reader chose; `system` follows the operating system, also while the page is open. */
export type Theme = 'light' | 'dark' | 'system';
export const THEMES: readonly Theme[] = ['light', 'dark', 'system'];
const KEY = 'theme';
const listeners = new Set<() => void>();
const system = matchMedia('(prefers-color-scheme: dark)');

const chosen = (): Theme => {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

function apply(): void {
  const theme = chosen();
  const isDark = theme === 'dark' || (theme === 'system' && system.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  apply();
}

/** Light and dark in turn, for the palette. */
export const switchTheme = (): void =>
  chooseTheme(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark');

/** `public/theme.js` sets the theme before the first paint; this follows the system and other tabs from then on. */
export function followTheme(): void {
  system.addEventListener('change', apply);
  addEventListener('storage', ({ key }) => {
    if (key === KEY) apply();
  });
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
