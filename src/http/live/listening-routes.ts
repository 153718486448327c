import { openListening } from '../../domain/calls/listening.ts';
import { errors } from '../../errors.ts';
import { CallParams } from '../calls/schemas.ts';
import { dashboardAnswers } from '../account/schemas.ts';
import { OpenedListening } from '../web-calls/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { webSocketUrl } from '../server/web-socket-paths.ts';

type LiveListeningRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'log' | 'link' | 'webCalls'>;

/** POST /dashboard-api/calls/{call_id}/listen: hearing a live call. No key may do it. */
export function listeningRoutes(app: Server, deps: LiveListeningRouteDeps): void {
  app.post(
    '/calls/:call_id/listen',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'listenToCall',
        summary: 'Listen to a live call',
        description:
          'Connect to ws_url with the protocols callwright-listen.1 and token.<token>, once, within 60 seconds, in the process that carries the call. The first message is JSON: {type: "ready", call_id, sample_rate, channels: 2}. Then every binary message is 20 ms of interleaved PCM16, caller left, agent right. Nothing that the page sends reaches the call, unless the same member has taken it over (POST /calling/{call_id}/control): then every binary message of 20 ms of PCM16, mono, at sample_rate is heard by the caller, and the end of the connection hands the call back. At most three listen at a time. The connection ends within two seconds of the end of the session or of the role. Details of the call and the audit log show who listened, from when to when.',
        tags: ['Dashboard'],
        params: CallParams,
        response: dashboardAnswers(OpenedListening, 403, 404, 503),
      },
    },
    async ({ caller, user, params, changeEntry }) => {
      if (!deps.webCalls.areHere) throw errors.listeningElsewhere();
      const { workspaceId, actor } = caller;
      const call = { workspaceId, callId: params.call_id, by: actor.name, sessionId: user.sessionId };
      const { listenerId, token } = await openListening(deps, changeEntry, call);
      return { listener_id: listenerId, token, ws_url: webSocketUrl(deps.link.publicUrl, 'listen') };
    },
  );
}
