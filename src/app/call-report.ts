import type { LiveCalls } from '../dialer/live-calls.ts';
import type { ReadyCheck } from '../http/server/server-deps.ts';
import type { ModelFault } from '../offline/words/ears.ts';
import type { CallSignalling } from '../telephony/call-signalling.ts';
import type { CallWorkers } from '../workers/call-workers.ts';
import { drainCheck, type CallReport, type PoolUse, type Trunk } from './call-link.ts';
import { recogniserNote, vendorNote } from './vendor-note.ts';

export interface CallReportSources extends Pick<CallReport, 'lateLoopP99Ms' | 'ears' | 'engines'> {
  readonly live: LiveCalls;
  readonly workers: CallWorkers;
  readonly freeCalls: number;
  /** Why this machine's recogniser is not loaded; null: it is, or none is installed. */
  readonly earFault: ModelFault | null;
  /** The checks of voices and recogniser. */
  readonly speech: readonly ReadyCheck[];
  /** Null: not started yet. */
  readonly signalling: CallSignalling | null;
  readonly pool: PoolUse | null;
  readonly isDraining: boolean;
  readonly capsReached: Iterable<readonly [cap: string, count: number]>;
}

/** The calls of this process in figures, as plain values that can go to another thread. */
export function callReport(sources: CallReportSources): CallReport {
  const {
    live,
    workers,
    freeCalls,
    ears,
    engines,
    speech,
    signalling,
    pool,
    isDraining,
    capsReached,
    lateLoopP99Ms,
  } = sources;
  const health = workers.health();
  const { listening = [], trunks: probed = [], bans } = signalling?.health() ?? {};
  const trunks = probed.map(({ name, reachable, registered, refusal, gateways, fault }) => ({
    name,
    reachable,
    registered,
    refusal,
    gateways,
    fault: fault ?? null,
  }));
  return {
    checks: [
      drainCheck(isDraining),
      { name: 'sip', ok: listening.length > 0 },
      trunkNote(trunks),
      vendorNote(workers.notes.vendorFaults),
      recogniserNote(workers.notes.failingRecognisers, sources.earFault),
      unsettledNote(live.unsettled),
      { name: 'call workers', ok: health.length > 0 && health.every((worker) => worker.ready) },
      ...speech,
    ],
    trunks,
    outcomes: [...live.outcomes],
    capsReached: [...capsReached],
    bans: bans ?? { total: 0, current: 0 },
    vendorFaults: workers.notes.vendorFaults,
    fallbackReplies: workers.notes.fallbackReplies,
    liveCalls: live.size,
    freeCalls,
    ears,
    engines,
    loads: health.map(({ load }) => load),
    recordingFailures: workers.notes.recordingFailures,
    refusals: workers.notes.refusals,
    lateLoopP99Ms,
    pool: pool === null ? null : useOf(pool),
  };
}

const useOf = ({ totalCount, idleCount, waitingCount }: PoolUse): PoolUse => ({
  totalCount,
  idleCount,
  waitingCount,
});

/** Makes the process unready while settlements wait for the database, so that it gets no new calls. */
function unsettledNote(unsettled: number): ReadyCheck {
  if (unsettled === 0) return { name: 'outcomes', ok: true };
  return {
    name: 'outcomes',
    ok: false,
    detail: `${unsettled} ended calls wait for the database to store their outcome`,
  };
}

/**
 * A note in the readiness answer. A trunk that is down never makes the process unready: the API still works, other
 * trunks still carry calls, and a restart would not bring the carrier back.
 */
function trunkNote(trunks: readonly Trunk[]): ReadyCheck {
  const down = trunks.flatMap(({ name, registered, reachable, gateways, fault }) => {
    if (registered === false) return [`trunk ${name} is not registered`];
    if (fault !== null) return [`trunk ${name}: ${fault.message}`];
    if (reachable === false) return [`trunk ${name} does not respond`];
    const silent = gateways.filter(({ health }) => health === 'suspect' || health === 'down').length;
    return silent === 0 ? [] : [`${silent} of ${gateways.length} gateways of trunk ${name} do not respond`];
  });
  return { name: 'trunks', ok: true, ...(down.length === 0 ? {} : { detail: down.join('; ') }) };
}
