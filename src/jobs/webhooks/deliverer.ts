import { afterAttempt, MAX_ATTEMPTS, RECEIVER_DISABLED } from '../../domain/webhooks/delivery-rules.ts';
import { signatureHeaders } from '../../domain/webhooks/signature.ts';
import { signingSecrets } from '../../domain/webhooks/signing-secrets.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { Poller } from '../../shared/poller.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { isTransient } from '../../store/transient.ts';
import {
  finishDeliveries,
  takeDeliveries,
  type DueDelivery,
  type EndedAttempt,
} from '../../store/webhooks/deliveries.ts';
import { dueTimes } from '../../store/webhooks/delivery-schedule.ts';
import { deliveryLogEntry, type AttemptFailure } from './delivery-log.ts';
import { canSign, DeliverySecrets, HeldDeliveries, type Opened } from './secrets.ts';
import { ReceiverWindows, type Ticket } from './receiver-windows.ts';
import type { SafeFetcher, SafeResponse } from '../../net/safe-fetch.ts';
import { LoopThrottle, RetryTimes } from './timing.ts';

export interface DelivererOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  readonly fetcher: Pick<SafeFetcher, 'of'>;
  /** Time limit of one request; interface, Events 4: 30 s. */
  readonly timeoutMs?: number;
  readonly pollMs?: number;
  /** How often it polls when nothing wakes it; absent: `pollMs`. */
  readonly sweepMs?: number;
  /** Limits of parallel requests: fast ones, slow ones in addition, and those to one receiver. */
  readonly parallel?: number;
  readonly slow?: number;
  readonly perReceiver?: number;
  /** Called between the steps of a delivery; crash tests kill the process here. */
  readonly onStep?: (step: DeliveryStep) => Promise<void> | void;
}

export type DeliveryStep = 'taken' | 'signed' | 'answered' | 'written';

const ANSWER_BYTES = 64 * 1024;
/** A larger event is not sent; its data is available through the API. */
const REQUEST_BYTES = 4 * 1024 * 1024;
/** A lease outlasts the request timeout by this much. */
const LEASE_SLACK_MS = 15_000;
/**
 * After the database was away, attempts whose lease expired meanwhile are left for this long to the processes that made them:
 * those store their outcomes first, so that none is sent twice.
 */
const RETURN_MS = 15_000;
/** Under load, outcomes and freed capacity are batched for this long, so that one statement covers many. */
const GATHER_MS = 20;
/** After a batch of at least this size the next poll follows at once. */
const LARGE_BATCH = 128;
/** Requests started per event-loop iteration, so that responses and database results are handled in between. */
const STARTS_PER_LOOP = 32;
/** Due times are read this many polls ahead, because a poll may run late. */
const POLLS_AHEAD = 3;
/** Initial window of a receiver, and the minimum for one that times out. */
const MIN_WINDOW = 4;

/**
 * Delivers events to webhook receivers, at least once. Several instances may share one database. One poller leases due
 * deliveries up to the free capacity, another stores outcomes; both work in batches and neither waits for the other.
 */
export class WebhookDeliverer {
  readonly #options: Required<Omit<DelivererOptions, 'onStep'>> & Pick<DelivererOptions, 'onStep'>;
  readonly #takes: Poller;
  readonly #writes: Poller;
  readonly #windows: ReceiverWindows;
  readonly #retries = new RetryTimes();
  readonly #held: HeldDeliveries;
  readonly #throttle = new LoopThrottle(STARTS_PER_LOOP);
  readonly #secrets: DeliverySecrets;
  /** Outcomes to store, and the tickets of their requests. */
  #ended: EndedAttempt[] = [];
  #endedTickets: Ticket[] = [];
  /** Tickets whose outcome is stored; the next poll reopens their windows. */
  #storedTickets: Ticket[] = [];
  /** Monotonic time at which this process last could not reach the database. */
  #lostAt = Number.NEGATIVE_INFINITY;
  /** Outcomes wait, because they could not be stored. */
  #hasUnstored = false;
  /** Monotonic time of the last full scan, which ignores the `since` cursors of the windows. */
  #fullScanAt = Number.NEGATIVE_INFINITY;
  /** Deliveries may be due to receivers without a window. */
  #mayHaveNewReceivers = false;
  /** Capacity was freed since the last poll. */
  #hasFreedCapacity = false;

