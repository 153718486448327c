import type { FastifyRequest } from 'fastify';
import { createFirstOwner, isFirstRun } from '../../domain/users/first-run.ts';
import { KnownDevices } from '../../domain/users/known-devices.ts';
import { acceptInvitation, readInvitation } from '../../domain/users/members.ts';
import { usePasswordLink } from '../../domain/users/recovery.ts';
import { sessionOf, type Client } from '../../domain/users/sessions.ts';
import { signIn } from '../../domain/users/sign-in.ts';
import type { SignInThrottle } from '../../domain/users/sign-in-throttle.ts';
import { ApiError, errors } from '../../errors.ts';
import { refuseCrossSite, throwIfThrottled, type AuthDeps } from '../server/authenticate.ts';
import {
  AcceptBody,
  dashboardAnswers,
  FirstRunBody,
  FirstRunState,
  InvitationDetails,
  InvitationLinkBody,
  Message,
  NewPasswordBody,
  SignInBody,
} from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import { deviceCookie, sessionToken, setDeviceCookie, setSessionCookie } from './session-cookie.ts';
import type { Server } from '../server/type-provider.ts';

type AccountSignInRouteDeps = Pick<
  ServerDeps,
  'db' | 'clock' | 'link' | 'onFirstOwner' | 'seal' | 'isProvisioned'
>;

/** What needs no session: the first run, signing in and invitations. */
export function signInRoutes(
  app: Server,
  deps: AccountSignInRouteDeps,
  auth: AuthDeps,
  signIns: SignInThrottle,
): void {
  const tags = ['Dashboard'];
  const publicUrl = (): string => deps.link.publicUrl;
  const devices = new KnownDevices(deps);
  const clientOf = (request: FastifyRequest): Client => ({
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    oldToken: sessionToken(request, publicUrl()),
  });
  app.addHook('onRequest', async (request) => refuseCrossSite(request));

  /** Counts wrong links per address, as wrong keys. */
  const guarded = async <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> => {
    throwIfThrottled(auth.throttle, request, null);
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.code === errors.linkInvalid().code) {
        auth.throttle.failed(request.ip);
      }
      throw error;
    }
  };

  app.get(
    '/first-run',
    {
      schema: {
        operationId: 'getFirstRun',
        summary: 'Whether the installation waits for its first owner',
        description: 'Answers without a session; it says nothing else about the installation.',
        tags,
        response: dashboardAnswers(FirstRunState),
      },
    },
    async () => ({ needed: await isFirstRun(deps.db) }),
  );

  app.post(
    '/first-run',
    {
      schema: {
        operationId: 'createFirstOwner',
        summary: 'Create the first owner with the link that the start prints, and sign in',
        description: 'Works once, and only with the token of the printed link.',
        tags,
        body: FirstRunBody,
        response: dashboardAnswers(Message, 400, 403, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      guarded(request, async () => {
        const token = await createFirstOwner(deps, request.body, clientOf(request));
        await deps.onFirstOwner?.();
        setSessionCookie(request, reply, publicUrl(), token);
        return { message: 'Owner created' };
      }),
  );

  app.post(
    '/sign-in',
    {
      schema: {
        operationId: 'signIn',
        summary:
          'Sign in; sets the session cookie, and one by which the browser is known at its next sign-in',
        description:
          'Answers 401 with the code CODE_REQUIRED when the account has two-step sign-in and code is missing.',
        tags,
        body: SignInBody,
        response: dashboardAnswers(Message, 400, 403, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { email, password, code = null } = request.body;
      const before = deviceCookie(request, publicUrl());
      const token = await signIn(
        { ...deps, throttle: signIns, devices },
        { email, password, code },
        { ...clientOf(request), deviceCookie: before },
      );
      setSessionCookie(request, reply, publicUrl(), token);
      setDeviceCookie(request, reply, publicUrl(), devices.signedIn(before, email));
      return { message: 'Signed in' };
    },
  );

  app.post(
    '/invitation',
    {
      schema: {
        operationId: 'readInvitation',
        summary: 'The invitation of a link',
        description: 'The workspace and the role that it offers, and the address that it was sent to.',
        tags,
        body: InvitationLinkBody,
        response: dashboardAnswers(InvitationDetails, 400, 403, 413, 415, 422),
      },
    },
    (request) =>
      guarded(request, async () => {
        const { invitation, hasAccount } = await readInvitation(deps, request.body.token);
        return {
          workspace_name: invitation.workspaceName,
          email: invitation.email,
          role: invitation.role,
          has_account: hasAccount,
        };
      }),
  );

  app.post(
    '/password-link',
    {
      schema: {
        operationId: 'usePasswordLink',
        summary: 'Set a new password with a link of an owner or operator',
        description: 'Works once. Ends every session; sign in with the new password, and the code as before.',
        tags,
        body: NewPasswordBody,
        response: dashboardAnswers(Message, 400, 403, 413, 415, 422),
      },
    },
    (request) =>
      guarded(request, async () => {
        await usePasswordLink(deps, request.body, request.ip);
        return { message: 'Password set' };
      }),
  );

  app.post(
    '/invitation/accept',
    {
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation',
        description:
          'Without password for the signed-in user; with password it creates the account and signs in.',
        tags,
        body: AcceptBody,
        response: dashboardAnswers(Message, 400, 403, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      guarded(request, async () => {
        const { token, password } = request.body;
        const client = clientOf(request);
        const user = client.oldToken === null ? null : await sessionOf(deps, client.oldToken);
        if (password === undefined && user === null) throw errors.signedOut();
        const by = password === undefined ? user! : { password };
        const session = await acceptInvitation(deps, token, by, client);
        if (session !== null) setSessionCookie(request, reply, publicUrl(), session);
        return { message: 'Invitation accepted' };
      }),
  );
}
