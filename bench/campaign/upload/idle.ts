import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A process that does nothing: how late an event loop runs here for the machine's reasons alone. */
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
