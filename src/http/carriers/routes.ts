import { Type } from 'typebox';
import { hasVoiceWebhook, readVoiceWebhook } from '../../domain/trunks/voice-webhook.ts';
import { errors } from '../../errors.ts';
import { Uuid } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { StrangerBodies } from '../server/stranger-bodies.ts';
import type { Server } from '../server/type-provider.ts';
import { webSocketUrl } from '../server/web-socket-paths.ts';
import { streamDocument } from './document.ts';

type CarrierRouteDeps = Pick<ServerDeps, 'db' | 'seal' | 'link' | 'streamTickets'>;

const BODY_LIMIT = 65_536;
const TrunkParams = Type.Object({ trunk_id: Uuid });

/** POST /carriers/{trunk_id}/voice: a call comes in, which the carrier's signature proves. */
export async function carrierWebhookRoutes(
  app: Server,
  deps: CarrierRouteDeps,
  bodies: StrangerBodies,
): Promise<void> {
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

  app.post(
    '/carriers/:trunk_id/voice',
    { schema: { hide: true, params: TrunkParams } },
    async (request, reply) => {
      const { streamTickets, link } = deps;
      const signature = request.headers['x-twilio-signature'];
      const call = await readVoiceWebhook(deps, request.params.trunk_id, {
        url: `${link.publicUrl}${request.url}`,
        raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        signature: typeof signature === 'string' ? signature : '',
      });
      if (call === null) throw errors.webhookRefused();
      if (streamTickets == null) throw errors.webCallsElsewhere();
      const token = streamTickets.issue(call);
      if (token === null) throw errors.rateLimited(5, 'bodies');
      const url = `${webSocketUrl(link.publicUrl, 'carrier')}/${token}`;
      return reply.type('text/xml; charset=utf-8').send(streamDocument(url));
    },
  );
}
