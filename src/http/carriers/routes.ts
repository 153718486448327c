import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  hasVoiceWebhook,
  readStatusWebhook,
  readVoiceWebhook,
  type TwilioRequest,
} from '../../domain/trunks/voice-webhook.ts';
import { errors } from '../../errors.ts';
import { streamDocument } from '../../shared/twiml.ts';
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

/**
 * Requests of carriers, which their signature proves. POST /carriers/{trunk_id}/voice: a call comes in; POST
 * /carriers/{trunk_id}/status/{attempt_id}: a report on a call that the carrier places for us.
 */
export async function carrierWebhookRoutes(
  app: Server,
  deps: CarrierRouteDeps,
  bodies: StrangerBodies,
): Promise<void> {
  const { streamTickets, link, carrierStatus } = deps;
  // Before the body is read.
  app.addHook('onRequest', async ({ params }) => {
    const { trunk_id: id } = params as { readonly trunk_id: string };
    if (!(await hasVoiceWebhook(deps, id))) throw errors.webhookRefused();
  });
  bodies.guard(app, BODY_LIMIT);
  // The signature covers the fields as they were sent.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  );
  const sent = ({ url, headers, body }: FastifyRequest): TwilioRequest => {
    const signature = headers['x-twilio-signature'];
    return {
      url: `${link.publicUrl}${url}`,
      raw: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      signature: typeof signature === 'string' ? signature : '',
    };
  };

  app.post(
    '/carriers/:trunk_id/voice',
    { schema: { hide: true, params: TrunkParams } },
    async (request, reply) => {
      const call = await readVoiceWebhook(deps, request.params.trunk_id, sent(request));
      if (call === null) throw errors.webhookRefused();
      if (streamTickets == null) throw errors.webCallsElsewhere();
      const token = streamTickets.issue(call);
      if (token === null) throw errors.rateLimited(5, 'bodies');
      const url = `${webSocketUrl(link.publicUrl, 'carrier')}/${token}`;
      return reply.type('text/xml; charset=utf-8').send(streamDocument(url));
    },
  );

  app.post(
    '/carriers/:trunk_id/status/:attempt_id',
    { schema: { hide: true, params: StatusParams } },
    async (request, reply) => {
      const { trunk_id: trunkId, attempt_id: attemptId } = request.params;
      const status = await readStatusWebhook(deps, { trunkId, attemptId }, sent(request));
      if (status === null) throw errors.webhookRefused();
      carrierStatus?.(status);
      return reply.code(204).send();
    },
  );
}
