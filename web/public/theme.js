// Sets the theme and the density before the first paint. An external file, because the content security policy forbids inline scripts.
const stored = localStorage.getItem('theme');
const isDark =
  stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
document.documentElement.dataset.density = localStorage.getItem('density') ?? 'normal';
