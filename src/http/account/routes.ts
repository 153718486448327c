import type { FastifyRequest } from 'fastify';
import {
  beginTwoStep,
  changePassword,
  confirmTwoStep,
  endTwoStep,
  readAccount,
  revokeOtherSessions,
  type Self,
} from '../../domain/users/account.ts';
import { csrfToken, endSession, readSessions, revokeSession } from '../../domain/users/sessions.ts';
import { noteAccount, readAccountLog } from '../../domain/users/account-log.ts';
import type { SignInThrottle } from '../../domain/users/sign-in-throttle.ts';
import {
  Account,
  AccountLog,
  CodeBody,
  ConfirmPasswordBody,
  dashboardAnswers,
  EndTwoStepBody,
  Message,
  PasswordBody,
  RecoveryCodesAnswer,
  RevokedAnswer,
  SessionList,
  SessionParams,
  TwoStepAnswer,
} from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import { setSessionCookie } from './session-cookie.ts';
import type { Server } from '../server/type-provider.ts';

type AccountRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'link' | 'seal'>;

const selfOf = ({ user, ip }: FastifyRequest): Self => ({
  userId: user.userId,
  sessionId: user.sessionId,
  address: ip,
});

/** The signed-in user: sessions, password and two-step sign-in. */
export function accountRoutes(app: Server, deps: AccountRouteDeps, signIns: SignInThrottle): void {
  const tags = ['Dashboard'];
  const users = { ...deps, throttle: signIns };

  app.get(
    '/session',
    {
      schema: {
        operationId: 'getSession',
        summary: 'The signed-in user and the workspaces that the user can open',
        description: 'csrf_token is the header X-CSRF-Token of every change.',
        tags,
        response: dashboardAnswers(Account),
      },
    },
    async ({ user }) => {
      const account = await readAccount(deps, user.userId);
      return {
        user: {
          id: account.id,
          email: account.email,
          two_step: account.hasTwoStep,
          recovery_codes_left: account.recoveryCodesLeft,
          operator: account.isOperator,
        },
        csrf_token: csrfToken(user.token),
        public_url: new URL(deps.link.publicUrl).origin,
        workspaces: account.workspaces.map(({ id, name, parentId: parent, role, timezone, country }) => ({
          id,
          name,
          parent_workspace_id: parent,
          role,
          timezone,
          country,
        })),
      };
    },
  );

  app.post(
    '/sign-out',
    {
      schema: {
        operationId: 'signOut',
        summary: 'End this session',
        description: 'The cookie is removed; other sessions of the user stay.',
        tags,
        response: dashboardAnswers(Message, 403),
      },
    },
    async (request, reply) => {
      await endSession(deps, request.user.token);
      await noteAccount(deps, request.user.userId, 'signed_out', { address: request.ip });
      setSessionCookie(request, reply, deps.link.publicUrl, null);
      return { message: 'Signed out' };
    },
  );

  app.get(
    '/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: "The user's sessions, last used first",
        description: 'With browser and address of each.',
        tags,
        response: dashboardAnswers(SessionList),
      },
    },
    async ({ user }) => ({
      sessions: (await readSessions(deps, user.userId)).map((session) => ({
        id: session.id,
        current: session.id === user.sessionId,
        created_at: session.createdAt.toISOString(),
        last_used_at: session.seenAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
        address: session.address,
        user_agent: session.userAgent,
      })),
    }),
  );

  app.delete(
    '/sessions/:session_id',
    {
      schema: {
        operationId: 'revokeSession',
        summary: 'End one session',
        description: 'Its browser is signed out with its next request.',
        tags,
        params: SessionParams,
        response: dashboardAnswers(Message, 403, 404),
      },
    },
    async ({ user, params, ip }) => {
      await revokeSession(deps, user.userId, params.session_id);
      await noteAccount(deps, user.userId, 'session_ended', { address: ip });
      return { message: 'Session ended' };
    },
  );

  app.delete(
    '/sessions',
    {
      schema: {
        operationId: 'revokeOtherSessions',
        summary: 'End every session but this one',
        description: 'Their browsers are signed out with their next request.',
        tags,
        response: dashboardAnswers(RevokedAnswer, 403),
      },
    },
    async (request) => ({
      message: 'Other sessions ended',
      revoked_count: await revokeOtherSessions(deps, selfOf(request)),
    }),
  );

  app.get(
    '/account-log',
    {
      schema: {
        operationId: 'listAccountLog',
        summary: 'What happened to your account, newest first',
        description:
          'Sign-ins, good and failed, changes of password, two-step sign-in and sessions, models that you as an operator fetched or removed, and trunks that you saved or checked; the newest 200 of 400 days. The audit logs of your workspaces have them, too.',
        tags,
        response: dashboardAnswers(AccountLog),
      },
    },
    async ({ user }) => ({
      entries: (await readAccountLog(deps, user.userId)).map((entry) => ({
        id: entry.id,
        at: entry.at.toISOString(),
        action: entry.action,
        by: entry.by,
        address: entry.address,
      })),
    }),
  );

  app.patch(
    '/password',
    {
      schema: {
        operationId: 'changePassword',
        summary: 'Change the password; ends every other session',
        description: 'Needs the present password.',
        tags,
        body: PasswordBody,
        response: dashboardAnswers(Message, 400, 403, 413, 415, 422),
      },
    },
    async (request) => {
      const { password, new_password: newPassword } = request.body;
      await changePassword(users, selfOf(request), { password, newPassword });
      return { message: 'Password changed' };
    },
  );

  app.post(
    '/two-step',
    {
      schema: {
        operationId: 'beginTwoStep',
        summary: 'Create the secret of an authenticator app; it takes effect once confirmed',
        description: 'Needs the password.',
        tags,
        body: ConfirmPasswordBody,
        response: dashboardAnswers(TwoStepAnswer, 400, 403, 409, 413, 415, 422),
      },
    },
    (request) => beginTwoStep(users, selfOf(request), request.body.password),
  );

  app.post(
    '/two-step/confirm',
    {
      schema: {
        operationId: 'confirmTwoStep',
        summary: 'Turn two-step sign-in on; answers the recovery codes once',
        description:
          'From then on signing in needs a code of the app or a recovery code, each of which works once.',
        tags,
        body: CodeBody,
        response: dashboardAnswers(RecoveryCodesAnswer, 400, 403, 409, 413, 415, 422),
      },
    },
    async (request) => ({
      recovery_codes: await confirmTwoStep(users, selfOf(request), request.body.code),
    }),
  );

  app.delete(
    '/two-step',
    {
      schema: {
        operationId: 'endTwoStep',
        summary: 'Turn two-step sign-in off',
        description: 'Needs the password, and a code of the app or a recovery code.',
        tags,
        body: EndTwoStepBody,
        response: dashboardAnswers(Message, 400, 403, 413, 415, 422),
      },
    },
    async (request) => {
      const { password, code = null } = request.body;
      await endTwoStep(users, selfOf(request), { password, code });
      return { message: 'Two-step sign-in is off' };
    },
  );
}
