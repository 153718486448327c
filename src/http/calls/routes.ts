import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { readDetails } from '../../domain/calls/details.ts';
import { pageRequest } from '../../domain/cursor.ts';
import { hangUpCall } from '../../domain/calls/hangup.ts';
import { replayCall } from '../../domain/calls/replay.ts';
import { readHistory } from '../../domain/calls/history.ts';
import { placeCall, placingWith, type PlaceCallDeps, type PlaceCallInput } from '../../domain/calls/place.ts';
import { briefLinks, type SignedLinks } from '../../domain/links/signed-links.ts';
import { callCallback } from '../../domain/webhooks/receiver-rules.ts';
import { toCallConfig } from '../agents/call-config-schemas.ts';
import type { Caller } from '../../domain/workspaces/authenticate-key.ts';
import { idempotent } from '../server/idempotent.ts';
import { zoneOfDays } from '../common/zone-of-days.ts';
import { historyFilter } from './history-filter.ts';
import {
  CallDetails,
  CallParams,
  DetailsQuery,
  HangUpAnswer,
  HistoryPage,
  PlaceCallBody,
  PlaceCallV2Body,
  PlacedCall,
} from './schemas.ts';
import { HistoryQuery } from './history-schemas.ts';
import { CallReplay, ReplayQuery } from './replay-schemas.ts';
import { answers, IdempotencyHeader } from '../common/schemas.ts';
import { toCallDetails, toHistoryPage, toPlacedCall } from './wire.ts';
import { toReplay } from './replay-wire.ts';
import { withVoices } from '../voices/with-voices.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { NoteTranscriptRead } from './transcript-reads.ts';
import type { Server } from '../server/type-provider.ts';

type CallsRouteDeps = Pick<
  ServerDeps,
  | 'db'
  | 'clock'
  | 'log'
  | 'voices'
  | 'rate'
  | 'prices'
  | 'wakeScheduler'
  | 'hangUp'
  | 'replayLog'
  | 'link'
  | 'guard'
  | 'seal'
>;

/** Places a call under the request's Idempotency-Key; `v2` holds the fields of the newer variant. */
function place(
  deps: CallsRouteDeps & PlaceCallDeps,
  request: FastifyRequest & { body: Static<typeof PlaceCallBody> },
  reply: FastifyReply,
  v2: { poolId: string | null; choices: () => NonNullable<PlaceCallInput['v2']> } | null,
) {
  return idempotent(deps, request, reply, async (store, claim) => {
    const body = request.body;
    const choices = v2?.choices() ?? null;
    const voiceId = choices?.voiceId ?? null;
    const placed = await placeCall(
      voiceId === null ? deps : await withVoices(deps, request.caller.workspaceId, [voiceId]),
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
        callConfig: body.call_config === undefined ? null : toCallConfig(body.call_config),
        v2: choices,
      },
      {
        change: request.changeEntry,
        answer: claim === null ? null : (tx, call) => store(tx, toPlacedCall(call)),
      },
    );
    return toPlacedCall(placed);
  });
}

/** A link outlives the session that read it, so the dashboard's are brief: whoever leaves keeps none. */
const linksFor = ({ actor }: Caller, links: SignedLinks): SignedLinks =>
  actor.type === 'user' ? briefLinks(links) : links;

/** POST /calling/outbound/individual and its v2, POST /calling/{call_id}/hangup, GET /calling/history, GET /calling/call-details, GET /calling/replay. */
export function callRoutes(app: Server, deps: CallsRouteDeps, noteTranscriptRead: NoteTranscriptRead): void {
  const tags = ['Calling'];
  const placing = placingWith(deps);

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
        summary: 'Place one outbound call with a pool, voice, version or receiver',
        description:
          'Accepts everything the older variant does, plus a number pool, a voice, an agent version and a webhook receiver for this call.',
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
          callback: callCallback(deps, request.caller.workspaceId, body.callback_url, body.callback_args),
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
        summary: 'End a live call, or cancel one that waits to be dialled',
        description:
          'A call that waits (registered, retry) is cancelled: it ends as cancelled with USER_TERMINATED, and no phone rings after the answer.',
        tags,
        params: CallParams,
        response: answers(HangUpAnswer, 400, 404),
      },
    },
    async ({ caller, params, changeEntry }) => {
      const ended = await hangUpCall(deps, caller.workspaceId, changeEntry, params.call_id);
      return {
        status: 'success',
        data: { call_id: ended.callId },
        message: ended.isCancelled
          ? 'The call was cancelled before it was dialled'
          : 'The call is being ended',
      };
    },
  );

  app.get(
    '/calling/history',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listCalls',
        summary: 'Calls, newest first',
        description:
          'Filters are combined with AND. With cursor the pages neither repeat nor skip calls while others are placed; offset counts from the newest call.',
        tags,
        querystring: HistoryQuery,
        response: answers(HistoryPage, 400, 422),
      },
    },
    async ({ caller, query }) => {
      const page = pageRequest(query, 10);
      const reading = { ...deps, link: linksFor(caller, deps.link) };
      const filter = historyFilter(query, await zoneOfDays(deps, caller.workspaceId, query));
      return toHistoryPage(await readHistory(reading, caller.workspaceId, filter, page));
    },
  );

  app.get(
    '/calling/call-details',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getCall',
        summary: 'One call: transcript, recording, attempts, latency, analysis',
        description:
          'During the call the answer has the lines and attempts so far; the recording and the analysis follow after its end.',
        tags,
        querystring: DetailsQuery,
        response: answers(CallDetails, 404, 422),
      },
    },
    async (request) => {
      const { caller, query } = request;
      const reading = { ...deps, link: linksFor(caller, deps.link) };
      const details = await readDetails(reading, caller.workspaceId, query.id);
      if (details.transcript !== null) noteTranscriptRead(request, details.call.id);
      return { status: 'success', data: toCallDetails(details, deps.prices, query.send_analysis ?? false) };
    },
  );

  app.get(
    '/calling/replay',
    {
      config: { rateClass: 'read', isHeavy: true },
      schema: {
        operationId: 'replayCall',
        summary: 'Run a call through the conversation core again: time line, and whether it decides the same',
        description:
          'Replays the event log of the conversation of a call that has ended. A later version of the service may decide otherwise; first_difference names where. Counts as reading the transcript in the audit log.',
        tags,
        querystring: ReplayQuery,
        response: answers(CallReplay, 404, 422),
      },
    },
    async (request) => {
      const { caller, query } = request;
      const replayed = await replayCall(deps, caller.workspaceId, query.id);
      noteTranscriptRead(request, replayed.callId);
      return { status: 'success', data: toReplay(replayed, query.send_log ?? false) };
    },
  );
}
