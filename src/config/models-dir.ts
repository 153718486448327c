import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * MODELS_DIR unless it is set: the user's cache, which installations on this machine share; where that cannot be written,
 * a folder of DATA_DIR.
 */
export function defaultModelsDir(
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
  isWritable: (folder: string) => boolean = mayWrite,
): string {
  const cache = env['XDG_CACHE_HOME'] ?? join(env['HOME'] ?? homedir(), '.cache');
  // A relative path of XDG_CACHE_HOME is invalid (XDG base directory specification).
  return cache.startsWith('/') && isWritable(cache)
    ? join(cache, 'callwright', 'models')
    : join(resolve(dataDir), 'models');
}

/** The set-up script of a clone fetches the models; a release has none. */
const SETUP = new URL('../../scripts/setup.sh', import.meta.url);

/** MODELS_FETCH unless it is set. */
export const defaultModelsFetch = (setup: URL = SETUP): 'start' | 'off' =>
  existsSync(setup) ? 'off' : 'start';

/** Whether this user may write to the folder, or create it. */
function mayWrite(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    try {
      accessSync(at, constants.W_OK | constants.X_OK);
      return true;
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing || at === dirname(at)) return false;
    }
  }
}
