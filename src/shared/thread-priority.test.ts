import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { setProcessPriority } from './thread-priority.ts';

const own = getPriority();

it.runIf(process.platform === 'linux')('sets the priority of one thread only', async () => {
  const module = new URL('./thread-priority.ts', import.meta.url).href;
  const thread = new Worker(
    `import(${JSON.stringify(module)}).then(({ setThreadPriority }) => {
      setThreadPriority('control');
      require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority());
    });`,
    { eval: true },
  );
  expect(await once(thread, 'message')).toEqual([2]);
  expect(getPriority()).toBe(own);
});

it.runIf(process.platform === 'linux')(
  "sets the priority of V8's helpers, and of no other thread",
  async () => {
    const module = new URL('./thread-priority.ts', import.meta.url).href;
    const script = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { getPriority } from 'node:os';
    import { setHelperPriority } from ${JSON.stringify(module)};
    setHelperPriority('bulk');
    const threads = readdirSync('/proc/self/task').map((id) => ({
      isHelper: readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim() === 'V8Worker',
      nice: getPriority(Number(id)),
    }));
    console.log(JSON.stringify(threads));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const threads = JSON.parse(stdout) as { isHelper: boolean; nice: number }[];
    const niceOf = (isHelper: boolean) => [
      ...new Set(threads.filter((thread) => thread.isHelper === isHelper).map(({ nice }) => nice)),
    ];
    expect([niceOf(true), niceOf(false)]).toEqual([[10], [own]]);
  },
);

it.runIf(process.platform === 'linux')('sets the priority of a process that was just started', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  setProcessPriority(child.pid, 'bulk');
  expect([getPriority(child.pid), getPriority()]).toEqual([10, own]);
  child.stdin.end();
  await once(child, 'exit');
});
