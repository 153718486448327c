import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread, threadId, workerData } from 'node:worker_threads';

/** How often a call worker writes down its longest step, by the clock and by its thread's processor time. */
const EVERY_MS = 250;
/** The histogram measures the time between two timers of this length. */
const RESOLUTION_MS = 2;

// Loaded into every thread of the service before its program (node --import); only call workers have an address for RTP.
const folder = process.env['LOOP_STEPS'];
const isCallWorker =
  !isMainThread && (workerData as { rtpAddress?: string } | null)?.rtpAddress !== undefined;
if (isCallWorker && folder !== undefined) {
  const steps = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  steps.enable();
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  // The steps between two timers took at most so much of the thread's processor time.
  let [before, busiest] = [cpuMs(), 0];
  setInterval(() => {
    const now = cpuMs();
    busiest = Math.max(busiest, now - before);
    before = now;
  }, RESOLUTION_MS).unref();
  setInterval(() => {
    const ms = Math.max(0, steps.max / 1e6 - RESOLUTION_MS);
    steps.reset();
    appendFileSync(join(folder, String(threadId)), `${Date.now()} ${ms.toFixed(1)} ${busiest.toFixed(1)}\n`);
    busiest = 0;
  }, EVERY_MS).unref();
}
