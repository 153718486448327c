import { t } from '../../words/words.ts';

/** In the order of their checks: most browsers also name the ones that they descend from. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** A user agent as people call it, such as "Chrome on Linux". */
export function browserName(userAgent: string): string {
  const find = (list: readonly (readonly [mark: string, name: string])[]): string | undefined =>
    list.find(([mark]) => userAgent.includes(mark))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return userAgent === '' ? t('Unknown') : userAgent.slice(0, 40);
  return system === undefined ? browser : t('{browser} on {system}', { browser, system });
}
