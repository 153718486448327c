import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Idle process: measures the event-loop delay that the machine alone causes. */
const delay = monitorEventLoopDelay({ resolution: 10 });
setInterval(() => undefined, 1000);
process.on('message', (message) => {
  if (message === 'begin') {
    delay.reset();
    delay.enable();
    process.send?.('begun');
  } else {
    process.send?.({ p99: delay.percentile(99) / 1e6 });
    process.disconnect();
    process.exit(0);
  }
});
