import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  readCarrierRequest,
  takesRequests,
  type CarrierWebhook,
} from '../../domain/trunks/carrier-requests.ts';
import { openOrder } from '../../domain/trunks/transfer-order.ts';
import { errors } from '../../errors.ts';
import { audioSocketDocument, CARRIER_DOCUMENTS } from '../../shared/carrier-documents.ts';
import { Uuid } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { StrangerBodies } from '../server/stranger-bodies.ts';
import type { Server } from '../server/type-provider.ts';
import { webSocketUrl } from '../server/web-socket-paths.ts';

type CarrierRouteDeps = Pick<
  ServerDeps,
  'db' | 'seal' | 'clock' | 'link' | 'mediaUrl' | 'announcedStreams' | 'carrierStatus'
>;

const BODY_LIMIT = 65_536;
const TrunkParams = Type.Object({ trunk_id: Uuid });
const StatusParams = Type.Object({
  trunk_id: Uuid,
  attempt_id: Type.String({ pattern: '^[0-9a-f-]{36}-[0-9]{1,6}$' }),
});

const AnswerParams = Type.Object({
  trunk_id: Uuid,
  token: Type.String({ pattern: '^[A-Za-z0-9.]{1,100}$' }),
});
const TransferParams = Type.Object({
  trunk_id: Uuid,
  order: Type.String({ pattern: '^[A-Za-z0-9_-]{1,1500}$' }),
});
/** Some carriers ask for documents with GET, and put the fields into the query. */
const METHODS = ['GET', 'POST'] as const;

/**
 * Requests of carriers, which their signature proves. POST /carriers/{trunk_id}/voice: a call comes in. Of calls that it
 * places for us: `status/{attempt_id}` reports, `answer/{token}` and `transfer/{order}` ask what to do next.
 */
export async function carrierWebhookRoutes(
  app: Server,
  deps: CarrierRouteDeps,
  bodies: StrangerBodies,
): Promise<void> {
  const { announcedStreams, link, carrierStatus, seal, clock } = deps;
  // Before the body is read.
  app.addHook('onRequest', async ({ params }) => {
    const { trunk_id: id } = params as { readonly trunk_id: string };
    if (!(await takesRequests(deps, id))) throw errors.webhookRefused();
  });
  bodies.guard(app, BODY_LIMIT);
  // The signature covers the fields as they were sent.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  );
  // The port may be known only after the service listens.
  const ownUrl = (): string => deps.mediaUrl ?? link.publicUrl;
  /** `base`: of the address that the carrier was given. */
  const read = async (trunkId: string, request: FastifyRequest, base = ownUrl()): Promise<CarrierWebhook> => {
    const { method, headers, body } = request;
    const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const url = `${base}${request.url}`;
    const webhook = await readCarrierRequest(deps, trunkId, { method, url, raw, headers, at: clock.now() });
    if (webhook === null) throw errors.webhookRefused();
    return webhook;
  };
  const streamUrl = (token: string, base = ownUrl()): string => `${webSocketUrl(base, 'carrier')}/${token}`;

  app.route({
    method: [...METHODS],
    url: '/carriers/:trunk_id/voice',
    schema: { hide: true, params: TrunkParams },
    handler: async (request, reply) => {
      const { trunk_id: trunkId } = request.params;
      const webhook = await read(trunkId, request, link.publicUrl);
      const { kind, carrierCallId, placed } = webhook;
      const documents = CARRIER_DOCUMENTS[kind];
      reply.type(documents.contentType);
      if (placed !== null) return reply.send(documents.stream(streamUrl(placed.token), carrierCallId));
      const announced = webhook.announced();
      // A report of a call that is known.
      if (announced === null) return reply.send(documents.stream('', carrierCallId));
      if (webhook.isAudioSocket) {
        const at = await announcedStreams?.audioSocket?.();
        if (announcedStreams === undefined || at == null) throw errors.noAudioSocket();
        return reply.send(audioSocketDocument(await announcedStreams.tickets.issue(announced, 'uuid'), at));
      }
      const base = await announcedStreams?.base();
      if (announcedStreams === undefined || base == null) throw errors.streamsNowhere();
      const url = streamUrl(await announcedStreams.tickets.issue(announced), base);
      announcedStreams.answer({ trunkId, carrierCallId, streamUrl: url });
      return reply.send(documents.stream(url, carrierCallId));
    },
  });

  app.post(
    '/carriers/:trunk_id/status/:attempt_id',
    { schema: { hide: true, params: StatusParams } },
    async (request, reply) => {
      const { trunk_id: trunkId, attempt_id: attemptId } = request.params;
      carrierStatus?.((await read(trunkId, request)).status(attemptId));
      return reply.code(204).send();
    },
  );

  // Carriers that have one address for all reports: the report names the attempt.
  app.post(
    '/carriers/:trunk_id/status',
    { schema: { hide: true, params: TrunkParams } },
    async (request, reply) => {
      const webhook = await read(request.params.trunk_id, request, link.publicUrl);
      if (webhook.placed !== null) carrierStatus?.(webhook.status(webhook.placed.attemptId));
      return reply.code(204).send();
    },
  );

  // Of a call that the carrier places: the callee has answered.
  app.route({
    method: [...METHODS],
    url: '/carriers/:trunk_id/answer/:token',
    schema: { hide: true, params: AnswerParams },
    handler: async (request, reply) => {
      const { trunk_id: trunkId, token } = request.params;
      const { kind, carrierCallId } = await read(trunkId, request);
      const documents = CARRIER_DOCUMENTS[kind];
      return reply.type(documents.contentType).send(documents.stream(streamUrl(token), carrierCallId));
    },
  });

  // The agent gives the call to another party, whom only this service can have sealed.
  app.route({
    method: [...METHODS],
    url: '/carriers/:trunk_id/transfer/:order',
    schema: { hide: true, params: TransferParams },
    handler: async (request, reply) => {
      const { trunk_id: trunkId, order } = request.params;
      const { kind } = await read(trunkId, request);
      const opened = openOrder(seal, order);
      if (opened === null) throw errors.webhookRefused();
      const documents = CARRIER_DOCUMENTS[kind];
      return reply.type(documents.contentType).send(documents.dial(opened));
    },
  });
}
