import type { SettingInForce } from '../shared/setting-in-force.ts';
import { secretFileOf } from './secret-file.ts';
import { SETTINGS } from './settings.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Every setting with where it comes from; a secret only says whether it is set. */
export function settingsInForce(env: Env): SettingInForce[] {
  return Object.entries(SETTINGS).map(([name, spec]) => {
    const direct = env[name]?.trim() ?? '';
    const isSecret = spec.secret === true;
    const isFile = isSecret && secretFileOf(env, name) !== '';
    const raw = direct === '' ? spec.default : direct;
    return {
      name,
      about: spec.about,
      isSecret,
      source: isFile ? 'file' : direct === '' ? 'default' : 'environment',
      value: isSecret || raw === null ? null : withoutCredentials(raw),
      isSet: isFile || (raw !== null && raw !== ''),
    };
  });
}

/** A URL without its user, password and query, which may hold a key; any other text unchanged. */
function withoutCredentials(text: string): string {
  if (!text.includes('://')) return text;
  return text.replace(/(:\/\/)[^/?#]*@/, '$1***@').replace(/\?.*$/s, '?***');
}
