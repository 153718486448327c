import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

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
