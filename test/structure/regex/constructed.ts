import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Literal } from './literals.ts';

/** Where a source constructs a pattern; comments do not count. */
export function constructionsIn(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, at) =>
      !/^\s*(?:\*|\/\/|\/\*)/.test(line) && /\bRegExp\((?!\))/.test(line) ? [at + 1] : [],
    );
}

/** The patterns that the top-level code of these modules constructs. */
export function constructedBy(paths: readonly string[]): (Literal & { readonly path: string })[] {
  if (paths.length === 0) return [];
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'record.ts'), ...paths], {
    encoding: 'utf8',
  });
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { file, ...literal } = JSON.parse(line) as Literal & { file: string };
      return { ...literal, path: fileURLToPath(file) };
    });
}
