import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginIdempotent, bodyHash } from '../domain/idempotency.ts';
import { ApiError, errors } from '../errors.ts';
import type { Clock } from '../shared/clock.ts';
import type { Db } from '../domain/database.ts';
import { errorBody } from './error-handler.ts';

const MAX_KEY_LENGTH = 255;
/** Refusals that stand for 24 hours like an answer: what the request asked was looked at and declined. */
const KEPT_REFUSALS = new Set([400, 402, 403, 404]);

/** Keeps an answer in the transaction of the change; a request without a key has nothing to keep it under. */
export type StoreAnswer = (tx: Db, response: unknown) => Promise<void>;

/** The key of a request, for a change whose transaction is elsewhere; null: it has none. */
export type AnswerClaim = Parameters<typeof beginIdempotent>[1] | null;

/**
 * Runs a handler once per Idempotency-Key and replays its answer afterwards. The handler stores its 200 answer with
 * the change it makes, so that a crash leaves either both or neither.
 */
export async function idempotent<T>(
  deps: { db: Db; clock: Clock },
  request: FastifyRequest,
  reply: FastifyReply,
  handle: (store: StoreAnswer, claim: AnswerClaim) => Promise<T>,
): Promise<T> {
  const key = request.headers['idempotency-key'];
  const tell = (response: unknown): void => request.changeEntry?.tell(response);
  if (key === undefined) return handle(async (_tx, response) => tell(response), null);
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    throw errors.invalid('Idempotency-Key', `must be 1 to ${MAX_KEY_LENGTH} characters long`);
  }
  const claim = {
    workspaceId: request.caller.workspaceId,
    route: `${request.method} ${request.routeOptions.url ?? ''}`,
    key,
    bodyHash: bodyHash(request.body),
  };
  const begun = await beginIdempotent(deps, claim);
  if (begun.kind === 'replay') {
    void reply.code(begun.answer.status).header('idempotency-replayed', 'true');
    // What was stored under the key is what this handler answered then.
    return begun.answer.response as T;
  }
  try {
    return await handle((tx, response) => {
      tell(response);
      return begun.request.store(tx, { status: 200, response });
    }, claim);
  } catch (error) {
    const isKept = error instanceof ApiError && KEPT_REFUSALS.has(error.status);
    await begun.request.fail(
      isKept ? { status: error.status, response: errorBody(error, request.id) } : null,
    );
    throw error;
  }
}
