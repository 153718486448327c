import type { FastifyRequest } from 'fastify';
import { makeMemberLink, resetMemberTwoStep } from '../../domain/users/recovery.ts';
import {
  changeRole,
  invite,
  readInvitations,
  readMembers,
  removeMember,
  withdrawInvitation,
} from '../../domain/users/members.ts';
import { keyRoutes } from './key-routes.ts';
import {
  dashboardAnswers,
  InvitationAnswer,
  InvitationBody,
  InvitationList,
  InvitationParams,
  MemberList,
  MemberParams,
  PasswordLink,
  Message,
  RoleBody,
} from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type AccountMemberRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'link' | 'onKeyReplaced'>;

const tags = ['Dashboard'];
const read = { rateClass: 'read' } as const;
const write = { rateClass: 'write' } as const;

/** Members, invitations and the API key of a workspace: for sessions only, so that a leaked key adds no owner. */
export function memberRoutes(app: Server, deps: AccountMemberRouteDeps): void {
  keyRoutes(app, deps);

  app.get(
    '/members',
    {
      config: read,
      schema: {
        operationId: 'listMembers',
        summary: 'The members of the workspace, without those of its parent',
        description: 'With the role of each.',
        tags,
        response: dashboardAnswers(MemberList, 403),
      },
    },
    async ({ caller }) => ({
      members: (await readMembers(deps, caller.workspaceId)).map((each) => ({
        user_id: each.userId,
        email: each.email,
        role: each.role,
        two_step: each.totpEnabled,
        created_at: each.createdAt.toISOString(),
      })),
    }),
  );

  app.patch(
    '/members/:user_id',
    {
      config: write,
      schema: {
        operationId: 'changeRole',
        summary: "Change a member's role",
        description: '409 for the last owner: a workspace keeps at least one.',
        tags,
        params: MemberParams,
        body: RoleBody,
        response: dashboardAnswers(Message, 400, 403, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, changeEntry, params, body }) => {
      await changeRole(deps, caller.workspaceId, changeEntry, params.user_id, body.role);
      return { message: 'Role changed' };
    },
  );

  app.delete(
    '/members/:user_id',
    {
      config: write,
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member from the workspace',
        description: '409 for the last owner: a workspace keeps at least one.',
        tags,
        params: MemberParams,
        response: dashboardAnswers(Message, 403, 404, 409),
      },
    },
    async ({ caller, changeEntry, params }) => {
      await removeMember(deps, caller.workspaceId, changeEntry, params.user_id);
      return { message: 'Member removed' };
    },
  );

  const helped = (request: FastifyRequest<{ Params: { user_id: string } }>) => ({
    workspaceId: request.caller.workspaceId,
    userId: request.params.user_id,
    owner: { userId: request.user.userId, email: request.user.email, address: request.ip },
  });

  app.post(
    '/members/:user_id/password-link',
    {
      config: write,
      schema: {
        operationId: 'makePasswordLink',
        summary: 'A link with which a member sets a new password; it works once, for 24 hours',
        description:
          'Give it to the member: whoever opens it sets the password. 409 for a member who is an operator or works in a workspace that you do not own.',
        tags,
        params: MemberParams,
        response: dashboardAnswers(PasswordLink, 403, 404, 409),
      },
    },
    async (request) => {
      const link = await makeMemberLink(
        { ...deps, publicUrl: deps.link.publicUrl },
        request.changeEntry,
        helped(request),
      );
      return { url: link.url, expires_at: link.expiresAt.toISOString() };
    },
  );

  app.delete(
    '/members/:user_id/two-step',
    {
      config: write,
      schema: {
        operationId: 'resetTwoStep',
        summary: "Turn a member's two-step sign-in off",
        description:
          'For a member who lost the app and the recovery codes. Ends their sessions. 409 as for a password link.',
        tags,
        params: MemberParams,
        response: dashboardAnswers(Message, 403, 404, 409),
      },
    },
    async (request) => {
      await resetMemberTwoStep(deps, request.changeEntry, helped(request));
      return { message: 'Two-step sign-in is off' };
    },
  );

  app.get(
    '/invitations',
    {
      config: read,
      schema: {
        operationId: 'listInvitations',
        summary: 'Open invitations',
        description: 'Without their links, which are shown only when they are made.',
        tags,
        response: dashboardAnswers(InvitationList, 403),
      },
    },
    async ({ caller }) => ({
      invitations: (await readInvitations(deps, caller.workspaceId)).map((each) => ({
        id: each.id,
        email: each.email,
        role: each.role,
        created_at: each.createdAt.toISOString(),
        expires_at: each.expiresAt.toISOString(),
      })),
    }),
  );

  app.post(
    '/invitations',
    {
      config: write,
      schema: {
        operationId: 'invite',
        summary: 'Invite a person; the link works once, for 7 days',
        description: 'A second invitation to the same address makes the first link invalid.',
        tags,
        body: InvitationBody,
        response: dashboardAnswers(InvitationAnswer, 400, 403, 409, 413, 415, 422),
      },
    },
    async ({ caller, changeEntry, user, body }) => {
      const invitation = await invite(
        { ...deps, publicUrl: deps.link.publicUrl },
        caller.workspaceId,
        changeEntry,
        { ...body, invitedBy: user.userId },
      );
      return { id: invitation.id, url: invitation.url, expires_at: invitation.expiresAt.toISOString() };
    },
  );

  app.delete(
    '/invitations/:invitation_id',
    {
      config: write,
      schema: {
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        description: 'Its link ends with it.',
        tags,
        params: InvitationParams,
        response: dashboardAnswers(Message, 403, 404),
      },
    },
    async ({ caller, changeEntry, params }) => {
      await withdrawInvitation(deps, caller.workspaceId, changeEntry, params.invitation_id);
      return { message: 'Invitation withdrawn' };
    },
  );
}
