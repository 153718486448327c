import { nextCursor, type PageRequest } from '../cursor.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import {
  findDelivery,
  listDeliveries,
  resendDead,
  resendOne,
  type DeliveryFilter,
  type DeliveryRow,
} from '../../store/webhooks/delivery-log.ts';
import type { JsonObject } from '../../store/schema.ts';
import { normalAddress } from './receiver-rules.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const STATES = { due: 'pending', delivered: 'delivered', dead: 'failed' } as const;
const STORED = { pending: 'due', delivered: 'delivered', failed: 'dead' } as const;

export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly callId: string;
  readonly url: string;
  readonly method: string;
  readonly state: DeliveryState;
  readonly attempts: readonly DeliveryAttempt[];
  /** Null: the delivery has ended. */
  readonly nextAttemptAt: Date | null;
  readonly resends: number;
  readonly isTest: boolean;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}
/** One attempt as the deliverer logged it. */
export interface DeliveryAttempt {
  readonly attempt: number;
  /** ISO 8601. */
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly body: string | null;
  readonly error: string | null;
  readonly detail: string | null;
}
export interface DeliveryDetails {
  readonly delivery: Delivery;
  /** As stored: secrets are sealed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

interface LogDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Wakes the webhook deliverer; losing a wake costs one poll interval. */
  readonly kickWebhooks?: () => void;
}

/** Deliveries per statement. */
const RECOVER_BATCH = 5000;

/** One page of a workspace's delivery log, newest first. */
export async function readDeliveries(
  deps: LogDeps,
  workspaceId: string,
  filter: Omit<DeliveryFilter, 'state'> & { readonly state: DeliveryState | null },
  page: PageRequest,
): Promise<{ deliveries: Delivery[]; hasMore: boolean; nextCursor: string | null }> {
  // Text that is not a UUID cannot name a call.
  if (filter.callId !== null && !isUuid(filter.callId)) {
    return { deliveries: [], hasMore: false, nextCursor: null };
  }
  const state = filter.state === null ? null : STORED[filter.state];
  const rows = await listDeliveries(
    deps.db,
    workspaceId,
    { ...filter, state },
    { ...page, limit: page.limit + 1 },
  );
  const deliveries = rows.slice(0, page.limit).map(toDelivery);
  const hasMore = rows.length > page.limit;
  const ends = deliveries.map(({ createdAt, id }) => ({ at: createdAt, id }));
  return { deliveries, hasMore, nextCursor: hasMore ? nextCursor(page, ends) : null };
}

/** One delivery with its request and every answer. Throws 404. */
export async function readDelivery(deps: LogDeps, workspaceId: string, id: string): Promise<DeliveryDetails> {
  const found = isUuid(id) ? await findDelivery(deps.db, workspaceId, id) : undefined;
  if (found === undefined) throw errors.deliveryNotFound();
  const { delivery, body } = found;
  return { delivery: toDelivery(delivery), headers: delivery.headers, body };
}

/**
 * Queues an ended delivery again, with four attempts. Throws 404, and 409 while it is pending or after its receiver
 * was erased.
 */
export async function resendDelivery(
  deps: LogDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  id: string,
): Promise<DeliveryDetails> {
  await readDelivery(deps, workspaceId, id);
  const at = new Date(deps.clock.now());
  const isAgain = await commitChange(deps.db, change, (tx) => resendOne(tx, workspaceId, id, at));
  if (!isAgain) {
    const isEnded = (await findDelivery(deps.db, workspaceId, id))?.delivery.state !== 'due';
    throw isEnded ? errors.receiverForgotten() : errors.deliveryPending();
  }
  deps.kickWebhooks?.();
  return readDelivery(deps, workspaceId, id);
}

/** Queues every delivery again that failed since then, to one receiver or to all. Returns their number. */
export async function recoverDeliveries(
  deps: LogDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  which: { readonly since: Date; readonly url: string | null },
): Promise<number> {
  const until = new Date(deps.clock.now());
  // URLs are stored normalised; old rows hold them as written.
  const urls = which.url === null ? null : [normalAddress(which.url), which.url];
  let recovered = 0;
  for (;;) {
    const batch = await commitChange(deps.db, change, (tx) =>
      resendDead(tx, workspaceId, { since: which.since, until, urls }, RECOVER_BATCH, until),
    );
    recovered += batch;
    if (batch < RECOVER_BATCH) break;
  }
  if (recovered > 0) deps.kickWebhooks?.();
  return recovered;
}

export const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  eventId: row.eventId,
  eventType: row.eventType,
  callId: row.callId,
  url: row.url,
  method: row.method,
  state: STATES[row.state],
  attempts: row.attempts.map(toAttempt),
  nextAttemptAt: row.state === 'due' ? row.dueAt : null,
  resends: row.resends,
  isTest: row.isTest,
  createdAt: row.createdAt,
  finishedAt: row.finishedAt,
});

const toAttempt = (log: JsonObject): DeliveryAttempt => ({
  attempt: log['attempt'] as number,
  at: log['at'] as string,
  durationMs: (log['duration_ms'] as number | undefined) ?? 0,
  status: (log['status'] as number | null | undefined) ?? null,
  body: (log['body'] as string | null | undefined) ?? null,
  error: (log['error'] as string | null | undefined) ?? null,
  detail: (log['detail'] as string | null | undefined) ?? null,
});
