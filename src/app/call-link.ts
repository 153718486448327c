import type { Watch, WatchAll } from '../domain/calls/watch.ts';
import type { TrunkProbe } from '../domain/trunks/read-trunks.ts';
import type { ReadyCheck } from '../http/server/server-deps.ts';
import type { ConnectSpeech } from '../offline/speech/speech-api.ts';
import type { ListenOpened } from '../dialer/live-calls.ts';
import type { CarrierConnect, WebConnect, WebConnected } from '../dialer/web.ts';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { CallOrder } from '../shared/call-order.ts';
import type { CarrierStatus } from '../shared/carrier-status.ts';
import type { EnginesInUse } from '../shared/engines-in-use.ts';
import type { EntranceName } from '../shared/ingress/entrance.ts';
import type { FallbackCount } from '../shared/fallback-counts.ts';
import type { VendorFaultCount } from '../providers/choose/faults.ts';
import type { WorkerLoad } from '../workers/call-worker-api.ts';

export interface Trunk {
  readonly name: string;
  /** Null: not probed. */
  readonly reachable: boolean | null;
  /** Null: the trunk does not register. */
  readonly registered: boolean | null;
  /** Status with which the registrar refused the last REGISTER; null: it did not. */
  readonly refusal: number | null;
  /** Those that its entry lists, in its order. */
  readonly gateways: TrunkProbe['gateways'];
  /** What is wrong with the account of a carrier's API; null: nothing, or not checked. */
  readonly fault: NonNullable<TrunkProbe['fault']> | null;
}

/** Connections of one pool of the database. */
export interface PoolUse {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The calls of a process in figures, for readiness and metrics. Structured-cloneable. */
export interface CallReport {
  readonly checks: readonly ReadyCheck[];
  readonly trunks: readonly Trunk[];
  /** Ended attempts of this process, by status and sub-status. */
  readonly outcomes: readonly {
    readonly status: string;
    readonly subStatus: string;
    readonly count: number;
  }[];
  /** Windows in which a workspace reached a cap, by cap, as the dialer noted them. */
  readonly capsReached: readonly (readonly [cap: string, count: number])[];
  /** Sources that the SIP guard banned, so far and now. */
  readonly bans: { readonly total: number; readonly current: number };
  /** Faults of recognisers, speakers and models since the start. */
  readonly vendorFaults: readonly VendorFaultCount[];
  /** Replies of calls by another engine than the agent's first model, since the start. */
  readonly fallbackReplies: readonly FallbackCount[];
  readonly liveCalls: number;
  /** Calls that this process can still take. */
  readonly freeCalls: number;
  /**
   * The recognisers of this machine: calls that have a slot, slots (null: no limit), and the share of a core that one
   * speaking caller takes (null: none is loaded).
   */
  readonly ears: { readonly used: number; readonly limit: number | null; readonly share: number | null };
  /** What hears and speaks in calls; null: no worker has started yet, or this process carries no calls. */
  readonly engines: EnginesInUse | null;
  readonly loads: readonly WorkerLoad[];
  /** Calls whose recording could not be kept, and how long ago the last one failed. */
  readonly recordingFailures: { readonly count: number; readonly agoMs: number | null };
  /** Connections that sent more than their budget, by entrance, since the start. */
  readonly refusals: readonly (readonly [entrance: EntranceName, count: number])[];
  /** How late the event loop of SIP and dialer ran lately, 99th percentile. */
  readonly lateLoopP99Ms: number;
  readonly pool: PoolUse | null;
}

/** Connections of browsers and carriers, which the thread of the API receives and call workers carry. */
export interface WebCallLink {
  open(request: WebConnect | CarrierConnect): Promise<WebConnected>;
  /** Hands over the socket of an accepted connection. */
  connect(callId: string, socket: WebSocketHandover): void;
  /** Decides on the connection of a member who wants to hear a live call. */
  openListener(request: WebConnect): Promise<ListenOpened>;
  listen(listenerId: string, socket: WebSocketHandover): void;
  /** A report of a carrier on a call that it places. */
  carrierStatus(status: CarrierStatus): void;
}

/** How the control plane reaches the calls and the speech thread of its process, on this thread or on another. */
export interface CallLink {
  /** Wakes the scheduler of this process; null: the process claims no calls, so other processes are notified. */
  readonly wake: (() => void) | null;
  /** False when this process has no such live call of the workspace. */
  hangup(workspaceId: string, callId: string): Promise<boolean>;
  /** False when this process has no such answered call of the workspace. */
  control(workspaceId: string, callId: string, order: CallOrder): Promise<boolean>;
  readonly watch: Watch;
  readonly watchAll: WatchAll;
  /** Null: this process carries no calls. */
  readonly web: WebCallLink | null;
  /** Rejects when the thread that carries the calls does not respond. */
  report(): Promise<CallReport>;
  /** Probes a trunk now; false: it is not in service in this process. */
  checkTrunk(name: string): Promise<boolean>;
  readonly connectSpeech: ConnectSpeech;
}

/** The link of a process that carries no calls. */
export const noCalls = ({
  isDraining,
  connectSpeech,
}: {
  readonly isDraining: () => boolean;
  readonly connectSpeech: ConnectSpeech;
}): CallLink => ({
  connectSpeech,
  wake: null,
  hangup: () => Promise.resolve(false),
  control: () => Promise.resolve(false),
  watch: () => Promise.resolve(null),
  watchAll: () => () => undefined,
  web: null,
  checkTrunk: () => Promise.resolve(false),
  report: () =>
    Promise.resolve({
      checks: [drainCheck(isDraining())],
      trunks: [],
      outcomes: [],
      capsReached: [],
      bans: { total: 0, current: 0 },
      vendorFaults: [],
      fallbackReplies: [],
      liveCalls: 0,
      freeCalls: 0,
      ears: { used: 0, limit: null, share: null },
      engines: null,
      loads: [],
      recordingFailures: { count: 0, agoMs: null },
      refusals: [],
      lateLoopP99Ms: 0,
      pool: null,
    }),
});

export const drainCheck = (isDraining: boolean): ReadyCheck => ({ name: 'not draining', ok: !isDraining });

/** How long one run of the readiness checks answers every probe: /readyz needs no key and is not limited. */
export const READY_KEPT_MS = 1_000;
