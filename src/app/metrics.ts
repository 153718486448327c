import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReadyCheck } from '../http/server/server-deps.ts';
import type { Db } from '../store/database.ts';
import { countRecordingWork } from '../store/recordings/files.ts';
import type { WorkerLoad } from '../workers/call-worker-api.ts';
import type { CallReport } from './call-link.ts';

/** Load of this process, read at each scrape; absent while the thread that carries the calls does not respond. */
export function registerGauges(registry: Registry, read: () => Promise<CallReport | null>): void {
  const gauge = (name: string, help: string, of: (report: CallReport) => number | null): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const report = await read();
        const value = report === null ? null : of(report);
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  const sum = (loads: readonly WorkerLoad[], of: (load: WorkerLoad) => number): number =>
    loads.reduce((total, load) => total + of(load), 0);
  gauge('callwright_live_calls', 'Calls in progress in this process', ({ liveCalls }) => liveCalls);
  gauge('callwright_free_calls', 'Calls this process can still take', ({ freeCalls }) => freeCalls);
  gauge(
    'callwright_recogniser_calls',
    'Calls that have a slot of the recognisers of this machine',
    ({ ears }) => ears.used,
  );
  gauge(
    'callwright_recogniser_slots',
    'Calls that the recognisers of this machine hear at once; absent: no limit',
    ({ ears }) => ears.limit,
  );
  gauge(
    'callwright_recogniser_core_share',
    'Share of a core that the recogniser of this machine takes while one caller speaks; absent: none is loaded',
    ({ ears }) => ears.share,
  );
  gauge('callwright_worker_calls', 'Calls the call workers hold', ({ loads }) =>
    sum(loads, ({ calls }) => calls),
  );
  gauge('callwright_rtp_ports_in_use', 'RTP port pairs bound by the call workers', ({ loads }) =>
    sum(loads, ({ rtpPortsInUse }) => rtpPortsInUse),
  );
  gauge(
    'callwright_late_tick_p99_ms',
    'How late the 20 ms media tick ran, 99th percentile of the worst worker',
    ({ loads }) => Math.max(0, ...loads.map(({ lateTickP99Ms }) => lateTickP99Ms)),
  );
  gauge(
    'callwright_late_signalling_p99_ms',
    'How late the event loop of SIP and dialer ran, 99th percentile of the last ten seconds',
    ({ lateLoopP99Ms }) => lateLoopP99Ms,
  );
}

export interface RecordingHealth {
  failures(): Promise<CallReport['recordingFailures']>;
  freeBytes(): Promise<number>;
}

/** /metrics needs no key, so scrapes within this time share one query. */
const CACHED_MS = 5000;

/** Reads at most once in `CACHED_MS`; calls during a read share it. */
export function cached<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly value: Promise<T> } | null = null;
  return () => {
    if (kept === null || performance.now() - kept.at >= CACHED_MS) {
      kept = { at: performance.now(), value: read() };
    }
    return kept.value;
  };
}

/** How long readiness reports a failed recording. */
const REPORTED_FOR_MS = 600_000;
/** Free bytes below which readiness warns; an hour of talk takes about 115 MB. */
const LOW_BYTES = 1_000_000_000;

/** Metrics that alert an operator before recordings are lost. */
export function registerRecordingMetrics(registry: Registry, health: RecordingHealth, db: Db): void {
  const freeBytes = cached(() => health.freeBytes().catch(() => 0));
  const recordingWork = cached(() => countRecordingWork(db).catch(() => []));
  const failures = new Counter({
    registers: [],
    name: 'callwright_recording_failures_total',
    help: 'Calls whose recording could not be kept, or only in part',
    async collect() {
      const { count } = await health.failures();
      this.reset();
      this.inc(count);
    },
  });
  const free = new Gauge({
    registers: [],
    name: 'callwright_recordings_free_bytes',
    help: 'Free bytes on the disk that recordings are written to',
    async collect() {
      this.set(await freeBytes());
    },
  });
  const waiting = new Gauge({
    registers: [],
    name: 'callwright_recordings_waiting',
    help: 'Recordings that wait for repair, upload or deletion by any process',
    labelNames: ['work'],
    async collect() {
      const work = await recordingWork();
      this.reset();
      for (const { state, count } of work) this.set({ work: state }, count);
    },
  });
  for (const metric of [failures, free, waiting]) registry.registerMetric(metric);
}

/** A note in the readiness answer. Calls go on without recordings, so it never makes the process unready. */
export async function recordingNote(health: RecordingHealth): Promise<ReadyCheck> {
  const { count, agoMs } = await health.failures();
  const free = await health.freeBytes().catch(() => null);
  const failed = agoMs !== null && agoMs < REPORTED_FOR_MS;
  const notes = [
    ...(failed ? [`${count} recordings could not be kept`] : []),
    ...(free === null ? ['the folder of recordings cannot be read'] : []),
    ...(free !== null && free < LOW_BYTES
      ? [`${Math.floor(free / 1_000_000)} MB are left for recordings`]
      : []),
  ];
  return { name: 'recordings', ok: true, ...(notes.length === 0 ? {} : { detail: notes.join('; ') }) };
}
