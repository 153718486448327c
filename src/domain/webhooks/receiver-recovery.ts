import type { Clock } from '../../shared/clock.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  closeOutage,
  dropOldest,
  forgetGivenUp,
  hasAccepted,
  isDisabled,
  keepDelivery,
  openOutage,
  saveOutage,
  sendOldestKept,
  stateOfDelivery,
  takeGivenUp,
  takeOutages,
  type GivenUp,
  type Outage,
} from '../../store/webhooks/outages.ts';
import { resendOne } from '../../store/webhooks/delivery-log.ts';
import { appendDeliveryFailed } from './delivery-failed.ts';
import { MAX_ATTEMPTS, RECEIVER_DISABLED } from './delivery-rules.ts';
import { disableIfDue } from './disable-receiver.ts';
import { accepted, begun, KEPT_DELIVERIES, mayProbe, refused } from './recovery-schedule.ts';

export interface RecoveryDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Deliveries kept per workspace. */
  readonly keep?: number;
}

/** Given-up deliveries, and outages, of one transaction. */
const BATCH = 100;
/** How often a success of new events is looked for, and how long before the last look such an event may have begun. */
const LOOK_EVERY_MS = 5000;
const LOOK_BACK_MS = 600_000;

/** What one step found. */
export interface Recovered {
  /** Deliveries were queued, or an event about an outage was. */
  readonly hasQueued: boolean;
  /** More waits, or a kept delivery is under way to a receiver that is back. */
  readonly isBusy: boolean;
}

/**
 * Takes in what was given up since the last time: an outage begins with an event, and deliveries of subscriptions with automatic
 * recovery are kept. Any process may do this; every state is in the database.
 */
export function takeInGivenUp(deps: RecoveryDeps): Promise<Recovered> {
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const given = await takeGivenUp(tx, BATCH);
    let hasQueued = false;
    // One order for all processes: two that hold outages in another order would deadlock.
    for (const each of given.toSorted(byReceiver)) if (await takeIn(tx, each, now)) hasQueued = true;
    const workspaces = new Set(
      given.filter(({ recovers }) => recovers).map(({ workspaceId }) => workspaceId),
    );
    for (const workspaceId of workspaces) await dropOldest(tx, workspaceId, deps.keep ?? KEPT_DELIVERIES);
    return { hasQueued, isBusy: given.length === BATCH };
  });
}

const byReceiver = (a: GivenUp, b: GivenUp): number =>
  a.workspaceId.localeCompare(b.workspaceId) || a.target.localeCompare(b.target) || a.eventSeq - b.eventSeq;

async function takeIn(tx: Tx, given: GivenUp, now: number): Promise<boolean> {
  if (!given.isReal) {
    await forgetGivenUp(tx, given.workspaceId, given.id);
    return false;
  }
  if (given.lastError === RECEIVER_DISABLED && !(await isDisabled(tx, given))) {
    // The receiver was enabled while the delivery was on its way here.
    await forgetGivenUp(tx, given.workspaceId, given.id);
    return resendOne(tx, given.workspaceId, given.id, new Date(now));
  }
  const { outage, isNew } = await openOutage(tx, given, begun(now).probeAt);
  const isHead = outage.headId === given.id;
  const { next, drop } = isHead ? refused(outage, now) : { next: outage, drop: false };
  if (given.recovers && !drop) await keepDelivery(tx, given, outage.id);
  else await forgetGivenUp(tx, given.workspaceId, given.id);
  const head = { headId: null, dropped: outage.dropped + (drop ? 1 : 0) };
  const after = isHead ? { ...outage, ...next, ...head } : outage;
  if (isHead) await saveOutage(tx, outage, after, now);
  if (isNew) return appendDeliveryFailed(tx, outage, given, new Date(now));
  return disableIfDue(tx, after, now);
}

/** Sends kept deliveries to receivers whose probe is due or that are back, one at a time and in order, and ends outages. */
export function probeReceivers(deps: RecoveryDeps): Promise<Recovered> {
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const outages = await takeOutages(tx, now, LOOK_EVERY_MS, BATCH);
    let hasQueued = false;
    let isBusy = outages.length === BATCH;
    for (const outage of outages) {
      const step = await probe(tx, outage, now);
      hasQueued ||= step === 'queued';
      isBusy ||= step !== 'waits' && outage.isBack;
    }
    return { hasQueued, isBusy };
  });
}

async function probe(tx: Tx, outage: Outage, now: number): Promise<'queued' | 'under way' | 'waits'> {
  let state = outage;
  if (outage.headId !== null) {
    const became = await stateOfDelivery(tx, outage.workspaceId, outage.headId);
    // Of a refused one `takeInGivenUp` decides.
    if (became === 'due' || became === 'dead') return 'under way';
    await forgetGivenUp(tx, outage.workspaceId, outage.headId);
    const after = became === 'delivered' ? { ...accepted(outage, now), refusals: 0 } : {};
    state = { ...outage, ...after, headId: null };
  } else if (!outage.isBack && (await hasAccepted(tx, outage, LOOK_BACK_MS))) {
    state = { ...outage, ...accepted(outage, now) };
  }
  const headId = mayProbe(state, now) ? await sendOldestKept(tx, state, MAX_ATTEMPTS - 1, now) : null;
  if (headId === null && state.isBack) {
    await closeOutage(tx, state);
    return 'waits';
  }
  // Without kept deliveries there is nothing to probe with: a success of a new event ends the outage.
  const probeAt = headId === null && mayProbe(state, now) ? null : state.probeAt;
  await saveOutage(tx, state, { ...state, probeAt, headId }, now);
  return headId === null ? 'waits' : 'queued';
}
