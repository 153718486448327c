import { readdirSync, readFileSync } from 'node:fs';
import { getHeapSpaceStatistics } from 'node:v8';
import { BroadcastChannel } from 'node:worker_threads';
import koffi from 'koffi';
import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import type { ProviderChoice } from '../../../src/providers/choose/installation.ts';
import { createLog } from '../../../src/shared/log.ts';
import { COLLECT, garbageCollector } from './collect-preload.ts';

/** Resources of the process at one moment. */
export interface Probe {
  fileDescriptors: number;
  /** Active resources of the main thread's event loop, by kind. */
  resources: Record<string, number>;
  /** Resident size, without garbage of any thread and without pages that the allocator keeps for later. */
  rssMb: number;
  /** The largest `rssMb` so far. */
  peakRssMb: number;
  /** Heap and array buffers of the main thread, without the code that V8 compiles as functions run. */
  heapMb: number;
}

/**
 * Test program: the whole service with the providers named by PROBED_PROVIDERS. On each IPC message it collects garbage
 * and reports its resources. With collect-preload.ts as a preload, its other threads collect theirs, too.
 */
async function main(): Promise<void> {
  const loaded = loadConfig(process.env);
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  const collectGarbage = garbageCollector();
  const others = new BroadcastChannel(COLLECT);
  others.unref();
  // Only glibc has it.
  const trim = process.platform === 'linux' ? koffi.load(null).func('int malloc_trim(size_t)') : null;
  const providers = JSON.parse(process.env['PROBED_PROVIDERS'] ?? '{}') as ProviderChoice;
  const app = createApp(loaded.config, {
    log: createLog({ level: loaded.config.logLevel, pretty: false }),
    nodeName: 'probed',
    providers,
  });
  process.on('SIGTERM', () => {
    void app.stop().then(() => process.exit(0));
  });
  const answer = async (): Promise<void> => {
    // Twice: buffers freed by the first collection are counted until they are swept.
    for (const waitMs of [100, 400]) {
      others.postMessage(null);
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    trim?.(0);
    const resources: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
    const code = getHeapSpaceStatistics()
      .filter(({ space_name: name }) => /code|trusted/.test(name))
      .reduce((sum, space) => sum + space.space_used_size, 0);
    process.send?.({
      fileDescriptors: readdirSync('/proc/self/fd').length,
      resources,
      rssMb: rss / 1_048_576,
      peakRssMb: Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024,
      heapMb: (heapUsed - code + arrayBuffers) / 1_048_576,
    } satisfies Probe);
  };
  process.on('message', () => void answer());
  await app.start();
}

await main();
