import { ownScratch } from './scratch.ts';

/** Variables that a child process may need; every other one may hold a secret or redirect a program. */
const PASSED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR', 'ESPEAK_DATA_PATH'];

/**
 * The environment of every program that the service starts: never a key, a password or an address. Sound libraries write
 * to TMPDIR, so it is the scratch folder of this process.
 */
export function childEnvironment(source: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const entries = PASSED.flatMap((name) => {
    const value = source[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const scratch = ownScratch();
  return {
    PATH: '/usr/bin:/bin',
    ...Object.fromEntries(entries),
    ...(scratch === null ? {} : { TMPDIR: scratch }),
  };
}
