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
} from '../../store/delivery-log.ts';
import type { JsonObject } from '../../store/schema.ts';
import { maskHeaders } from '../agents/masked-headers.ts';
import { normalAddress } from './receiver-rules.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const ON_WIRE = { due: 'pending', delivered: 'delivered', dead: 'failed' } as const;
const STORED = { pending: 'due', delivered: 'delivered', failed: 'dead' } as const;

interface LogDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Wakes the delivery; only a hint. */
  readonly kickWebhooks?: () => void;
}

/** Deliveries recovered in one statement. */
const RECOVERED_AT_ONCE = 5000;

/** One page of a workspace's delivery log, newest first. */
export async function readDeliveries(
  deps: LogDeps,
  workspaceId: string,
  filter: Omit<DeliveryFilter, 'state'> & { readonly state: DeliveryState | null },
  page: { readonly limit: number; readonly offset: number },
) {
  // An id that is none names no call: there is nothing to list.
  if (filter.callId !== null && !isUuid(filter.callId)) return { deliveries: [], hasMore: false };
  const state = filter.state === null ? null : STORED[filter.state];
  const rows = await listDeliveries(
    deps.db,
    workspaceId,
    { ...filter, state },
    { limit: page.limit + 1, offset: page.offset },
  );
  return { deliveries: rows.slice(0, page.limit).map(toEntry), hasMore: rows.length > page.limit };
}

/** One delivery with its request and every answer. Throws 404. */
export async function readDelivery(deps: LogDeps, workspaceId: string, id: string) {
  const found = isUuid(id) ? await findDelivery(deps.db, workspaceId, id) : undefined;
  if (found === undefined) throw errors.deliveryNotFound();
  const { delivery, body } = found;
  return {
    ...toEntry(delivery),
    request: {
      method: delivery.method,
      url: delivery.url,
      headers: maskHeaders(delivery.headers),
      body,
    },
    attempts: delivery.attempts.map(toAttempt),
  };
}

/** Sends an ended delivery again, with four attempts as at first. Throws 404, 409 while it is still tried or without a receiver. */
export async function resendDelivery(deps: LogDeps, workspaceId: string, id: string) {
  await readDelivery(deps, workspaceId, id);
  const at = new Date(deps.clock.now());
  const isAgain = await deps.db.transaction().execute((tx) => resendOne(tx, workspaceId, id, at));
  if (!isAgain) {
    const isEnded = (await findDelivery(deps.db, workspaceId, id))?.delivery.state !== 'due';
    throw isEnded ? errors.receiverForgotten() : errors.deliveryPending();
  }
  deps.kickWebhooks?.();
  return readDelivery(deps, workspaceId, id);
}

/** Sends everything again that failed for good since then, to one receiver or to all; returns how much that is. */
export async function recoverDeliveries(
  deps: LogDeps,
  workspaceId: string,
  which: { readonly since: Date; readonly url: string | null },
): Promise<number> {
  const until = new Date(deps.clock.now());
  // An address is stored in its normal form; once it was stored as it was written.
  const urls = which.url === null ? null : [normalAddress(which.url), which.url];
  let recovered = 0;
  for (;;) {
    const some = await deps.db
      .transaction()
      .execute((tx) =>
        resendDead(tx, workspaceId, { since: which.since, until, urls }, RECOVERED_AT_ONCE, until),
      );
    recovered += some;
    if (some < RECOVERED_AT_ONCE) break;
  }
  if (recovered > 0) deps.kickWebhooks?.();
  return recovered;
}

export type DeliveryEntry = ReturnType<typeof toEntry>;

export function toEntry(row: DeliveryRow) {
  const last = row.attempts.at(-1);
  return {
    delivery_id: row.id,
    event_id: row.event_id,
    event_type: row.event_type,
    call_id: row.call_id,
    callback_url: row.url,
    method_type: row.method,
    state: ON_WIRE[row.state],
    attempt_count: row.attempts.length,
    last_status: (last?.['status'] as number | null | undefined) ?? null,
    last_error: (last?.['error'] as string | null | undefined) ?? null,
    next_attempt_at: row.state === 'due' ? row.due_at.toISOString() : null,
    resend_count: row.resends,
    is_test: row.is_test,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

const toAttempt = (log: JsonObject) => ({
  attempt: log['attempt'] as number,
  at: log['at'] as string,
  duration_ms: (log['duration_ms'] as number | undefined) ?? 0,
  status: (log['status'] as number | null | undefined) ?? null,
  body: (log['body'] as string | null | undefined) ?? null,
  error: (log['error'] as string | null | undefined) ?? null,
  detail: (log['detail'] as string | null | undefined) ?? null,
});
