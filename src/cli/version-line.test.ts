import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VERSION } from '../shared/version.ts';
import { versionLine } from './version-line.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callwright-version-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('callwright --version', () => {
  it('names the commit that a bundle was built from', () => {
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ gitHead: '2f6a1c9d0b7e4f3a8c5d6e7f8091a2b3c4d5e6f7' }),
    );
    expect(versionLine(folder)).toBe(`${VERSION} (2f6a1c9d)`);
  });

  it('is the version alone where no commit is known', () => {
    writeFileSync(join(folder, 'package.json'), '{}');
    expect(versionLine(folder)).toBe(VERSION);
  });
});
