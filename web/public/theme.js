// Sets the theme and the density before the first paint. An external file, because the content security policy forbids inline scripts.
const stored = localStorage.getItem('theme');
const isDark =
  stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
document.documentElement.dataset.density = localStorage.getItem('density') ?? 'normal';
// Pages before the sign-in have no navigation: nor has the frame that stands there until the script runs.
if (/^\/(?:sign-in|first-run|invitation|new-password)\b/.test(location.pathname))
  document.documentElement.dataset.entrance = '';
