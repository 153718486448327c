import { afterAttempt, MAX_ATTEMPTS, mayBeSet } from '../domain/webhooks/delivery-rules.ts';
import { newSigningSecret, signatureHeaders } from '../domain/webhooks/signature.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { LookingLoop } from '../shared/looking-loop.ts';
import type { Db } from '../store/database.ts';
import { buryDeliveries, finishDelivery, takeDeliveries, type DueDelivery } from '../store/deliveries.ts';
import { installationValue } from '../store/installation.ts';
import type { SafeFetcher, SafeResponse } from './safe-fetch.ts';

export interface DelivererOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetcher: SafeFetcher;
  /** interface, Events 4: 30 s. */
  readonly timeoutMs?: number;
  readonly pollMs?: number;
  /** Requests at once: in all, and to one host, so that a slow receiver delays only itself. */
  readonly parallel?: number;
  readonly perHost?: number;
}

const MAX_BODY_BYTES = 64 * 1024;
/** What a lease is longer than the request's time limit. */
const LEASE_SLACK_MS = 15_000;
export const WEBHOOK_SECRET_KEY = 'webhook_secret';

/** The secret that signs this installation's webhooks; made on first use. */
export const webhookSecret = (db: Db, now: Date): Promise<string> =>
  installationValue(db, WEBHOOK_SECRET_KEY, newSigningSecret, now);

/** Delivers events to their receivers. Several may run on one database. */
export class WebhookDeliverer {
  readonly #options: Required<DelivererOptions>;
  readonly #busy = new Map<string, number>();
  readonly #loop: LookingLoop;
  #secret: string | null = null;

  constructor(options: DelivererOptions) {
    this.#options = { timeoutMs: 30_000, pollMs: 1000, parallel: 64, perHost: 6, ...options };
    this.#loop = new LookingLoop({
      look: () => this.#look(),
      pollMs: this.#options.pollMs,
      onError: (error) => options.log.error({ err: error }, 'due webhooks could not be read'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Look for due deliveries now. */
  kick(): void {
    this.#loop.kick();
  }

  /**
   * Starts no more requests and waits up to `graceMs` for those under way. One that is left then counts as an attempt
   * and comes due again when its lease ends.
   */
  async stop(graceMs = 5000): Promise<void> {
    await this.#loop.stop(graceMs);
  }

  async #look(): Promise<void> {
    const { db, clock, parallel, perHost, timeoutMs } = this.#options;
    const now = new Date(clock.now());
    this.#secret ??= await webhookSecret(db, now);
    const secret = this.#secret;
    const limit = parallel - this.#loop.running;
    if (limit <= 0) return;
    await buryDeliveries(db, now, MAX_ATTEMPTS);
    const leaseUntil = new Date(now.getTime() + timeoutMs + LEASE_SLACK_MS);
    const taken = await takeDeliveries(db, { now, leaseUntil, limit, perHost, busy: this.#busy });
    for (const delivery of taken) this.#begin(delivery, secret);
  }

  #begin(delivery: DueDelivery, secret: string): void {
    this.#busy.set(delivery.host, (this.#busy.get(delivery.host) ?? 0) + 1);
    this.#loop.keep(
      this.#deliver(delivery, secret).finally(() => {
        const left = (this.#busy.get(delivery.host) ?? 1) - 1;
        if (left > 0) this.#busy.set(delivery.host, left);
        else this.#busy.delete(delivery.host);
      }),
    );
  }

  async #deliver(delivery: DueDelivery, secret: string): Promise<void> {
    const { clock, fetcher, timeoutMs, log, db } = this.#options;
    const startedAt = clock.now();
    const body = JSON.stringify(delivery.body);
    const answer = await fetcher.fetch({
      url: delivery.url,
      method: delivery.method as 'POST' | 'PUT' | 'PATCH',
      headers: headersOf(delivery, signatureHeaders(secret, delivery.eventId, startedAt, body)),
      body,
      timeoutMs,
      maxBytes: MAX_BODY_BYTES,
    });
    const endedAt = clock.now();
    const next = afterAttempt(delivery.attempt, answer.ok ? answer.status : null, endedAt);
    try {
      await finishDelivery(db, delivery, {
        state: next.state,
        dueAt: new Date(next.state === 'due' ? next.dueAt : endedAt),
        at: new Date(endedAt),
        log: attemptLog(delivery.attempt, startedAt, endedAt, answer),
      });
    } catch (error) {
      // The lease brings it back as a further attempt.
      log.error({ err: error, deliveryId: delivery.id }, 'webhook outcome not written');
    }
  }
}

/** The receiver's own headers as set, under ours: what signs and frames the request cannot be replaced. */
function headersOf(delivery: DueDelivery, signature: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Callwright-Webhooks/1',
  };
  for (const [name, value] of Object.entries(delivery.headers)) {
    if (mayBeSet(name)) headers[name.toLowerCase()] = value;
  }
  return { ...headers, ...signature };
}

function attemptLog(
  attempt: number,
  startedAt: number,
  endedAt: number,
  answer: SafeResponse,
): Record<string, unknown> {
  return {
    attempt,
    at: new Date(startedAt).toISOString(),
    duration_ms: endedAt - startedAt,
    status: answer.ok ? answer.status : null,
    error: answer.ok ? null : answer.failure,
    detail: answer.ok ? null : answer.detail,
  };
}
