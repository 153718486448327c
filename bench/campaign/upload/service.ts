import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/shared/log.ts';

/** The unmodified program; reports event-loop delay and memory to its parent process. */
const loaded = loadConfig(process.env);
if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
const app = createApp(loaded.config, {
  log: createLog({ level: loaded.config.logLevel, pretty: false }),
  nodeName: 'bench',
});
const delay = monitorEventLoopDelay({ resolution: 10 });
let [base, peak] = [0, 0];
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 50).unref();
process.on('message', (message) => {
  if (message === 'begin') {
    base = process.memoryUsage.rss();
    peak = base;
    delay.reset();
    delay.enable();
    process.send?.('begun');
  } else {
    delay.disable();
    const ms = (nanoseconds: number): number => nanoseconds / 1e6;
    process.send?.({
      p50: ms(delay.percentile(50)),
      p99: ms(delay.percentile(99)),
      max: ms(delay.max),
      base,
      peak,
    });
  }
});
process.on('SIGTERM', () => {
  void app.stop().then(() => process.exit(0));
});
await app.start();
