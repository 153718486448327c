import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  readCarrierRequest,
  takesRequests,
  type CarrierWebhook,
} from '../../domain/trunks/carrier-requests.ts';
import { openOrder } from '../../domain/trunks/transfer-order.ts';
import { errors } from '../../errors.ts';
import { CARRIER_DOCUMENTS } from '../../shared/carrier-documents.ts';
import { Uuid } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { StrangerBodies } from '../server/stranger-bodies.ts';
import type { Server } from '../server/type-provider.ts';
import { webSocketUrl } from '../server/web-socket-paths.ts';

type CarrierRouteDeps = Pick<ServerDeps, 'db' | 'seal' | 'link' | 'streamTickets' | 'carrierStatus'>;

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
const XML = 'text/xml; charset=utf-8';

/**
 * Requests of carriers, which their signature proves. POST /carriers/{trunk_id}/voice: a call comes in. Of calls that it
 * places for us: `status/{attempt_id}` reports, `answer/{token}` and `transfer/{order}` ask what to do next.
 */
export async function carrierWebhookRoutes(
  app: Server,
  deps: CarrierRouteDeps,
  bodies: StrangerBodies,
): Promise<void> {
  const { streamTickets, link, carrierStatus, seal } = deps;
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
  const read = async (trunkId: string, { url, headers, body }: FastifyRequest): Promise<CarrierWebhook> => {
    const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const webhook = await readCarrierRequest(deps, trunkId, { url: `${link.publicUrl}${url}`, raw, headers });
    if (webhook === null) throw errors.webhookRefused();
    return webhook;
  };
  const streamUrl = (token: string): string => `${webSocketUrl(link.publicUrl, 'carrier')}/${token}`;

  app.post(
    '/carriers/:trunk_id/voice',
    { schema: { hide: true, params: TrunkParams } },
    async (request, reply) => {
      const webhook = await read(request.params.trunk_id, request);
      if (streamTickets == null) throw errors.webCallsElsewhere();
      const token = streamTickets.issue(webhook.announced());
      if (token === null) throw errors.rateLimited(5, 'bodies');
      return reply.type(XML).send(CARRIER_DOCUMENTS[webhook.kind].stream(streamUrl(token)));
    },
  );

  app.post(
    '/carriers/:trunk_id/status/:attempt_id',
    { schema: { hide: true, params: StatusParams } },
    async (request, reply) => {
      const { trunk_id: trunkId, attempt_id: attemptId } = request.params;
      carrierStatus?.((await read(trunkId, request)).status(attemptId));
      return reply.code(204).send();
    },
  );

  // Of a call that the carrier places: the callee has answered.
  app.post(
    '/carriers/:trunk_id/answer/:token',
    { schema: { hide: true, params: AnswerParams } },
    async (request, reply) => {
      const { trunk_id: trunkId, token } = request.params;
      const { kind } = await read(trunkId, request);
      return reply.type(XML).send(CARRIER_DOCUMENTS[kind].stream(streamUrl(token)));
    },
  );

  // The agent gives the call to another party, whom only this service can have sealed.
  app.post(
    '/carriers/:trunk_id/transfer/:order',
    { schema: { hide: true, params: TransferParams } },
    async (request, reply) => {
      const { trunk_id: trunkId, order } = request.params;
      const { kind } = await read(trunkId, request);
      const opened = openOrder(seal, order);
      if (opened === null) throw errors.webhookRefused();
      return reply.type(XML).send(CARRIER_DOCUMENTS[kind].dial(opened));
    },
  );
}
