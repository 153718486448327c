import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReadyCheck } from '../http/server-deps.ts';
import type { Db } from '../store/database.ts';
import { countRecordingWork } from '../store/recordings.ts';

export interface RecordingHealth {
  /** Calls of this process whose recording could not be kept, and when the last one failed (monotonic ms). */
  failures(): { readonly count: number; readonly lastAt: number | null };
  freeBytes(): Promise<number>;
}

/** How long readiness goes on telling of a recording that failed. */
const TOLD_FOR_MS = 600_000;
/** Less room than this is told of before it is gone: an hour of talk takes about 115 MB. */
const LOW_BYTES = 1_000_000_000;

/** Metrics by which an operator is woken before, and at the latest when, recordings are lost. */
export function registerRecordingMetrics(registry: Registry, health: RecordingHealth, db: Db): void {
  const failures = new Counter({
    registers: [],
    name: 'callwright_recording_failures_total',
    help: 'Calls whose recording could not be kept, or only in part',
    collect() {
      this.reset();
      this.inc(health.failures().count);
    },
  });
  const free = new Gauge({
    registers: [],
    name: 'callwright_recordings_free_bytes',
    help: 'Room on the disk recordings are written to',
    async collect() {
      this.set(await health.freeBytes().catch(() => 0));
    },
  });
  const waiting = new Gauge({
    registers: [],
    name: 'callwright_recordings_waiting',
    help: 'Recordings that wait to be mended, uploaded or deleted, by any process',
    labelNames: ['work'],
    async collect() {
      const work = await countRecordingWork(db).catch(() => []);
      this.reset();
      for (const { state, count } of work) this.set({ work: state }, count);
    },
  });
  for (const metric of [failures, free, waiting]) registry.registerMetric(metric);
}

/** A note in the readiness answer. Calls go on without recordings, so it never makes the process unready. */
export async function recordingNote(health: RecordingHealth): Promise<ReadyCheck> {
  const { count, lastAt } = health.failures();
  const free = await health.freeBytes().catch(() => null);
  const failed = lastAt !== null && performance.now() - lastAt < TOLD_FOR_MS;
  const notes = [
    ...(failed ? [`${count} recordings could not be kept`] : []),
    ...(free === null ? ['the folder of recordings cannot be read'] : []),
    ...(free !== null && free < LOW_BYTES
      ? [`${Math.floor(free / 1_000_000)} MB are left for recordings`]
      : []),
  ];
  return { name: 'recordings', ok: true, ...(notes.length === 0 ? {} : { detail: notes.join('; ') }) };
}
