import { Gauge, type Registry } from 'prom-client';

export interface Load {
  liveCalls: () => number;
  freeCalls: () => number;
  /** What the worker threads say they hold. */
  workerCalls: () => number;
  rtpPortsInUse: () => number;
  /** The worst worker's. */
  lateTickP99Ms: () => number;
}

/** What this process carries, read when somebody looks. */
export function registerGauges(registry: Registry, load: Load): void {
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('callwright_live_calls', 'Calls in progress in this process', load.liveCalls);
  gauge('callwright_free_calls', 'Calls this process can still take', load.freeCalls);
  gauge('callwright_worker_calls', 'Calls the call workers hold', load.workerCalls);
  gauge('callwright_rtp_ports_in_use', 'RTP port pairs bound by the call workers', load.rtpPortsInUse);
  gauge(
    'callwright_late_tick_p99_ms',
    'How late the 20 ms media tick ran, 99th percentile of the worst worker',
    load.lateTickP99Ms,
  );
}
