import {
  changeRole,
  invite,
  readInvitations,
  readMembers,
  removeMember,
  withdrawInvitation,
} from '../../domain/users/members.ts';
import { readKey, regenerateKey } from '../../domain/workspaces/regenerate-key.ts';
import {
  dashboardAnswers,
  InvitationAnswer,
  InvitationBody,
  InvitationList,
  InvitationParams,
  KeyAnswer,
  MemberList,
  MemberParams,
  Message,
  NewKeyAnswer,
  RegenerateBody,
  RoleBody,
} from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type AccountMemberRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'link' | 'onKeyReplaced'>;

const tags = ['Dashboard'];
const member = { tags, security: [{ session: [] }] };
const read = { rateClass: 'read' } as const;
const ownerRead = { rateClass: 'read', role: 'owner' } as const;
const ownerWrite = { rateClass: 'write', role: 'owner' } as const;

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
        ...member,
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
      config: ownerWrite,
      schema: {
        operationId: 'changeRole',
        summary: "Change a member's role",
        description: '409 for the last owner: a workspace keeps at least one.',
        ...member,
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
      config: ownerWrite,
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member from the workspace',
        description: '409 for the last owner: a workspace keeps at least one.',
        ...member,
        params: MemberParams,
        response: dashboardAnswers(Message, 403, 404, 409),
      },
    },
    async ({ caller, changeEntry, params }) => {
      await removeMember(deps, caller.workspaceId, changeEntry, params.user_id);
      return { message: 'Member removed' };
    },
  );

  app.get(
    '/invitations',
    {
      config: ownerRead,
      schema: {
        operationId: 'listInvitations',
        summary: 'Open invitations',
        description: 'Without their links, which are shown only when they are made.',
        ...member,
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
      config: ownerWrite,
      schema: {
        operationId: 'invite',
        summary: 'Invite a person; the link works once, for 7 days',
        description: 'A second invitation to the same address makes the first link invalid.',
        ...member,
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
      config: ownerWrite,
      schema: {
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        description: 'Its link ends with it.',
        ...member,
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

function keyRoutes(app: Server, deps: AccountMemberRouteDeps): void {
  app.get(
    '/api-key',
    {
      config: ownerRead,
      schema: {
        operationId: 'getApiKey',
        summary: "What may be shown of the workspace's key",
        description: 'The key itself is shown only when it is made.',
        ...member,
        response: dashboardAnswers(KeyAnswer, 403),
      },
    },
    async ({ caller }) => {
      const key = await readKey(deps, caller.workspaceId);
      if (key === null) return { api_key: null };
      return {
        api_key: {
          prefix: key.shownPrefix,
          last_four: key.shownLast4,
          created_at: key.createdAt.toISOString(),
          last_used_at: key.lastUsedAt?.toISOString() ?? null,
        },
      };
    },
  );

  app.post(
    '/api-key',
    {
      config: ownerWrite,
      schema: {
        operationId: 'regenerateApiKey',
        summary: 'Create or replace the key; the old one stops working at once',
        description: 'Owners only. The answer has the key, which is not shown again.',
        ...member,
        body: RegenerateBody,
        response: dashboardAnswers(NewKeyAnswer, 400, 403, 413, 415, 422),
      },
    },
    async ({ caller, changeEntry, body }) => {
      const name = body.workspace_name ?? null;
      const key = await regenerateKey(deps, caller.workspaceId, changeEntry, name);
      await deps.onKeyReplaced?.();
      return { api_key: key };
    },
  );
}
