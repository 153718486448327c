import { afterAttempt, MAX_ATTEMPTS } from '../domain/webhooks/delivery-rules.ts';
import { signatureHeaders } from '../domain/webhooks/signature.ts';
import { signingSecrets } from '../domain/webhooks/signing-secrets.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { LookingLoop } from '../shared/looking-loop.ts';
import type { Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import {
  finishDeliveries,
  takeDeliveries,
  type DueDelivery,
  type EndedAttempt,
} from '../store/deliveries.ts';
import { dueTimes } from '../store/due-times.ts';
import { attemptLog, type AttemptFailure } from './attempt-log.ts';
import { DeliverySecrets, type Opened } from './delivery-secrets.ts';
import { canSign, HeldDeliveries } from './held-deliveries.ts';
import { ReceiverWindows, type Ticket } from './receiver-windows.ts';
import { RetryTimes } from './retry-times.ts';
import type { SafeFetcher, SafeResponse } from './safe-fetch.ts';
import { Turns } from './turns.ts';

export interface DelivererOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  readonly fetcher: Pick<SafeFetcher, 'fetch'>;
  /** interface, Events 4: 30 s. */
  readonly timeoutMs?: number;
  readonly pollMs?: number;
  /** Quick requests at once, slow ones on top of them, and the most to one receiver. */
  readonly parallel?: number;
  readonly slow?: number;
  readonly perReceiver?: number;
  /** Told between the steps of a delivery: where a test lets the process die. */
  readonly onStep?: (step: DeliveryStep) => Promise<void> | void;
}

export type DeliveryStep = 'taken' | 'signed' | 'answered' | 'written';

const ANSWER_BYTES = 64 * 1024;
/** An event larger than this is not sent: what it tells is read through the API. */
const REQUEST_BYTES = 4 * 1024 * 1024;
/** What a lease is longer than the request's time limit. */
const LEASE_SLACK_MS = 15_000;
/** Under load, outcomes and places that come free are gathered so long: one statement serves many. */
const GATHER_MS = 20;
/** A look that took so many is followed by the next one at once. */
const MANY = 128;
/** Requests begun before answers and the database are heard again. */
const AT_ONCE = 32;
/** What comes due is known for so many polls ahead: a look may come late. */
const KNOWN_AHEAD = 3;
/** Where a receiver's window begins, and what a dead one keeps. */
const FIRST_WINDOW = 4;

/**
 * Delivers events to their receivers. Several may run on one database. What there is room for is taken, and what has
 * ended is written, many at a time and neither waiting for the other.
 */
export class WebhookDeliverer {
  readonly #options: Required<Omit<DelivererOptions, 'onStep'>> & Pick<DelivererOptions, 'onStep'>;
  readonly #takes: LookingLoop;
  readonly #writes: LookingLoop;
  readonly #windows: ReceiverWindows;
  readonly #retries = new RetryTimes();
  readonly #held: HeldDeliveries;
  readonly #turns = new Turns(AT_ONCE);
  readonly #secrets: DeliverySecrets;
  #ended: EndedAttempt[] = [];
  /** Requests that ended, and those among them whose outcome is written. */
  #over: Ticket[] = [];
  #written: Ticket[] = [];
  /** When everything due was last looked at, whatever is known of its receivers. */
  #wholeAt = Number.NEGATIVE_INFINITY;
  /** Something may be due to receivers that nothing is known of; and since the last look places came free. */
  #hasNews = false;
  #isFreed = false;

