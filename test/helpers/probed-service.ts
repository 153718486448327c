import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { ProviderChoice } from '../../src/providers/registry.ts';
import { createLog } from '../../src/shared/log.ts';

/** What the process holds at one moment. */
export interface Probe {
  fileDescriptors: number;
  /** What keeps the main thread's loop alive, by kind. */
  resources: Record<string, number>;
  rssMb: number;
  /** The largest `rssMb` so far. */
  peakRssMb: number;
  /** Objects and buffers of the main thread. */
  heapMb: number;
}

/**
 * A program for tests: the whole service with the providers named by PROBED_PROVIDERS. Asked over its message
 * channel it answers what it holds, after a collection of garbage.
 */
async function main(): Promise<void> {
  const loaded = loadConfig(process.env);
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const named = JSON.parse(process.env['PROBED_PROVIDERS'] ?? '{}') as ProviderChoice;
  const providers: ProviderChoice = { ...named, openai: named.openai ?? null };
  const app = createApp(loaded.config, {
    log: createLog({ level: loaded.config.logLevel, pretty: false }),
    nodeName: 'probed',
    providers,
  });
  process.on('SIGTERM', () => {
    void app.stop().then(() => process.exit(0));
  });
  const answer = async (): Promise<void> => {
    // Twice: buffers that the first round frees are counted until they are swept.
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 100));
    collectGarbage();
    const resources: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
    process.send?.({
      fileDescriptors: readdirSync('/proc/self/fd').length,
      resources,
      rssMb: rss / 1_048_576,
      peakRssMb: Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024,
      heapMb: (heapUsed + arrayBuffers) / 1_048_576,
    } satisfies Probe);
  };
  process.on('message', () => void answer());
  await app.start();
}

await main();
