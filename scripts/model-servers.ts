/**
 * Installs the servers of `npm run test:models` into a Python environment in the user's cache, once for each list of
 * packages, and prints its folder. Needs python3 with venv and pip.
 *
 *   node scripts/model-servers.ts
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const SERVERS = join(import.meta.dirname, '../test/model-servers/servers');
const LISTS = {
  speech: 'requirements.txt',
  language: 'language-requirements.txt',
  callers: 'caller-requirements.txt',
} as const;

/** The folder of the environment, which holds `bin/python`. Throws when Python or a package cannot be had. */
export function installModelServers(kind: keyof typeof LISTS = 'speech'): string {
  return installPackages(join(SERVERS, LISTS[kind]));
}

/** The same for a list of packages of another folder. */
export function installPackages(requirements: string): string {
  const cache = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'callwright',
    'model-servers',
  );
  const list = readFileSync(requirements);
  const folder = join(cache, createHash('sha256').update(list).digest('hex').slice(0, 12));
  const ready = join(folder, 'ready');
  if (existsSync(ready)) return folder;
  mkdirSync(cache, { recursive: true });
  // An environment cannot be moved, so that an interrupted one is removed instead.
  rmSync(folder, { recursive: true, force: true });
  run(
    'python3',
    ['-m', 'venv', folder],
    'python3 with venv is needed: on Debian, apt-get install python3-venv',
  );
  run(
    join(folder, 'bin/python'),
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', '-r', requirements],
    `pip could not install the packages of ${requirements}`,
  );
  writeFileSync(ready, '');
  return folder;
}

function run(program: string, args: readonly string[], failure: string): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  } catch (error) {
    throw new Error(failure, { cause: error });
  }
}

if (import.meta.main) console.log(installModelServers());
