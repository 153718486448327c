import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a page. */
export interface Example {
  /** From the project root. */
  readonly page: string;
  /** Of the fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** From `<!-- not run: … -->` above the block; null: a test runs it. */
  readonly notRun: string | null;
  /** Exit codes of a `sh` block that its page documents: `<!-- may exit with 1 or 3 -->`. */
  readonly exitCodes: readonly number[];
}

export const ROOT = join(import.meta.dirname, '../../..');

/** Every page that a person writes; docs/api.md is generated from the API, and its bodies are checked with it. */
export const PAGES = globSync(
  ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'packages/*/README.md', 'sdk/*/README.md'],
  { cwd: ROOT },
)
  .filter((page) => page !== 'docs/api.md')
  .toSorted();

export function examplesOf(page: string): Example[] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  const found: Example[] = [];
  let open: { line: number; language: string; text: string[] } | null = null;
  for (const [index, line] of lines.entries()) {
    if (!line.trimStart().startsWith('```')) open?.text.push(line);
    else if (open === null) open = { line: index + 1, language: line.trim().slice(3), text: [] };
    else {
      const note = noteAbove(lines, open.line - 1);
      found.push({
        page,
        line: open.line,
        language: open.language,
        text: `${open.text.join('\n')}\n`,
        notRun: /^<!-- not run: (.+) -->$/.exec(note)?.[1] ?? null,
        exitCodes: [
          0,
          ...(/^<!-- may exit with ([\d or]+) -->$/.exec(note)?.[1]?.match(/\d+/g) ?? []).map(Number),
        ],
      });
      open = null;
    }
  }
  if (open !== null) throw new Error(`${page}:${open.line} has a block without an end`);
  return found;
}

/** The last line with text above the fence. */
function noteAbove(lines: readonly string[], fence: number): string {
  for (let index = fence - 1; index >= 0; index -= 1) {
    if (lines[index]?.trim() !== '') return lines[index]?.trim() ?? '';
  }
  return '';
}
