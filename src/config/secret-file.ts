import { existsSync } from 'node:fs';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The systemd credential that holds a secret setting: `LoadCredential=secret-key:…` for SECRET_KEY. */
export const credentialOf = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/**
 * The file that a secret setting comes from: the one that `<NAME>_FILE` names or, when the setting is not in the
 * environment, the systemd credential of its name. Empty: none.
 */
export function secretFileOf(env: Env, name: string): string {
  const named = env[`${name}_FILE`]?.trim() ?? '';
  const folder = env['CREDENTIALS_DIRECTORY']?.trim() ?? '';
  if (named !== '' || folder === '' || (env[name]?.trim() ?? '') !== '') return named;
  const credential = join(folder, credentialOf(name));
  return existsSync(credential) ? credential : '';
}
