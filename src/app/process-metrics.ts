import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Between two samples of the `nodejs_eventloop_lag_` metrics; each wakes the thread, and without calls little else does. */
const LAG_SAMPLE_MS = 3_000;

/** The metrics of the process and of this thread's event loop. */
export const registerProcessMetrics = (register: Registry): void =>
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LAG_SAMPLE_MS });
