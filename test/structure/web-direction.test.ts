import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../web/src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
);
const known = new Set(files);

/** Files that `file` imports, types included. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map((match) => posix.join(dirname(file), match[1]!))
    .filter((target) => known.has(target));

/** A cycle of imports as the files on it, or null. */
function findCycle(): readonly string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): readonly string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    path.push(file);
    for (const target of importsOf(file)) {
      const cycle = visit(target);
      if (cycle !== null) return cycle;
    }
    path.pop();
    done.add(file);
    return null;
  };
  for (const file of files) {
    const cycle = visit(file);
    if (cycle !== null) return cycle;
  }
  return null;
}

describe('imports of the dashboard', () => {
  it('form no cycle, types included', () => {
    expect(files.length).toBeGreaterThan(250);
    expect(findCycle()).toBeNull();
  });

  it('keep primitives (ui) below widgets (parts) and widgets below screens', () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter(
          (target) =>
            (file.startsWith('ui/') && /^(parts|screens|shell)\//.test(target)) ||
            (file.startsWith('parts/') && /^(screens|shell)\//.test(target)),
        )
        .map((target) => `${file} → ${target}`),
    );
    expect(upward).toEqual([]);
  });
});
