import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  holderOf,
  takeFolder,
  type FolderLock,
  type Holder,
  type Taken,
} from '../../../src/shared/folder-lock.ts';
import { isAlive, startOf } from '../../../src/shared/processes.ts';

/** The lease is longer than a stall of a busy machine. */
const TIMES = { beatMs: 50, leaseMs: 3_000 };
const MODULE = join(import.meta.dirname, '../../../src/shared/folder-lock.ts');

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'callwright-lock-')), 'lock');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const lockIn = (taken: Taken): FolderLock => {
  if ('heldBy' in taken) throw new Error(`held by ${taken.heldBy.pid}`);
  return taken.lock;
};
const take = (): Promise<Taken> => takeFolder(folder, 'start', TIMES);
const current = async (): Promise<string> =>
  join(folder, String(Math.max(...(await readdir(folder)).map(Number).filter(Number.isInteger))));
/** Changes what the lock says of its holder. */
async function rewrite(change: Partial<Holder>): Promise<void> {
  const path = await current();
  const holder = JSON.parse(await readFile(path, 'utf8')) as Holder;
  await writeFile(path, JSON.stringify({ ...holder, ...change }));
}

/** Another process that takes the folder and prints whether it got it; `go` lets it begin. */
function taker(): { child: ReturnType<typeof spawn>; ready: Promise<void>; result: Promise<string> } {
  const program = `
    import { takeFolder } from ${JSON.stringify(MODULE)};
    process.stdout.write('ready\\n');
    await new Promise((go) => process.stdin.once('data', go));
    const taken = await takeFolder(${JSON.stringify(folder)}, 'start', ${JSON.stringify(TIMES)});
    process.stdout.write('lock' in taken ? 'taken\\n' : 'held by ' + taken.heldBy.pid + '\\n');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  const line = (wanted: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = wanted.exec(output);
        if (found !== null) resolve(found[0]);
      };
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        look();
      });
    });
  return { child, ready: line(/ready/).then(() => undefined), result: line(/taken|held by \d+/) };
}

describe('a folder', () => {
  it('has one holder, which is named, until the holder releases it', async () => {
    const first = lockIn(await take());
    expect(await take()).toEqual({
      heldBy: expect.objectContaining({ pid: process.pid, task: 'start', start: await startOf(process.pid) }),
    });
    expect(await holderOf(folder, TIMES)).toMatchObject({ pid: process.pid });
    await first.release();
    expect(await holderOf(folder, TIMES)).toBeNull();
    lockIn(await take());
  });

  it('of a killed process is taken at once', async () => {
    const other = taker();
    await other.ready;
    other.child.stdin?.write('go');
    expect(await other.result).toBe('taken');
    expect(await take()).toMatchObject({ heldBy: { pid: other.child.pid } });
    other.child.kill('SIGKILL');
    await once(other.child, 'exit');
    lockIn(await take());
  });

  it('of a killed process whose parent never waits for it is taken at once', async () => {
    lockIn(await take());
    const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(printed.toString());
      await rewrite({ pid, start: await startOf(pid) });
      expect(await take()).toMatchObject({ heldBy: { pid } });
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => holderOf(folder, TIMES)).toBeNull();
      expect(isAlive(pid)).toBe(true);
      lockIn(await take());
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('of a process whose pid another process reuses is taken at once', async () => {
    lockIn(await take());
    await rewrite({ start: '1' });
    expect(await take()).toHaveProperty('lock');
  });

  it('with a lock that a crash of the machine left unreadable is taken', async () => {
    lockIn(await take());
    await writeFile(await current(), '');
    expect(await take()).toHaveProperty('lock');
  });

  it('that is stale goes to exactly one of many simultaneous takers', async () => {
    lockIn(await take());
    await rewrite({ start: '1' });
    const takers = Array.from({ length: 8 }, taker);
    try {
      await Promise.all(takers.map(({ ready }) => ready));
      for (const { child } of takers) child.stdin?.write('go');
      const results = await Promise.all(takers.map(({ result }) => result));
      const winner = takers[results.indexOf('taken')];
      expect(results.filter((result) => result === 'taken')).toHaveLength(1);
      expect(results.filter((result) => result === `held by ${winner?.child.pid}`)).toHaveLength(7);
    } finally {
      for (const { child } of takers) child.kill('SIGKILL');
    }
  }, 180_000);
});

describe('a holder of another host or container', () => {
  // A container's service is process 1 of its own namespace: the pid says nothing here.
  const elsewhere = { scope: 'another kernel', host: 'other', pid: 1 };

  it('that still writes its heartbeat keeps the folder', async () => {
    const first = lockIn(await take());
    await rewrite(elsewhere);
    first.keep(
      () => undefined,
      () => undefined,
    );
    expect(await take()).toMatchObject({ heldBy: { host: 'other', pid: 1 } });
    expect(await holderOf(folder, TIMES)).toMatchObject({ host: 'other' });
    await first.release();
  });

  it('that writes none for a whole lease loses it, and learns that', async () => {
    const first = lockIn(await take());
    await rewrite(elsewhere);
    const second = lockIn(await take());
    await new Promise<void>((lost) => first.keep(lost, () => undefined));
    // The late release of the first holder frees nothing.
    await first.release();
    expect(await take()).toMatchObject({ heldBy: { pid: process.pid } });
    await second.release();
  });

  it('writes its lock again after somebody deleted it', async () => {
    const first = lockIn(await take());
    let lost = false;
    first.keep(
      () => (lost = true),
      () => undefined,
    );
    await rm(folder, { recursive: true });
    await expect.poll(() => holderOf(folder, TIMES)).toMatchObject({ pid: process.pid });
    expect(lost).toBe(false);
    await first.release();
  });
});

it('a copy of the folder is free once its holder has ended', async () => {
  const other = taker();
  await other.ready;
  other.child.stdin?.write('go');
  await other.result;
  const copy = `${folder}-copy`;
  await cp(folder, copy, { recursive: true });
  other.child.kill('SIGKILL');
  await once(other.child, 'exit');
  expect(await takeFolder(copy, 'start', TIMES)).toHaveProperty('lock');
});
