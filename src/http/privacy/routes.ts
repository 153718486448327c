import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { eraseCall } from '../../domain/privacy/erase-call.ts';
import { eraseChat } from '../../domain/privacy/erase-chats.ts';
import { readErasure, requestErasure } from '../../domain/privacy/erase-numbers.ts';
import { exportPerson } from '../../domain/privacy/export/export-person.ts';
import { changeRetention, readRetentionRules } from '../../domain/privacy/retention.ts';
import { newId } from '../../shared/ids.ts';
import { idempotent } from '../server/idempotent.ts';
import { CallParams } from '../calls/schemas.ts';
import { ChatParams } from '../chats/schemas.ts';
import { answers, failures, IdempotencyHeader } from '../common/schemas.ts';
import {
  EraseBody,
  ErasedCall,
  ErasedChat,
  ErasureParams,
  ErasureStarted,
  ErasureStatus,
  ExportedPerson,
  ExportPersonBody,
  RetentionBody,
  RetentionRules,
} from './schemas.ts';
import { personDocument } from './person-document.ts';
import { toErasure, toRetention } from '../workspaces/wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type PrivacyRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'link' | 'kickPrivacy'>;

const EFFECT =
  'Deletes recording, transcript, tool log, analyses, name and values, and their copies in events; events that are not delivered yet are delivered without them. The call remains in the history and the sums with its number masked and its cost. Numbers on the do-not-call list stay listed.';

/** DELETE /calling/{call_id}/data and /chat/{chat_id}/data, POST and GET /calling/erase, POST /calling/export-person, GET and PATCH /workspace/retention. */
export function erasureRoutes(app: Server, deps: PrivacyRouteDeps): void {
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
        description: `${EFFECT} Idempotent. 409 while the call has not ended.`,
        tags,
        params: CallParams,
        response: answers(ErasedCall, 404, 409),
      },
    },
    async (request) => {
      const erased = await eraseCall(
        deps,
        request.caller.workspaceId,
        request.changeEntry,
        request.params.call_id,
      );
      return {
        message: 'Call data erased successfully',
        call_id: erased.callId,
        erased_at: erased.erasedAt.toISOString(),
      };
    },
  );

  app.delete(
    '/chat/:chat_id/data',
    {
      config: write,
      schema: {
        operationId: 'eraseChat',
        summary: 'Erase the personal data of one chat',
        description:
          'Also of a chat without a number, such as one from a web page. Deletes messages, tool log, analyses, number, name and values, and their copies in events; a chat that is open ends first. The chat remains in the history and the sums. Idempotent.',
        tags,
        params: ChatParams,
        response: answers(ErasedChat, 404),
      },
    },
    async ({ caller, changeEntry, params }) => {
      const erased = await eraseChat(deps, caller.workspaceId, changeEntry, params.chat_id);
      return {
        message: 'Chat data erased successfully',
        chat_id: erased.chatId,
        erased_at: erased.erasedAt.toISOString(),
      };
    },
  );

  app.post(
    '/calling/erase',
    {
      // The log must not keep the numbers that the request erases.
      config: { ...write, requestLog: 'no-body' },
      schema: {
        operationId: 'eraseNumbers',
        summary: 'Erase the personal data of phone numbers',
        description: `In all calls to and from the numbers, and in the rejected rows of contact lists. ${EFFECT} Queued calls to the numbers are cancelled before the answer; live calls are erased when they end. The rest runs in the background.`,
        tags,
        headers: IdempotencyHeader,
        body: EraseBody,
        response: answers(ErasureStarted, 400, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const id = newId();
        // The first transaction may only cancel queued calls, so the entry needs the erasure's id before it.
        request.changeEntry?.setSubject({ erasure_id: id });
        const toAnswer = (cancelled: number) => ({
          message: 'Erasure started',
          erasure_id: id,
          cancelled_count: cancelled,
        });
        const { caller, changeEntry } = request;
        const erasure = { id, mobileNumbers: request.body.mobile_numbers };
        const cancelled = await requestErasure(deps, caller.workspaceId, changeEntry, erasure, (tx, count) =>
          store(tx, toAnswer(count)),
        );
        deps.kickPrivacy?.();
        return toAnswer(cancelled);
      }),
  );

  app.post(
    '/calling/export-person',
    {
      // The log must not keep the number of a person who asks what is kept.
      config: { ...write, isHeavy: true, requestLog: 'no-body' },
      schema: {
        operationId: 'exportPerson',
        summary: 'Everything that the workspace keeps of a person',
        description:
          'Streams one JSON document: calls with transcripts, analyses and links to recordings, chats with messages, contacts of campaigns, opt-outs, test results, events, log entries and refused rows of contact lists, by the numbers of the person in any spelling, or by the ids of calls and chats. It begins before everything is found: without is_complete at its end it was cut off. The places of personal data that it leaves out are in places, with the reason.',
        tags,
        body: ExportPersonBody,
        response: {
          200: {
            description: 'The document.',
            content: { 'application/json': { schema: Type.Unsafe<Readable>(ExportedPerson) } },
          },
          ...failures(400, 404, 413, 415, 422),
        },
      },
    },
    async ({ caller, body }, reply) => {
      const data = await exportPerson(deps, caller.workspaceId, {
        mobileNumbers: body.mobile_numbers ?? [],
        callIds: body.call_ids ?? [],
        chatIds: body.chat_ids ?? [],
      });
      return reply
        .headers({ 'content-disposition': 'attachment; filename="person.json"', 'cache-control': 'no-store' })
        .type('application/json; charset=utf-8')
        .send(Readable.from(personDocument(data)));
    },
  );

  app.get(
    '/calling/erase/:erasure_id',
    {
      config: read,
      schema: {
        operationId: 'getErasure',
        summary: 'Progress of an erasure',
        description: 'It has ended when its status is done.',
        tags,
        params: ErasureParams,
        response: answers(ErasureStatus, 404),
      },
    },
    async ({ caller, params }) => toErasure(await readErasure(deps, caller.workspaceId, params.erasure_id)),
  );

  app.get(
    '/workspace/retention',
    {
      config: read,
      schema: {
        operationId: 'getRetention',
        summary: 'The retention rules of the workspace',
        description: 'How many days recordings, transcripts and the audit log are kept.',
        tags,
        response: answers(RetentionRules),
      },
    },
    async ({ caller }) => toRetention(await readRetentionRules(deps, caller.workspaceId)),
  );

  app.patch(
    '/workspace/retention',
    {
      config: write,
      schema: {
        operationId: 'setRetention',
        summary: 'Change the retention rules',
        description:
          'Data older than the new rules allow is deleted within the hour, in batches. Deleting a transcript also deletes its copies in events.',
        tags,
        body: RetentionBody,
        response: answers(RetentionRules, 400, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) =>
      toRetention(
        await changeRetention(deps, caller.workspaceId, changeEntry, {
          recordingDays: body.recording_days,
          transcriptDays: body.transcript_days,
          contactDays: body.contact_days,
          testDays: body.test_days,
          auditDays: body.audit_days,
        }),
      ),
  );
}
