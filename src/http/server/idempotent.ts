import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginIdempotent, fingerprint, type IdempotentRequest } from '../../domain/idempotency.ts';
import { ApiError, errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../domain/database.ts';
import { errorBody } from './error-handler.ts';

const MAX_KEY_LENGTH = 255;
/** Refusals that are replayed for 24 hours like a success: the handler examined the request and declined it. */
const KEPT_REFUSALS = new Set([400, 402, 403, 404]);

/** Stores the response in the transaction of the change; without a key it only describes the audit entry. */
export type StoreAnswer = (tx: Db, response: unknown) => Promise<void>;

/** The claim of the request's key, for a change on another connection; null without a key. */
export type AnswerClaim = IdempotentRequest['claim'] | null;

/**
 * Runs a handler once per Idempotency-Key and replays its response afterwards. The handler stores its 200 response in
 * the transaction of its change, so that a crash leaves both or neither.
 */
export async function idempotent<T>(
  deps: { db: Db; clock: Clock },
  request: FastifyRequest,
  reply: FastifyReply,
  handle: (store: StoreAnswer, claim: AnswerClaim) => Promise<T>,
): Promise<T> {
  const key = request.headers['idempotency-key'];
  const describe = (response: unknown): void => request.changeEntry?.setSubject(response);
  if (key === undefined) return handle(async (_tx, response) => describe(response), null);
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    throw errors.invalid('Idempotency-Key', `must be 1 to ${MAX_KEY_LENGTH} characters long`);
  }
  const claim = {
    workspaceId: request.caller.workspaceId,
    route: `${request.method} ${request.routeOptions.url ?? ''}`,
    key,
    bodyHash: fingerprint(request.params, request.body),
  };
  const begun = await beginIdempotent(deps, claim);
  if (begun.kind === 'replay') {
    void reply.code(begun.answer.status).header('idempotency-replayed', 'true');
    // Not by the schema: an earlier version may have stored it, without fields that the schema requires now.
    void reply
      .type('application/json; charset=utf-8')
      .serializer((stored: unknown) => JSON.stringify(stored));
    // The stored value is the response of this same handler.
    return begun.answer.response as T;
  }
  try {
    return await handle((tx, response) => {
      describe(response);
      return begun.request.store(tx, { status: 200, response });
    }, begun.request.claim);
  } catch (error) {
    const isKept = error instanceof ApiError && KEPT_REFUSALS.has(error.status);
    await begun.request.fail(
      isKept ? { status: error.status, response: errorBody(error, request.id) } : null,
    );
    throw error;
  }
}
