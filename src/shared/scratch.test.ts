import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openScratch, scratchFolder } from './scratch.ts';

const HOST = hostname().replaceAll(/[^\w-]/g, '_');
const DAY_MS = 86_400_000;

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'callwright-scratch-test-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('the scratch folder of a process', () => {
  it('lies below the data folder, for its user alone, and holds every folder for temporary files', () => {
    const scratch = openScratch(dataDir);
    const folder = scratchFolder('voice');
    expect(dirname(scratch.path)).toBe(join(dataDir, 'scratch'));
    expect(dirname(folder)).toBe(scratch.path);
    for (const path of [dirname(scratch.path), scratch.path, folder]) {
      expect(statSync(path).mode & 0o777).toBe(0o700);
    }
    scratch.close();
    expect(existsSync(scratch.path)).toBe(false);
    expect(dirname(scratchFolder('voice'))).not.toContain(dataDir);
  });

  it('is created again when an operator emptied the data folder', () => {
    const scratch = openScratch(dataDir);
    rmSync(scratch.path, { recursive: true });
    expect(existsSync(scratchFolder('words'))).toBe(true);
    scratch.close();
  });

  it('stays beside that of another installation in the same process', () => {
    const first = openScratch(dataDir);
    const second = openScratch(dataDir);
    expect(existsSync(first.path)).toBe(true);
    second.close();
    expect(dirname(scratchFolder('voice'))).toBe(first.path);
    first.close();
  });
});

it('removes the folders of processes that ended, also of one with the same id, and keeps those that may be in use', () => {
  const parent = join(dataDir, 'scratch');
  const ended = [`${HOST}.4194999.abc`, `${HOST}.${process.pid}.abc`, 'other-host.17.old'];
  const kept = [`${HOST}.${process.ppid}.abc`, 'other-host.17.new'];
  for (const name of [...ended, ...kept]) mkdirSync(join(parent, name), { recursive: true });
  const twoDaysAgo = new Date(Date.now() - 2 * DAY_MS);
  utimesSync(join(parent, 'other-host.17.old'), twoDaysAgo, twoDaysAgo);
  const scratch = openScratch(dataDir);
  expect(readdirSync(parent).toSorted()).toEqual([...kept, basename(scratch.path)].toSorted());
  scratch.close();
});
