import { execFileSync } from 'node:child_process';
import { isAlive } from '../../../src/shared/processes.ts';

export const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();

/** Why this machine cannot make network namespaces with rules of nftables; null: it can. */
export function whyNoNamespaces(): string | null {
  const name = `cw-try-${process.pid}`;
  try {
    run('nft', '--version');
    run('ip', 'netns', 'add', name);
    run('ip', 'netns', 'del', name);
    return null;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}

/** Deletes the namespaces `cw-<kind>-<pid>` of killed test runs: they have the same addresses. */
export function removeLeftovers(kinds: readonly string[]): void {
  for (const name of run('ip', 'netns', 'list').match(/^cw-[a-z]+-\d+/gm) ?? []) {
    const [, kind = '', pid] = name.split('-');
    if (kinds.includes(kind) && !isAlive(Number(pid))) run('ip', 'netns', 'del', name);
  }
}

/** Deletes those of the namespaces that exist. */
export function removeNamespaces(names: readonly string[]): void {
  for (const name of names) {
    try {
      run('ip', 'netns', 'del', name);
    } catch {
      // It was not created.
    }
  }
}

/** Prefix of a command that runs in the namespace. */
export const within = (name: string): string[] => ['ip', 'netns', 'exec', name];

/** Gives the device of the namespace an address, and sets it up. */
export function up(name: string, device: string, address: string): void {
  run('ip', '-n', name, 'address', 'add', address, 'dev', device);
  run('ip', '-n', name, 'link', 'set', device, 'up');
}

/** Loads rules of nftables in the namespace. */
export function loadRules(name: string, rules: string): void {
  const [command = '', ...args] = within(name);
  execFileSync(command, [...args, 'nft', '-f', '-'], { input: rules, stdio: ['pipe', 'pipe', 'pipe'] });
}
