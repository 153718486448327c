import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Counts the code lines of src/domain that name something in snake_case: names of the API, of a webhook's body, of a stored
 * JSON document or of a column. Comments and texts do not count. `node scripts/wire-names.ts` lists them by file.
 */
const domain = join(import.meta.dirname, '../src/domain');
const NAME = /\b[a-z][a-z0-9]*_[a-z0-9_]+\b/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const TEXT = /'(?:[^'\\\n]|\\.)*'/g;

/** Lines with such a name by file, the most first. */
export function wireNames(): (readonly [file: string, lines: number])[] {
  const files = readdirSync(domain, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [file, linesOf(readFileSync(join(domain, file), 'utf8'))] as const)
    .filter(([, lines]) => lines > 0)
    .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

const linesOf = (text: string): number =>
  text
    .replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(TEXT, "''")
    .split('\n')
    .filter((line) => NAME.test(line)).length;

if (import.meta.main) {
  const found = wireNames();
  for (const [file, lines] of found) console.log(`${String(lines).padStart(4)}  ${file}`);
  console.log(`${found.reduce((sum, [, lines]) => sum + lines, 0)} lines in ${found.length} files`);
}
