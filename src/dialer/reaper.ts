import { release } from '../domain/calls/attempt/release.ts';
import { endLostListeners } from '../domain/calls/listening.ts';
import { settleAttempt, type SettleDeps } from '../domain/calls/attempt/settle.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import {
  fenceNode,
  forgetFenced,
  orphanedCalls,
  quietCalls,
  reaperFindings,
  type OrphanedCall,
} from '../store/nodes.ts';
import { expiredLeases, noBeatsSeen, STRAY_MS, type BeatsSeen } from './presence.ts';

/** How long a fenced node's row is kept, so that its process learns from its next heartbeat that it was fenced. */
const KEEP_FENCED_MS = 3_600_000;
const REAP_MS = 1_000;
/** How often it looks when there is neither another node to watch nor a call to reap. */
const IDLE_REAP_MS = 3_000;
/** The same while the process's heartbeats look for both, and wake the reaper. */
const RESTING_REAP_MS = 15_000;
const BATCH = 200;
/** More than the live calls of one process. */
const MAX_OWN_CALLS = 5000;

/** The calls that are live in this process's memory; any other live call of its node is a stray. */
export interface OwnCalls {
  readonly nodeId: () => string;
  readonly holds: (callId: string) => boolean;
  /** The heartbeats of the process look for what the reaper has to do (`beatAndLook`). Absent: they do not. */
  readonly isLooking?: () => boolean;
}

/**
 * Fences nodes whose lease ran out, and releases or settles their calls. `run` is called again after `waitMs`; any number of
 * reapers may run at once, and one is enough.
 */
export class Reaper {
  readonly #deps: SettleDeps;
  readonly #nodeId: string | null;
  readonly #own: OwnCalls | null;
  #beats: BeatsSeen = noBeatsSeen();
  #waitMs = REAP_MS;
  #hasPeers = true;

  /** `nodeId`: the node of this process; null: it carries no calls. */
  constructor(deps: SettleDeps, nodeId: string | null, own: OwnCalls | null = null) {
    this.#deps = deps;
    this.#nodeId = nodeId;
    this.#own = own;
  }

  /** How long until the next run, after the last one. */
  get waitMs(): number {
    return this.#waitMs;
  }

  /** Other processes carry calls, or calls of a dead one were left, by the last run. */
  get hasPeers(): boolean {
    return this.#hasPeers;
  }

  /** Fences expired nodes and reaps every orphaned call. Returns how many calls it settled or released. */
  async run(): Promise<number> {
    const { db, clock } = this.#deps;
    this.#waitMs = REAP_MS;
    const quiet = new Date(clock.now() - STRAY_MS);
    const fenced = new Date(clock.now() - KEEP_FENCED_MS);
    const found = await reaperFindings(db, this.#own?.nodeId() ?? null, { quiet, fenced });
    const nodes = found.nodes.filter((node) => node.id !== this.#nodeId);
    const beats = nodes.map((node) => ({ id: node.id, beat: node.beatAt.getTime() }));
    const observed = expiredLeases(this.#beats, beats, clock.monotonic());
    this.#beats = observed.beats;
    this.#hasPeers = nodes.length > 0 || found.hasOrphans;
    const unfenced: unknown[] = [];
    let { hasOrphans } = found;
    for (const node of nodes) {
      if (!observed.expired.includes(node.id)) continue;
      hasOrphans = true;
      // A node that froze while it held its own row blocks this update; the other nodes' calls must not wait for it.
      await fenceNode(db, node.id, node.beatAt, new Date(clock.now())).catch((error: unknown) => {
        unfenced.push(error);
      });
    }
    let reaped = hasOrphans ? await reapOrphans(this.#deps) : 0;
    if (found.hasQuiet && this.#own !== null) reaped += await this.#reapStrays(this.#own, quiet);
    if (found.hasListeners) await endLostListeners(this.#deps);
    if (found.hasForgettable) await forgetFenced(db, fenced);
    if (unfenced.length > 0) throw unfenced[0];
    if (nodes.length === 0 && !hasOrphans && !found.hasQuiet && !found.hasListeners)
      this.#waitMs = this.#own?.isLooking?.() === true ? RESTING_REAP_MS : IDLE_REAP_MS;
    return reaped;
  }

  /** A call of this node that could not be journalled or settled is live only in the database. */
  async #reapStrays(own: OwnCalls, before: Date): Promise<number> {
    let reaped = 0;
    for (const call of await quietCalls(this.#deps.db, own.nodeId(), before, MAX_OWN_CALLS)) {
      if (!own.holds(call.callId) && (await reapCall(this.#deps, call))) reaped += 1;
    }
    return reaped;
  }
}

/** Runs the reaper; `onReaped` runs when it has settled or released a call. */
export const reapingPoller = (reaper: Reaper, log: Log, onReaped: () => void = () => undefined): Poller =>
  new Poller({
    poll: async () => {
      if ((await reaper.run()) > 0) onReaped();
      return reaper.waitMs;
    },
    pollMs: RESTING_REAP_MS,
    failedMs: IDLE_REAP_MS,
    onError: (error) => log.warn({ err: error }, 'the reaper failed'),
  });

/** Reaps every live call of fenced nodes. At start it runs after the registration, which fences the predecessor. */
export async function reapOrphans(deps: SettleDeps): Promise<number> {
  let reaped = 0;
  for (;;) {
    const orphans = await orphanedCalls(deps.db, BATCH);
    let done = 0;
    for (const orphan of orphans) done += (await reapCall(deps, orphan)) ? 1 : 0;
    reaped += done;
    if (orphans.length < BATCH || done === 0) return reaped;
  }
}

/**
 * Releases an attempt without a journalled dial. One with it may have rung a phone: it ends as unknown and is never
 * redialled.
 */
async function reapCall(deps: SettleDeps, orphan: OrphanedCall): Promise<boolean> {
  const now = deps.clock.now();
  const { released } = await release(deps, orphan, { subStatus: 'QUEUED', dueAt: now });
  if (released) return true;
  const { workspaceId, callId, attempt, nodeId } = orphan;
  const settled = await settleAttempt(deps, {
    workspaceId,
    callId,
    attempt,
    nodeId,
    end: { kind: 'crashed' },
    // The last moment at which the call is known to have been up: talk after it is not charged.
    endedAt: Math.min(orphan.lastBeat?.getTime() ?? now, now),
    answeredAt: null,
    hangupBy: 'system',
    sipCallId: null,
    sipCode: null,
    reason: 'node lost',
    result: null,
  });
  return settled.settled;
}
