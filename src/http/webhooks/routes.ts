import type { Static } from 'typebox';
import {
  readDeliveries,
  readDelivery,
  recoverDeliveries,
  resendDelivery,
} from '../../domain/webhooks/delivery-log.ts';
import { enableReceiver } from '../../domain/webhooks/disable-receiver.ts';
import { readFailures } from '../../domain/webhooks/failures.ts';
import { rotateSigningSecret, signingSecrets } from '../../domain/webhooks/signing-secrets.ts';
import { sendTestEvent, type TestReceiver } from '../../domain/test-events/test-event.ts';
import { pageRequest } from '../../domain/cursor.ts';
import { errors } from '../../errors.ts';
import { idempotent } from '../server/idempotent.ts';
import { readMoment } from '../common/moment.ts';
import { answers, IdempotencyHeader } from '../common/schemas.ts';
import {
  DeliveryAnswer,
  DeliveryList,
  DeliveryParams,
  DeliveryQuery,
  EnabledAnswer,
  FailureList,
  FailureQuery,
  RecoverAnswer,
  ReceiverParams,
  RecoverBody,
  RotateBody,
  SentAnswer,
  SigningSecretAnswer,
  TestEventBody,
} from './schemas.ts';
import { toDelivery, toDeliveryDetails, toFailures, toReceiver, toSigningSecret } from './wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { NoteTranscriptRead } from '../calls/transcript-reads.ts';
import type { Server } from '../server/type-provider.ts';

type WebhooksRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'guard' | 'seal'>;

const DEFAULT_LIMIT = 50;
const HOUR_MS = 3_600_000;
const DEFAULT_OVERLAP_HOURS = 24;
const tags = ['Webhooks'];
const read = { rateClass: 'read' } as const;
const write = { rateClass: 'write' } as const;

