import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Keeps one part of bench/results/campaign.md: the one whose first line is the same is replaced. */
export function saveSection(text: string): void {
  const folder = join(import.meta.dirname, '../results');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'campaign.md');
  const title = text.split('\n', 1)[0] ?? '';
  let before = '';
  try {
    before = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const others = before
    .split(/^(?=# )/m)
    .filter((part) => part.trim() !== '' && part.split('\n', 1)[0]?.trim() !== title.trim());
  writeFileSync(path, [...others, `${text.trimEnd()}\n`].map((part) => part.trimEnd()).join('\n\n') + '\n');
}
