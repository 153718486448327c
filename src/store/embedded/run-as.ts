import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../shared/child-environment.ts';

const run = promisify(execFile);

/**
 * How to run the server's programs. PostgreSQL refuses to run as root, so root runs them in a user namespace (outside
 * it, files belong to root, and folders that only root may enter work) or as an unprivileged user.
 */
export type RunAs =
  | { readonly kind: 'self' }
  | { readonly kind: 'namespace'; readonly uid: number }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number; readonly name: string };

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The accounts in /etc/passwd text except root; PostgreSQL requires a user id with a name. */
export function accountsOf(passwd: string): Account[] {
  const accounts: Account[] = [];
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) continue;
    if (Number(uid) > 0) accounts.push({ name, uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}

function preferred(accounts: readonly Account[]): Account | null {
  const named = (name: string): Account | undefined => accounts.find((account) => account.name === name);
  return named('postgres') ?? named('nobody') ?? accounts[0] ?? null;
}

/** Chooses how to run; `namespaces: false` skips the namespace. Throws if root has no other user to run as. */
export async function chooseRunAs(options: { namespaces: boolean }): Promise<RunAs> {
  if (process.getuid?.() !== 0) return { kind: 'self' };
  const account = preferred(accountsOf(await readFile('/etc/passwd', 'utf8').catch(() => '')));
  if (account === null) {
    throw new Error('PostgreSQL cannot run as root and no other user exists. Set DATABASE_URL.');
  }
  if (options.namespaces) {
    const [command, args] = wrap({ kind: 'namespace', uid: account.uid }, 'true', []);
    const works = await run(command, args, { timeout: 10_000, env: childEnvironment() }).then(
      () => true,
      () => false,
    );
    if (works) return { kind: 'namespace', uid: account.uid };
  }
  return { kind: 'user', ...account };
}

/** The command line that runs `program` so. `unshare` execs the program, so the child's pid is the program's. */
export function wrap(as: RunAs, program: string, args: readonly string[]): [string, string[]] {
  if (as.kind !== 'namespace') return [program, [...args]];
  return ['unshare', ['--user', `--map-user=${as.uid}`, `--map-group=${as.uid}`, program, ...args]];
}

/** The ids for `spawn`. */
export function spawnIds(as: RunAs): { uid?: number; gid?: number } {
  return as.kind === 'user' ? { uid: as.uid, gid: as.gid } : {};
}

/** Whether another user can enter every folder down to `path`. */
export async function reachableByOthers(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => null);
    if (found !== null && (found.mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