/** GET and POST /webhooks/…: the signing secret, the delivery log, resending and test events. */
export function webhookRoutes(
  app: Server,
  deps: WebhooksRouteDeps,
  noteTranscriptRead: NoteTranscriptRead,
): void {
  secretRoutes(app, deps);
  logRoutes(app, deps, noteTranscriptRead);

  app.post(
    '/webhooks/test',
    {
      config: write,
      schema: {
        operationId: 'sendTestEvent',
        summary: 'Send a sample event to a receiver',
        description:
          'Delivered like a real event: signed, up to four attempts, in the delivery log. Its body has test: true.',
        tags,
        headers: IdempotencyHeader,
        body: TestEventBody,
        response: answers(SentAnswer, 400, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const { caller, body, changeEntry } = request;
        const receiver = receiverOf(body);
        const message = 'Test event queued for delivery';
        const delivery = await sendTestEvent(
          deps,
          caller.workspaceId,
          changeEntry,
          body.event_type,
          receiver,
          (tx, sent) => store(tx, { message, delivery: toDelivery(sent) }),
        );
        return { message, delivery: toDelivery(delivery) };
      }),
  );
}

function secretRoutes(app: Server, deps: WebhooksRouteDeps): void {
  app.get(
    '/webhooks/signing-secret',
    {
      config: { ...read, isAudited: true },
      schema: {
        operationId: 'getSigningSecret',
        summary: 'The secret that signs deliveries',
        description:
          'Receivers verify deliveries with it (Standard Webhooks). While an older secret overlaps, both sign.',
        tags,
        response: answers(SigningSecretAnswer),
      },
    },
    async ({ caller }) =>
      toSigningSecret((await signingSecrets(deps, [caller.workspaceId])).get(caller.workspaceId) ?? []),
  );

  app.post(
    '/webhooks/signing-secret/rotate',
    {
      config: write,
      schema: {
        operationId: 'rotateSigningSecret',
        summary: 'Replace the secret that signs deliveries',
        description:
          'During the overlap every delivery carries both signatures, so that receivers can switch one by one.',
        tags,
        body: RotateBody,
        response: answers(SigningSecretAnswer, 400, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      const overlapMs = Math.round((body.overlap_hours ?? DEFAULT_OVERLAP_HOURS) * HOUR_MS);
      return toSigningSecret(await rotateSigningSecret(deps, caller.workspaceId, changeEntry, overlapMs));
    },
  );
}

function logRoutes(app: Server, deps: WebhooksRouteDeps, noteTranscriptRead: NoteTranscriptRead): void {
  app.get(
    '/webhooks/deliveries',
    {
      config: read,
      schema: {
        operationId: 'listDeliveries',
        summary: 'The delivery log, newest first',
        description: 'Filters are combined with AND. Finished deliveries stay for WEBHOOK_LOG_DAYS.',
        tags,
        querystring: DeliveryQuery,
        response: answers(DeliveryList, 400, 422),
      },
    },
    async ({ caller, query }) => {
      const page = pageRequest(query, DEFAULT_LIMIT);
      const filter = {
        callId: query.call_id ?? null,
        eventType: query.event_type ?? null,
        state: query.state ?? null,
        since: query.since === undefined ? null : readMoment('since', query.since).from,
      };
      const found = await readDeliveries(deps, caller.workspaceId, filter, page);
      return {
        deliveries: found.deliveries.map(toDelivery),
        limit: page.limit,
        offset: page.offset,
        count: found.deliveries.length,
        has_more: found.hasMore,
        next_cursor: found.nextCursor,
      };
    },
  );

  app.get(
    '/webhooks/failures',
    {
      config: read,
      schema: {
        operationId: 'listFailures',
        summary: 'Deliveries that were given up, and receivers that accept nothing',
        description: 'Newest first, with cursor pages. kept: the delivery is sent when its receiver is back.',
        tags,
        querystring: FailureQuery,
        response: answers(FailureList, 400, 422),
      },
    },
    async ({ caller, query }) => {
      const page = pageRequest(query, DEFAULT_LIMIT);
      const found = await readFailures(deps, caller.workspaceId, page);
      return {
        ...toFailures(found),
        limit: page.limit,
        offset: page.offset,
        count: found.failures.length,
        has_more: found.hasMore,
        next_cursor: found.nextCursor,
      };
    },
  );

  app.get(
    '/webhooks/deliveries/:delivery_id',
    {
      config: read,
      schema: {
        operationId: 'getDelivery',
        summary: 'One delivery: request, responses and timing',
        description: 'With the beginning of each response, and the error where there was none.',
        tags,
        params: DeliveryParams,
        response: answers(DeliveryAnswer, 404),
      },
    },
    async (request) => {
      const { caller, params } = request;
      const found = await readDelivery(deps, caller.workspaceId, params.delivery_id);
      const { transcript, call_id: callId } = found.body;
      if (Array.isArray(transcript) && typeof callId === 'string') noteTranscriptRead(request, callId);
      return { delivery: toDeliveryDetails(found) };
    },
  );

  app.post(
    '/webhooks/deliveries/:delivery_id/resend',
    {
      config: write,
      schema: {
        operationId: 'resendDelivery',
        summary: 'Resend an ended delivery',
        description:
          'Starts again with four attempts. 409 while it is pending, and after the erasure of the call deleted the URL of its own receiver.',
        tags,
        params: DeliveryParams,
        response: answers(SentAnswer, 404, 409),
      },
    },
    async ({ caller, params, changeEntry }) => ({
      message: 'Delivery queued again',
      delivery: toDeliveryDetails(
        await resendDelivery(deps, caller.workspaceId, changeEntry, params.delivery_id),
      ),
    }),
  );

  app.post(
    '/webhooks/receivers/:receiver_id/enable',
    {
      config: write,
      schema: {
        operationId: 'enableReceiver',
        summary: 'Send events again to a receiver that was disabled',
        description:
          'Enables a receiver that the service disabled after five days of failed deliveries. The service sends it new events again, and the oldest kept delivery at once; when the receiver accepts that one, the service sends the others. 404 for a receiver that does not fail, 409 for one that is not disabled.',
        tags,
        params: ReceiverParams,
        response: answers(EnabledAnswer, 404, 409),
      },
    },
    async ({ caller, params, changeEntry }) => ({
      message: 'Receiver enabled',
      receiver: toReceiver(await enableReceiver(deps, caller.workspaceId, changeEntry, params.receiver_id)),
    }),
  );

  app.post(
    '/webhooks/recover',
    {
      config: write,
      schema: {
        operationId: 'recoverDeliveries',
        summary: 'Resend every delivery that failed since a time',
        description: 'They arrive after later events that were accepted already; deduplicate on webhook-id.',
        tags,
        body: RecoverBody,
        response: answers(RecoverAnswer, 400, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      const recovered = await recoverDeliveries(deps, caller.workspaceId, changeEntry, {
        since: readMoment('since', body.since).from,
        url: body.callback_url ?? null,
      });
      return { message: 'Failed deliveries queued again', recovered_count: recovered };
    },
  );
}

type TestBody = Static<typeof TestEventBody>;
function receiverOf(body: TestBody): TestReceiver {
  const { agent_id: agentId, campaign_id: campaignId, callback_url: url } = body;
  if ([agentId, campaignId, url].filter((each) => each !== undefined).length !== 1) {
    throw errors.invalid('body', 'must have exactly one of agent_id, campaign_id and callback_url');
  }
  if (url !== undefined) return { url, method: body.method_type ?? 'POST', headers: body.headers ?? {} };
  for (const field of ['method_type', 'headers'] as const) {
    if (body[field] !== undefined) throw errors.invalid(field, 'belongs to callback_url');
  }
  return campaignId === undefined ? { agentId: agentId ?? '' } : { campaignId };
}
