import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from './imports.ts';

const root = resolve(import.meta.dirname, '../..');
/** The table of ARCHITECTURE.md that lists the files of a placed call, in the order of the call. */
const table =
  /^\| request [\s\S]*?\n\n/m.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))?.[0] ?? '';
const walk = [...table.matchAll(/`([\w/-]+)`/g)].map(([, name]) => `${name}.ts`);
/** Files that the call plane connects with the one before. */
const WIRED = ['scheduler/loop.ts', 'dialer/outbound.ts'];

describe('the files of a placed call', () => {
  it('are at most 18, of at most 400 lines each', () => {
    expect(walk.length).toBeGreaterThan(10);
    expect(new Set(walk).size).toBe(walk.length);
    expect(walk.length).toBeLessThanOrEqual(18);
    const long = walk.filter(
      (file) => readFileSync(join(root, 'src', file), 'utf8').split('\n').length > 401,
    );
    expect(long).toEqual([]);
  });

  it('are each imported by an earlier one, or wired by the call plane', () => {
    const wired = importsOf('app/call-plane.ts').map(({ to }) => to);
    const reached = (file: string, index: number): boolean =>
      WIRED.includes(file)
        ? wired.includes(file)
        : walk.slice(0, index).some((before) => importsOf(before).some(({ to }) => to === file));
    expect(walk.filter((file, index) => index > 0 && !reached(file, index))).toEqual([]);
  });
});
