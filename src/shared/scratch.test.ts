import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayMount, mount, unmount } from '../../test/helpers/recordings/small-file-system.ts';
import { openScratch, ownScratch, ScratchFolders, scratchFolder } from './scratch.ts';

const HOST = hostname().replaceAll(/[^\w-]/g, '_');
const DAY_MS = 86_400_000;

let home = '';
let dataDir = '';
let memory = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'callwright-scratch-test-'));
  [dataDir, memory] = [join(home, 'data'), join(home, 'memory')];
  for (const folder of [dataDir, memory]) mkdirSync(folder);
});
afterEach(() => rmSync(home, { recursive: true }));
const opened = () => openScratch(dataDir, { memory });

describe('the scratch folder of a process', () => {
  it('lies in memory and below the data folder, for its user alone, and holds every folder for temporary files', () => {
    const scratch = opened();
    const folder = scratchFolder('voice');
    const [inMemory = '', onDisk = ''] = scratch.paths;
    expect(dirname(dirname(inMemory))).toBe(memory);
    expect(dirname(onDisk)).toBe(join(dataDir, 'scratch'));
    expect(dirname(folder)).toBe(inMemory);
    for (const path of [dirname(inMemory), dirname(onDisk), inMemory, onDisk, folder]) {
      expect(statSync(path).mode & 0o777).toBe(0o700);
    }
    scratch.close();
    expect(scratch.paths.map((path) => existsSync(path))).toEqual([false, false]);
    const outside = scratchFolder('voice');
    expect(dirname(outside)).toBe(tmpdir());
    rmSync(outside, { recursive: true });
  });

  it('lies below the data folder alone where no files are kept in memory', () => {
    rmSync(memory, { recursive: true });
    const scratch = opened();
    expect(scratch.paths.map((path) => dirname(path))).toEqual([join(dataDir, 'scratch')]);
    scratch.close();
  });

  it('does not lie in memory if other users can read its folder there', () => {
    chmodSync(memory, 0o1777);
    const first = opened();
    const [inMemory = ''] = first.paths;
    first.close();
    mkdirSync(dirname(inMemory));
    chmodSync(dirname(inMemory), 0o755);
    const second = opened();
    expect(second.paths.map((path) => dirname(path))).toEqual([join(dataDir, 'scratch')]);
    second.close();
  });

  it('is created again when an operator emptied the data folder', () => {
    const scratch = opened();
    for (const path of scratch.paths) rmSync(dirname(path), { recursive: true });
    expect(dirname(scratchFolder('words'))).toBe(scratch.paths[0]);
    scratch.close();
  });

  it('stays beside that of another installation in the same process', () => {
    const first = opened();
    const second = opened();
    expect(first.paths.map((path) => existsSync(path))).toEqual([true, true]);
    second.close();
    expect(dirname(scratchFolder('voice'))).toBe(first.paths[0]);
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
  const scratch = opened();
  expect(readdirSync(parent).toSorted()).toEqual([...kept, basename(scratch.paths[1] ?? '')].toSorted());
  scratch.close();
});

/** A file system of 64 kB has less free space than any place must have. */
describe.skipIf(!mayMount)('while a file system is full', () => {
  const full: string[] = [];
  const fill = (folder: string): void => {
    if (!mount(folder, '64k')) throw new Error('not mounted');
    full.push(folder);
  };
  afterEach(() => {
    for (const folder of full.splice(0)) unmount(folder);
  });

  it('temporary files lie in memory when the disk of the data folder is full', () => {
    fill(dataDir);
    const scratch = opened();
    expect(ownScratch()).toBe(scratch.paths[0]);
    scratch.close();
  });

  it('the files of one purpose move to the disk when the memory fills up, and back, in one folder of each', () => {
    const scratch = opened();
    const [inMemory, onDisk] = scratch.paths;
    const folders = new ScratchFolders('voice');
    const first = folders.path;
    expect(dirname(first)).toBe(inMemory);
    fill(memory);
    const second = folders.path;
    expect([dirname(second), folders.path]).toEqual([onDisk, second]);
    unmount(memory);
    full.length = 0;
    expect(folders.path).toBe(first);
    folders.close();
    expect([first, second].map((path) => existsSync(path))).toEqual([false, false]);
    scratch.close();
  });

  it('they lie in the folder of the system when both are full', () => {
    const scratch = opened();
    fill(memory);
    fill(dataDir);
    const folders = new ScratchFolders('voice');
    const { path } = folders;
    expect([dirname(path), folders.path]).toEqual([tmpdir(), path]);
    folders.close();
    scratch.close();
  });
});
