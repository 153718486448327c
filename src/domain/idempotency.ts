import { createHash } from 'node:crypto';
import { errors } from '../errors.ts';
import type { Clock } from '../shared/clock.ts';
import type { Db } from '../store/database.ts';
import {
  ClaimLost,
  claimIdempotencyKey,
  deleteOldKeys,
  releaseIdempotencyKey,
  storeIdempotentAnswer,
  type HeldClaim,
  type IdempotencyClaim,
} from '../store/idempotency.ts';

const KEPT_MS = 24 * 3_600_000;
/**
 * Longer than the longest request: an unanswered key of this age belongs to a process that died or is paused. The
 * fencing token of the claim keeps a paused one from committing afterwards.
 */
const ABANDONED_MS = 90_000;

export interface Answer {
  status: number;
  response: unknown;
}

/** The first request under a key. */
export interface IdempotentRequest {
  readonly claim: HeldClaim;
  /** Stores the response in the transaction of the change. Throws 409 if a retry has taken the key over. */
  store(tx: Db, answer: Answer): Promise<void>;
  /** Ends a failed request: stores a refusal, or releases the key for null. */
  fail(refusal: Answer | null): Promise<void>;
}

/**
 * SHA-256 of what makes two requests of one route the same: the path parameters and the body. The order of keys and the
 * case of ids do not make another request.
 */
export function fingerprint(params: unknown, body: unknown): string {
  const path = canonical(params ?? {}).toLowerCase();
  const text = path === '{}' ? canonical(body) : `${path} ${canonical(body)}`;
  return createHash('sha256').update(text).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

/**
 * Claims an Idempotency-Key (open-points, Base). The first request executes; later ones within 24 hours replay its
 * response. Throws 409 while the first is running, and 422 if its path parameters or body were different.
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
  const held: HeldClaim = { ...claim, claimedAt: new Date(now) };
  return {
    kind: 'first',
    request: {
      claim: held,
      store: (tx, answer) =>
        storeIdempotentAnswer(tx, held, answer).catch((error: unknown) => {
          throw error instanceof ClaimLost ? errors.requestInProgress() : error;
        }),
      fail: (refusal) =>
        refusal === null
          ? releaseIdempotencyKey(deps.db, held)
          : storeIdempotentAnswer(deps.db, held, refusal).catch((error: unknown) => {
              // The answer of the request that took the key over counts.
              if (!(error instanceof ClaimLost)) throw error;
            }),
    },
  };
}

const DELETE_BATCH = 5000;

/** Deletes expired responses: they repeat personal data of their requests. */
export async function deleteExpiredAnswers(
  deps: { db: Db; clock: Clock },
  isStopped = () => false,
): Promise<void> {
  const before = new Date(deps.clock.now() - KEPT_MS);
  while (!isStopped() && (await deleteOldKeys(deps.db, before, DELETE_BATCH)) > 0);
}
