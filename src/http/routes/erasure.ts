import { eraseCall } from '../../domain/privacy/erase-call.ts';
import { readErasure, requestErasure } from '../../domain/privacy/erase-numbers.ts';
import { changeRetention, readRetentionRules } from '../../domain/privacy/retention.ts';
import { newId } from '../../shared/ids.ts';
import { idempotent } from '../idempotent.ts';
import { CallParams } from '../schemas/calls.ts';
import { answers, IdempotencyHeader } from '../schemas/common.ts';
import {
  EraseBody,
  ErasedCall,
  ErasureParams,
  ErasureStarted,
  ErasureStatus,
  RetentionBody,
  RetentionRules,
} from '../schemas/privacy.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

const STAYS =
  'Recording, transcript, tool log, analyses, name and values go, and their copies in events; events still to be delivered go out without them. The call stays in history and sums with its number masked; what it cost stays. Numbers on the do-not-call list stay listed.';

/** DELETE /calling/{call_id}/data, POST and GET /calling/erase, GET and PATCH /workspace/retention. */
export function erasureRoutes(app: Server, deps: ServerDeps): void {
  const tags = ['Privacy'];
  const write = { rateClass: 'write' } as const;
  const read = { rateClass: 'read' } as const;

  app.delete(
    '/calling/:call_id/data',
    {
      config: write,
      schema: {
        operationId: 'eraseCall',
        summary: 'Erase the personal data of one ended call',
        description: `${STAYS} Doing it again changes nothing more. 409 while the call has not ended.`,
        tags,
        params: CallParams,
        response: answers(ErasedCall, 404, 409),
      },
    },
    async (request) => {
      const erased = await eraseCall(deps, request.caller.workspaceId, request.params.call_id);
      return {
        message: 'Call data erased successfully',
        call_id: erased.callId,
        erased_at: erased.erasedAt.toISOString(),
      };
    },
  );

  app.post(
    '/calling/erase',
    {
      config: write,
      schema: {
        operationId: 'eraseNumbers',
        summary: 'Erase everything with some phone numbers',
        description: `In all calls to them and from them, and in the refused rows of contact lists. ${STAYS} Queued calls to the numbers are cancelled before the answer; live ones are erased when they end. The rest is done behind the answer.`,
        tags,
        headers: IdempotencyHeader,
        body: EraseBody,
        response: answers(ErasureStarted, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const id = newId();
        // The first step may be that queued calls are cancelled.
        request.changeEntry?.tell({ erasure_id: id });
        const toAnswer = (cancelled: number) => ({
          message: 'Erasure started',
          erasure_id: id,
          cancelled_count: cancelled,
        });
        const { workspaceId } = request.caller;
        const asked = { id, mobileNumbers: request.body.mobile_numbers };
        const cancelled = await requestErasure(deps, workspaceId, asked, (tx, count) =>
          store(tx, toAnswer(count)),
        );
        deps.kickPrivacy?.();
        return toAnswer(cancelled);
      }),
  );

  app.get(
    '/calling/erase/:erasure_id',
    {
      config: read,
      schema: {
        operationId: 'getErasure',
        summary: 'How far an erasure has come',
        tags,
        params: ErasureParams,
        response: answers(ErasureStatus, 404),
      },
    },
    ({ caller, params }) => readErasure(deps, caller.workspaceId, params.erasure_id),
  );

  app.get(
    '/workspace/retention',
    {
      config: read,
      schema: {
        operationId: 'getRetention',
        summary: 'How long the workspace keeps what',
        tags,
        response: answers(RetentionRules),
      },
    },
    ({ caller }) => readRetentionRules(deps, caller.workspaceId),
  );

  app.patch(
    '/workspace/retention',
    {
      config: write,
      schema: {
        operationId: 'setRetention',
        summary: 'Change how long the workspace keeps what',
        description:
          'What is over by the new rules is deleted within the hour, in batches. Deleting a transcript takes it out of the copies in events too.',
        tags,
        body: RetentionBody,
        response: answers(RetentionRules, 413, 415, 422),
      },
    },
    ({ caller, body }) => changeRetention(deps, caller.workspaceId, body),
  );
}
