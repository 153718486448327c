import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replaces the section of bench/results/campaign.md that has the same title. */
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
