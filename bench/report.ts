import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return ['', line(head), line(head.map(() => '-')), ...rows.map(line), ''].join('\n');
}

/** Title, machine and commit, without which the figures cannot be compared. */
export function heading(title: string, setting: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const date = new Date().toISOString().slice(0, 10);
  return `# ${title}\n\n${setting}.  \n${machine}, Node ${process.versions.node}, commit ${commit}, ${date}.`;
}

export interface Bound {
  readonly text: string;
  readonly holds: boolean;
}

/** What must hold, and whether it held in this run. */
export const boundsText = (bounds: readonly Bound[]): string =>
  [
    'Bounds:',
    '',
    ...bounds.map(({ text, holds }) => `- ${holds ? 'holds' : '**does not hold**'}: ${text}`),
  ].join('\n');

/** Saves a result as bench/results/<name>.md. */
export function saveResult(name: string, text: string): void {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.md`), `${text}\n`);
}