  constructor(options: DelivererOptions) {
    const defaults = { timeoutMs: 30_000, pollMs: 1000, parallel: 1024, slow: 1024, perReceiver: 32 };
    const { pollMs: sweepMs = defaults.pollMs } = options;
    this.#options = { ...defaults, sweepMs, ...options };
    const { parallel, slow, perReceiver } = this.#options;
    this.#windows = new ReceiverWindows({
      parallel,
      slow,
      perReceiver,
      first: Math.min(MIN_WINDOW, perReceiver),
    });
    this.#secrets = new DeliverySecrets(this.#options.seal);
    this.#held = new HeldDeliveries(this.#options);
    const { pollMs, log } = this.#options;
    this.#takes = new Poller({
      poll: () => this.#take(),
      pollMs: this.#options.sweepMs,
      gatherMs: GATHER_MS,
      onError: (error) => {
        this.#noteLoss(error);
        log.error({ err: error }, 'due webhook deliveries could not be read');
      },
    });
    this.#writes = new Poller({
      poll: () => this.#write(),
      // An outcome wakes it.
      pollMs: this.#options.sweepMs,
      failedMs: pollMs,
      gatherMs: GATHER_MS,
      onError: (error) => log.error({ err: error }, 'webhook outcomes not written'),
    });
  }

  start(): void {
    this.#writes.start();
    this.#takes.start();
  }

  /** Polls for due deliveries now. */
  kick(): void {
    this.#mayHaveNewReceivers = true;
    this.#takes.kick();
  }

  /** Polls now, also for deliveries that other processes added or gave up. */
  sweep(): void {
    this.#fullScanAt = Number.NEGATIVE_INFINITY;
    this.kick();
  }

  /** Why deliveries are held; null: none is. */
  get heldNote(): string | null {
    return this.#held.note;
  }

  /**
   * Starts no more requests and waits up to `graceMs` for those in flight. A request that takes longer is repeated once
   * its lease expires.
   */
  async stop(graceMs = 5000): Promise<void> {
    await this.#takes.stop(graceMs);
    await this.#writes.stop();
    await this.#write().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'webhook outcomes not written');
    });
  }

  /** Leases and starts due deliveries. Returns the ms until the next known due time; 0 after a large batch. */
  async #take(): Promise<number> {
    const { db, clock, timeoutMs, pollMs } = this.#options;
    // Reopen only here, between two takes: a take in progress may have read the queue before the outcome was stored.
    for (const ticket of this.#storedTickets.splice(0)) this.#windows.reopen(ticket);
    const at = clock.monotonic();
    const { limit, quotas, ...newReceivers } = this.#windows.free(at);
    if (limit === 0) return pollMs;
    // The `since` cursors skip rows that are already in flight. Once per `pollMs` a full scan ignores them and so finds
    // deliveries that other processes added or gave up.
    const isFullScan = at - this.#fullScanAt >= pollMs;
    if (isFullScan) {
      this.#fullScanAt = at;
      await this.#held.release();
    }
    const known = isFullScan
      ? quotas.map((quota) => ({ ...quota, since: Number.NEGATIVE_INFINITY }))
      : quotas;
    const now = new Date(clock.now());
    // Searching for new receivers visits every receiver in the index, so freed capacity alone does not cause it.
    const isRetryDue = this.#retries.haveCome(now.getTime());
    const findsNew = isFullScan || isRetryDue || this.#mayHaveNewReceivers || !this.#hasFreedCapacity;
    this.#mayHaveNewReceivers = false;
    this.#hasFreedCapacity = false;
    const leaseUntil = new Date(now.getTime() + timeoutMs + LEASE_SLACK_MS);
    // Every process also wakes for retries that other processes scheduled: those may have stopped by then.
    if (isFullScan) {
      const until = new Date(now.getTime() + POLLS_AHEAD * pollMs);
      for (const dueAt of await dueTimes(db, now, until)) this.#retries.add(dueAt);
    }
    const takesOver = !this.#hasUnstored && at - this.#lostAt >= RETURN_MS;
    const input = { now, leaseUntil, takesOver, limit, quotas: known };
    const taken = await takeDeliveries(db, findsNew ? { ...input, newReceivers } : input);
    // The limit may have cut off more new receivers.
    if (findsNew && taken.length >= limit) this.#mayHaveNewReceivers = true;
    this.#windows.advance(quotas, limit, taken, now.getTime());
    if ((await this.#begin(taken, now)) >= LARGE_BATCH) return 0;
    return Math.max(0, this.#retries.untilNext(clock.now()));
  }

  /** Starts the requests of a leased batch; returns the batch size. */
  async #begin(taken: readonly DueDelivery[], now: Date): Promise<number> {
    if (taken.length === 0) return 0;
    await this.#options.onStep?.('taken');
    const secrets = await signingSecrets(
      this.#options,
      taken.map(({ workspaceId }) => workspaceId),
    );
    const begun = this.#options.clock.monotonic();
    const unsignable: DueDelivery[] = [];
    const unreadable: DueDelivery[] = [];
    for (const delivery of taken) {
      const own = this.#secrets.headersOf(delivery.headers);
      const signing = secrets.get(delivery.workspaceId) ?? [];
      // Too many sending processes crashed during this delivery.
      if (delivery.attempt > MAX_ATTEMPTS) this.#end(delivery, now.getTime(), 'interrupted');
      else if (delivery.isDisabled) this.#end(delivery, now.getTime(), RECEIVER_DISABLED);
      else if (!canSign(signing)) unsignable.push(delivery);
      else if (own === null) unreadable.push(delivery);
      else {
        const ticket = this.#windows.begin(delivery, delivery.dueAt, begun);
        const opened = { own, keys: this.#secrets.keysOf(signing) };
        this.#takes.track(this.#throttle.next().then(() => this.#deliver(delivery, opened, ticket)));
      }
    }
    await this.#held.hold(unsignable, unreadable);
    return taken.length;
  }

  async #deliver(delivery: DueDelivery, opened: Opened, ticket: Ticket): Promise<void> {
    const { clock, log, onStep } = this.#options;
    const startedAt = clock.now();
    let outcome: SafeResponse | AttemptFailure = 'broken_off';
    try {
      const body = Buffer.from(delivery.body);
      if (body.length > REQUEST_BYTES) outcome = 'too_large';
      else outcome = await this.#send(delivery, body, opened, startedAt);
      if (onStep !== undefined) await onStep('answered');
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.id }, 'a webhook attempt failed with an internal error');
    }
    this.#windows.end(ticket, requestEnd(outcome));
    this.#endedTickets.push(ticket);
    this.#hasFreedCapacity = true;
    this.#end(delivery, startedAt, outcome);
  }

  async #send(
    delivery: DueDelivery,
    body: Buffer,
    { own, keys }: Opened,
    startedAt: number,
  ): Promise<SafeResponse> {
    const { fetcher, timeoutMs, onStep } = this.#options;
    const headers = { ...own, ...signatureHeaders(keys, delivery.eventId, startedAt, body) };
    if (onStep !== undefined) await onStep('signed');
    return fetcher.of(delivery.workspaceId).fetch({
      url: delivery.url,
      method: delivery.method as 'POST' | 'PUT' | 'PATCH',
      headers,
      body,
      timeoutMs,
      maxBytes: ANSWER_BYTES,
    });
  }

  /** Returns whether the error says that the database is away. */
  #noteLoss(error: unknown): boolean {
    const isAway = isTransient(error);
    if (isAway) this.#lostAt = this.#options.clock.monotonic();
    return isAway;
  }

  #end(delivery: DueDelivery, startedAt: number, outcome: SafeResponse | AttemptFailure): void {
    const endedAt = this.#options.clock.now();
    const status = typeof outcome === 'object' && outcome.ok ? outcome.status : null;
    const isBlocked = typeof outcome === 'object' && !outcome.ok && outcome.failure === 'blocked';
    const { isAny2xx } = delivery;
    const isDisabled = outcome === RECEIVER_DISABLED;
    const next = afterAttempt(delivery.attempt, { status, isBlocked, isDisabled, isAny2xx }, endedAt);
    const { workspaceId, id, attempt, leaseUntil } = delivery;
    this.#ended.push({
      // Not the whole delivery: its body would be held until this is written.
      taken: { workspaceId, id, attempt, leaseUntil },
      state: next.state,
      dueAt: next.state === 'due' ? next.dueAt : endedAt,
      log: deliveryLogEntry(Math.min(attempt, MAX_ATTEMPTS), startedAt, endedAt, outcome),
    });
    this.#writes.kick();
  }

  /**
   * Stores outcomes. While the database is away they wait, and are stored unless another process took the attempt over. After an
   * error of the statement they are kept until their lease expires.
   */
  async #write(): Promise<void> {
    const { db, clock, onStep } = this.#options;
    const ended = this.#ended;
    const tickets = this.#endedTickets;
    if (ended.length === 0) return;
    this.#ended = [];
    this.#endedTickets = [];
    try {
      await finishDeliveries(db, ended);
    } catch (error) {
      const now = clock.now();
      const isAway = this.#noteLoss(error);
      this.#ended.push(...ended.filter(({ taken }) => isAway || taken.leaseUntil > now));
      this.#endedTickets.push(...tickets);
      this.#hasUnstored = this.#ended.length > 0;
      throw error;
    }
    this.#hasUnstored = false;
    for (const { state, dueAt } of ended) if (state === 'due') this.#retries.add(dueAt);
    this.#storedTickets.push(...tickets);
    this.#hasFreedCapacity = true;
    this.#takes.kick();
    await onStep?.('written');
  }
}

function requestEnd(outcome: SafeResponse | AttemptFailure): 'answered' | 'timed out' | 'failed' {
  if (typeof outcome !== 'object') return 'failed';
  if (outcome.ok) return 'answered';
  return outcome.failure === 'timeout' ? 'timed out' : 'failed';
}
