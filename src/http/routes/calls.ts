import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { CallIntake } from '../../domain/calls/call-intake.ts';
import { readDetails } from '../../domain/calls/details.ts';
import { hangUpCall } from '../../domain/calls/hangup.ts';
import { readHistory } from '../../domain/calls/history.ts';
import { placeCall, type PlaceCallInput, type PlacedCall as Placed } from '../../domain/calls/place-call.ts';
import { callCallback } from '../../domain/webhooks/call-callback.ts';
import { idempotent } from '../idempotent.ts';
import { historyFilter } from '../history-filter.ts';
import {
  CallDetails,
  CallParams,
  DetailsQuery,
  HangUpAnswer,
  HistoryPage,
  HistoryQuery,
  PlaceCallBody,
  PlaceCallV2Body,
  PlacedCall,
} from '../schemas/calls.ts';
import { answers, IdempotencyHeader } from '../schemas/common.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

const toAnswer = (call: Placed) => ({
  status: 'success',
  data: {
    call_id: call.callId,
    call_direction: 'outbound',
    call_status: call.status,
    call_sub_status: call.isWindowOpen ? 'QUEUED' : 'WINDOW_CLOSED',
    initiated_at: call.initiatedAt.toISOString(),
    agent_id: call.agentId,
    custom_args_values: call.customArgsValues,
  },
  message: call.isWindowOpen
    ? 'Call initiated successfully'
    : 'Call registered; it waits for the calling window to open',
});

/** Places a call under the request's Idempotency-Key; `v2` is what the newer variant adds. */
function place(
  deps: ServerDeps & { intake: CallIntake },
  request: FastifyRequest & { body: Static<typeof PlaceCallBody> },
  reply: FastifyReply,
  v2: { poolId: string | null; choices: () => NonNullable<PlaceCallInput['v2']> } | null,
) {
  return idempotent(deps, request, reply, async (store, claim) => {
    const body = request.body;
    const placed = await placeCall(
      deps,
      request.caller,
      {
        name: body.name,
        mobileNumber: body.mobile_number,
        agentId: body.agent_id,
        source: {
          fromNumberId: body.from_number_id ?? null,
          fromNumber: body.from_number ?? null,
          numberPoolId: v2?.poolId ?? null,
        },
        customArgsValues: body.custom_args_values ?? {},
        callConfig: body.call_config ?? null,
        v2: v2?.choices() ?? null,
      },
      {
        change: request.changeEntry ?? null,
        answer: claim === null ? null : (tx, call) => store(tx, toAnswer(call)),
      },
    );
    return toAnswer(placed);
  });
}

/** POST /calling/outbound/individual and its v2, POST /calling/{call_id}/hangup, GET /calling/history, GET /calling/call-details. */
export function callRoutes(app: Server, deps: ServerDeps): void {
  const tags = ['Calling'];
  const placing = { ...deps, intake: new CallIntake(deps) };

  app.post(
    '/calling/outbound/individual',
    {
      config: { rateClass: 'dial' },
      schema: {
        operationId: 'placeCall',
        summary: 'Place one outbound call',
        description: 'Dials a real number and spends workspace balance.',
        tags,
        headers: IdempotencyHeader,
        body: PlaceCallBody,
        response: answers(PlacedCall, 400, 402, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) => place(placing, request, reply, null),
  );

  app.post(
    '/calling/v2/outbound/individual',
    {
      config: { rateClass: 'dial' },
      schema: {
        operationId: 'placeCallV2',
        summary: 'Place one outbound call with choices of its own',
        description: 'As the older variant, and: a number pool, a voice, a version, a receiver of its own.',
        tags,
        headers: IdempotencyHeader,
        body: PlaceCallV2Body,
        response: answers(PlacedCall, 400, 402, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) => {
      const body = request.body;
      return place(placing, request, reply, {
        poolId: body.number_pool_id ?? null,
        choices: () => ({
          voiceId: body.voice_id ?? null,
          versionId: body.version_id ?? null,
          category: body.call_category ?? null,
          parentCallId: body.parent_call_id ?? null,
          callback: callCallback(deps.seal, body.callback_url, body.callback_args),
        }),
      });
    },
  );

  app.post(
    '/calling/:call_id/hangup',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'hangUpCall',
        summary: 'End a live call',
        tags,
        params: CallParams,
        response: answers(HangUpAnswer, 400, 404),
      },
    },
    async ({ caller, params, changeEntry }) => {
      const { callId } = await hangUpCall(deps, caller.workspaceId, params.call_id, async () =>
        changeEntry?.before(),
      );
      return { status: 'success', data: { call_id: callId }, message: 'The call is being ended' };
    },
  );

  app.get(
    '/calling/history',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listCalls',
        summary: 'Calls, newest first',
        tags,
        querystring: HistoryQuery,
        response: answers(HistoryPage, 400, 422),
      },
    },
    (request) => {
      const query = request.query;
      return readHistory(deps, request.caller.workspaceId, historyFilter(query), {
        limit: query.limit ?? 10,
        offset: query.offset ?? 0,
      });
    },
  );

  app.get(
    '/calling/call-details',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getCall',
        summary: 'One call: transcript, recording, attempts, latency, analysis',
        tags,
        querystring: DetailsQuery,
        response: answers(CallDetails, 404, 422),
      },
    },
    async (request) => ({
      status: 'success',
      data: await readDetails(
        deps,
        request.caller.workspaceId,
        request.query.id,
        request.query.send_analysis ?? false,
      ),
    }),
  );
}
