import { useState } from 'react';

type Theme = 'light' | 'dark';
const current = (): Theme => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');

/** The theme and the function that switches it; `public/theme.js` sets it before the first paint. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(current);
  const toggle = (): void => {
    const next = theme === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = next;
    localStorage.setItem('theme', next);
    setTheme(next);
  };
  return [theme, toggle];
}
