import type { AuditTrail } from '../../domain/audit/audit-trail.ts';
import { SIGN_IN_WINDOW_MS, SignInThrottle } from '../../domain/users/sign-in-throttle.ts';
import { keepAuditTrail } from '../audit/audit-trail.ts';
import type { HostLimits } from '../../domain/users/host-limits.ts';
import type { AuthDeps } from './authenticate.ts';
import { refuseDialingWithoutSpace } from './free-space.ts';
import { limitRates } from './rate-limits.ts';
import { accountRoutes } from '../account/routes.ts';
import { memberRoutes } from '../account/member-routes.ts';
import { listeningRoutes } from '../live/listening-routes.ts';
import { testCallRoutes } from '../web-calls/test-call-routes.ts';
import { signInRoutes } from '../account/sign-in-routes.ts';
import type { ServerDeps } from './server-deps.ts';
import type { StrangerBodies } from './stranger-bodies.ts';
import type { Server } from './type-provider.ts';

const PREFIX = '/dashboard-api';
/** The body limit of the server. */
const MOST_SIGN_IN_BYTES = 1_048_576;

/** The endpoints that only the dashboard uses, since no key may: signing in, the account, members and the API key. */
export async function dashboardRoutes(
  app: Server,
  deps: ServerDeps & { readonly limits: HostLimits },
  auth: AuthDeps,
  audit: AuditTrail,
  bodies: StrangerBodies,
): Promise<void> {
  const signIns = new SignInThrottle(deps.limits.counts('sign_in', SIGN_IN_WINDOW_MS));
  await app.register(
    async (api: Server) => {
      api.addHook('onSend', async (_request, reply) => {
        void reply.header('cache-control', 'no-store');
      });
      await api.register(async (scope: Server) => {
        bodies.guard(scope, MOST_SIGN_IN_BYTES);
        signInRoutes(scope, deps, auth, signIns);
      });
      await api.register(async (scope: Server) => accountRoutes(scope, deps, signIns));
      await api.register(async (scope: Server) => {
        keepAuditTrail(scope, audit);
        await limitRates(scope, deps.rateLimits);
        refuseDialingWithoutSpace(scope, deps);
        memberRoutes(scope, deps);
        testCallRoutes(scope, deps);
        listeningRoutes(scope, deps);
      });
    },
    { prefix: PREFIX },
  );
}