  constructor(options: DelivererOptions) {
    const defaults = { timeoutMs: 30_000, pollMs: 1000, parallel: 1024, slow: 1024, perReceiver: 32 };
    this.#options = { ...defaults, ...options };
    const { parallel, slow, perReceiver } = this.#options;
    this.#windows = new ReceiverWindows({
      parallel,
      slow,
      perReceiver,
      first: Math.min(FIRST_WINDOW, perReceiver),
    });
    this.#secrets = new DeliverySecrets(this.#options.seal);
    this.#held = new HeldDeliveries(this.#options);
    const { pollMs, log } = this.#options;
    this.#takes = new LookingLoop({
      look: () => this.#take(),
      pollMs,
      gatherMs: GATHER_MS,
      onError: (error) => log.error({ err: error }, 'webhooks could not be read'),
    });
    this.#writes = new LookingLoop({
      look: () => this.#write(),
      pollMs,
      gatherMs: GATHER_MS,
      onError: (error) => log.error({ err: error }, 'webhook outcomes not written'),
    });
  }

  start(): void {
    this.#writes.start();
    this.#takes.start();
  }

  /** Look for due deliveries now. */
  kick(): void {
    this.#hasNews = true;
    this.#takes.kick();
  }

  /** Why deliveries are held back; null: none are. */
  get heldNote(): string | null {
    return this.#held.note;
  }

  /**
   * Starts no more requests and waits up to `graceMs` for those under way. One that is left then is made again when its
   * lease ends.
   */
  async stop(graceMs = 5000): Promise<void> {
    await this.#takes.stop(graceMs);
    await this.#writes.stop();
    await this.#write().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'webhook outcomes not written');
    });
  }

  /** Returns the ms until the next retry; 0 where so much was taken that there is likely to be more. */
  async #take(): Promise<number> {
    const { db, clock, timeoutMs, pollMs } = this.#options;
    // What these held up may go now. Not while something is taken: that may not have seen what was written.
    for (const ticket of this.#written.splice(0)) this.#windows.reopen(ticket);
    const at = clock.monotonic();
    const { limit, rooms, ...others } = this.#windows.free(at);
    if (limit === 0) return pollMs;
    // What is known about a receiver spares reading what is over; what nobody here knows of is found all the same.
    const isWhole = at - this.#wholeAt >= pollMs;
    if (isWhole) {
      this.#wholeAt = at;
      await this.#held.release();
    }
    const known = isWhole ? rooms.map((room) => ({ ...room, since: Number.NEGATIVE_INFINITY })) : rooms;
    const now = new Date(clock.now());
    // Finding receivers goes through the beginnings of all of them: not for every place that comes free.
    const hasCome = this.#retries.haveCome(now.getTime());
    const isAround = isWhole || hasCome || this.#hasNews || !this.#isFreed;
    this.#hasNews = false;
    this.#isFreed = false;
    const leaseUntil = new Date(now.getTime() + timeoutMs + LEASE_SLACK_MS);
    // Each process wakes for what others wrote too: they may be gone when it comes due.
    if (isWhole) {
      const until = new Date(now.getTime() + KNOWN_AHEAD * pollMs);
      for (const dueAt of await dueTimes(db, now, until)) this.#retries.add(dueAt);
    }
    const input = { now, leaseUntil, limit, rooms: known };
    const taken = await takeDeliveries(db, isAround ? { ...input, others } : input);
    // There may be more for receivers that nothing is known of yet.
    if (isAround && taken.length >= limit) this.#hasNews = true;
    this.#windows.looked(rooms, limit, taken, now.getTime());
    if ((await this.#begin(taken, now)) >= MANY) return 0;
    return Math.max(0, this.#retries.untilNext(clock.now()));
  }

  /** Begins what was taken; returns how much. */
  async #begin(taken: readonly DueDelivery[], now: Date): Promise<number> {
    if (taken.length === 0) return 0;
    await this.#options.onStep?.('taken');
    const secrets = await signingSecrets(
      this.#options,
      taken.map(({ workspaceId }) => workspaceId),
    );
    const begun = this.#options.clock.monotonic();
    const unsigned: DueDelivery[] = [];
    const unaddressed: DueDelivery[] = [];
    for (const delivery of taken) {
      const own = this.#secrets.headersOf(delivery.headers);
      const signing = secrets.get(delivery.workspaceId) ?? [];
      // Too many processes died over it.
      if (delivery.attempt > MAX_ATTEMPTS) this.#end(delivery, now.getTime(), 'interrupted');
      else if (!canSign(signing)) unsigned.push(delivery);
      else if (own === null) unaddressed.push(delivery);
      else {
        const ticket = this.#windows.begin(delivery, delivery.dueAt, begun);
        const opened = { own, keys: this.#secrets.keysOf(signing) };
        this.#takes.keep(this.#turns.next().then(() => this.#deliver(delivery, opened, ticket)));
      }
    }
    await this.#held.hold(unsigned, unaddressed);
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
      log.error({ err: error, deliveryId: delivery.id }, 'a webhook attempt broke off');
    }
    this.#windows.end(ticket, howItEnded(outcome));
    this.#over.push(ticket);
    this.#isFreed = true;
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
    return fetcher.fetch({
      url: delivery.url,
      method: delivery.method as 'POST' | 'PUT' | 'PATCH',
      headers,
      body,
      timeoutMs,
      maxBytes: ANSWER_BYTES,
    });
  }

  #end(delivery: DueDelivery, startedAt: number, outcome: SafeResponse | AttemptFailure): void {
    const endedAt = this.#options.clock.now();
    const status = typeof outcome === 'object' && outcome.ok ? outcome.status : null;
    const next = afterAttempt(delivery.attempt, status, endedAt);
    const { workspaceId, id, attempt, leaseUntil } = delivery;
    this.#ended.push({
      // Not the whole delivery: its body would be held until this is written.
      taken: { workspaceId, id, attempt, leaseUntil },
      state: next.state,
      dueAt: next.state === 'due' ? next.dueAt : endedAt,
      log: attemptLog(Math.min(attempt, MAX_ATTEMPTS), startedAt, endedAt, outcome),
    });
    this.#writes.kick();
  }

  /** Writes what ended. What cannot be written stays for the next look as long as nobody else may have it. */
  async #write(): Promise<void> {
    const { db, clock, onStep } = this.#options;
    const ended = this.#ended;
    const over = this.#over;
    if (ended.length === 0) return;
    this.#ended = [];
    this.#over = [];
    try {
      await finishDeliveries(db, ended);
    } catch (error) {
      const now = clock.now();
      this.#ended.push(...ended.filter(({ taken }) => taken.leaseUntil > now));
      this.#over.push(...over);
      throw error;
    }
    for (const { state, dueAt } of ended) if (state === 'due') this.#retries.add(dueAt);
    this.#written.push(...over);
    this.#isFreed = true;
    this.#takes.kick();
    await onStep?.('written');
  }
}

function howItEnded(outcome: SafeResponse | AttemptFailure): 'answered' | 'timed out' | 'failed' {
  if (typeof outcome !== 'object') return 'failed';
  if (outcome.ok) return 'answered';
  return outcome.failure === 'timeout' ? 'timed out' : 'failed';
}
