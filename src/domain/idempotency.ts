import { createHash } from 'node:crypto';
import { errors } from '../errors.ts';
import type { Clock } from '../shared/clock.ts';
import type { Db } from '../store/database.ts';
import {
  claimIdempotencyKey,
  deleteOldKeys,
  releaseIdempotencyKey,
  storeIdempotentAnswer,
  type IdempotencyClaim,
} from '../store/idempotency.ts';

const KEPT_MS = 24 * 3_600_000;
/** Longer than any request may run: a key still unanswered then belongs to a process that died. */
const ABANDONED_MS = 90_000;

export interface Answer {
  status: number;
  response: unknown;
}

/** What a request under a key may do with it. */
export interface IdempotentRequest {
  /** Keeps the answer, in the transaction of the change it reports. */
  store(tx: Db, answer: Answer): Promise<void>;
  /** Ends a request that failed: a refusal is kept, anything else gives the key back. */
  fail(refusal: Answer | null): Promise<void>;
}

/** SHA-256 of the body with its keys in order, so that the same request written differently is the same. */
export function bodyHash(body: unknown): string {
  return createHash('sha256').update(canonical(body)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

/**
 * Takes an Idempotency-Key (open-points, Base): the first request gets it, later ones within 24 hours get the
 * first one's answer. Throws 409 while the first is running and 422 when its body was another.
 */
export async function beginIdempotent(
  deps: { db: Db; clock: Clock },
  claim: IdempotencyClaim,
): Promise<{ kind: 'first'; request: IdempotentRequest } | { kind: 'replay'; answer: Answer }> {
  const now = deps.clock.now();
  const result = await claimIdempotencyKey(deps.db, claim, {
    at: new Date(now),
    keptSince: new Date(now - KEPT_MS),
    abandonedBefore: new Date(now - ABANDONED_MS),
  });
  if (result.kind === 'running') throw errors.requestInProgress();
  if (result.kind === 'other_body') throw errors.idempotencyKeyReused();
  if (result.kind === 'answered') {
    return { kind: 'replay', answer: { status: result.status, response: result.response } };
  }
  return {
    kind: 'first',
    request: {
      store: (tx, answer) => storeIdempotentAnswer(tx, claim, answer),
      fail: (refusal) =>
        refusal === null
          ? releaseIdempotencyKey(deps.db, claim)
          : storeIdempotentAnswer(deps.db, claim, refusal),
    },
  };
}

const FORGOTTEN_AT_ONCE = 5000;

/** Deletes what nobody can ask for any more: answers repeat what was sent. */
export async function forgetOldAnswers(
  deps: { db: Db; clock: Clock },
  isStopped = () => false,
): Promise<void> {
  const before = new Date(deps.clock.now() - KEPT_MS);
  while (!isStopped() && (await deleteOldKeys(deps.db, before, FORGOTTEN_AT_ONCE)) > 0);
}
