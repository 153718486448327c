import { settleAttempt, type SettleDeps } from '../domain/calls/settle-call.ts';
import { lockCall } from '../store/call-facts.ts';
import {
  fenceNode,
  forgetFenced,
  livingNodes,
  orphanedCalls,
  quietCalls,
  type OrphanedCall,
} from '../store/nodes.ts';
import { releaseAttempt } from '../store/settlements.ts';
import { openingAfter } from './gate.ts';
import { look, newWatch, type Watch } from './reaper-watch.ts';

/** How long a fenced process's row is kept, so that one that wakes up late learns of its fate. */
const KEEP_FENCED_MS = 3_600_000;
const BATCH = 200;
/** Longer than from a claim to its placing, or from a settlement to the forgetting of its call. */
const STRAY_MS = 30_000;
/** More live calls than one process carries. */
const OWN_CALLS = 5000;

/** The calls this process really has: to tell those that the database only thinks it has. */
export interface OwnCalls {
  readonly nodeId: () => string;
  readonly holds: (callId: string) => boolean;
}

/**
 * Settles the calls of processes that are gone. One look at the nodes per call of `run`, about once a second; any
 * number of reapers may run, and one is enough.
 */
export class Reaper {
  readonly #deps: SettleDeps;
  readonly #nodeId: string;
  readonly #own: OwnCalls | null;
  #watch: Watch = newWatch();

  constructor(deps: SettleDeps, nodeId: string, own: OwnCalls | null = null) {
    this.#deps = deps;
    this.#nodeId = nodeId;
    this.#own = own;
  }

  /** Fences silent nodes and settles every orphaned call. Returns how many calls it settled or put back. */
  async run(): Promise<number> {
    const { db, clock } = this.#deps;
    const nodes = (await livingNodes(db)).filter((node) => node.id !== this.#nodeId);
    const beats = nodes.map((node) => ({ id: node.id, beat: node.beatAt.getTime() }));
    const { watch, dead } = look(this.#watch, beats, clock.monotonic());
    this.#watch = watch;
    const unfenced: unknown[] = [];
    for (const node of nodes) {
      if (!dead.includes(node.id)) continue;
      // One that froze holding its own row keeps nobody else's calls waiting.
      await fenceNode(db, node.id, node.beatAt, new Date(clock.now())).catch((error: unknown) => {
        unfenced.push(error);
      });
    }
    const reaped =
      (await reapOrphans(this.#deps)) + (this.#own === null ? 0 : await this.#reapStrays(this.#own));
    await forgetFenced(db, new Date(clock.now() - KEEP_FENCED_MS));
    if (unfenced.length > 0) throw unfenced[0];
    return reaped;
  }

  /** A call of ours that could not be journalled or settled in time is live in the database alone. */
  async #reapStrays(own: OwnCalls): Promise<number> {
    const before = new Date(this.#deps.clock.now() - STRAY_MS);
    let reaped = 0;
    for (const call of await quietCalls(this.#deps.db, own.nodeId(), before, OWN_CALLS)) {
      if (!own.holds(call.callId) && (await reapCall(this.#deps, call))) reaped += 1;
    }
    return reaped;
  }
}

/** Settles every live call of fenced nodes. At start it follows the registration, which fences the predecessor. */
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
 * An attempt that was journalled as dialled may have rung someone: it ends as unknown and is never redialled. One
 * that was not goes back to the queue as if it had never been claimed.
 */
async function reapCall(deps: SettleDeps, orphan: OrphanedCall): Promise<boolean> {
  const { workspaceId, callId, attempt, nodeId } = orphan;
  const released = await deps.db.transaction().execute(async (tx) => {
    const call = await lockCall(tx, workspaceId, callId);
    const isTheirs = call?.status === 'ongoing' && call.attempt === attempt && call.nodeId === nodeId;
    if (call === null || !isTheirs || call.callType !== 'outbound' || call.dialedAt !== null) return false;
    const now = deps.clock.now();
    const opening = openingAfter(call.versionConfig, call.callConfig, call.toNumber, now) ?? now;
    const subStatus = opening > now ? 'WINDOW_CLOSED' : 'QUEUED';
    await releaseAttempt(tx, call, { subStatus, dueAt: new Date(opening), at: new Date(now) });
    return true;
  });
  if (released) return true;
  const settled = await settleAttempt(deps, {
    workspaceId,
    callId,
    attempt,
    nodeId,
    end: { kind: 'crashed' },
    // Nobody knows of a later moment at which the call was up.
    endedAt: Math.min(orphan.lastBeat?.getTime() ?? deps.clock.now(), deps.clock.now()),
    answeredAt: null,
    hangupBy: 'system',
    sipCallId: null,
    sipCode: null,
    reason: 'node lost',
    result: null,
  });
  return settled.settled;
}
