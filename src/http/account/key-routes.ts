import { readKey, regenerateKey } from '../../domain/workspaces/regenerate-key.ts';
import {
  makeNamedKey,
  readNamedKeys,
  revokeNamedKey,
  type NamedKeyRow,
} from '../../domain/workspaces/named-keys.ts';
import { readMoment } from '../common/moment.ts';
import { iso, isoOrNull } from '../common/values.ts';
import {
  dashboardAnswers,
  KeyAnswer,
  KeyParams,
  MadeKeyAnswer,
  Message,
  NamedKeyBody,
  NamedKeyList,
  NewKeyAnswer,
  RegenerateBody,
} from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type KeyRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'onKeyReplaced'>;

const tags = ['Dashboard'];
const read = { rateClass: 'read' } as const;
const write = { rateClass: 'write' } as const;

/** The key of the workspace, and its named keys: for sessions of owners only, so that a leaked key makes no other. */
export function keyRoutes(app: Server, deps: KeyRouteDeps): void {
  namedKeyRoutes(app, deps);

  app.get(
    '/api-key',
    {
      config: read,
      schema: {
        operationId: 'getApiKey',
        summary: "What may be shown of the workspace's key",
        description: 'The key itself is shown only when it is made.',
        tags,
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
      config: write,
      schema: {
        operationId: 'regenerateApiKey',
        summary: 'Create or replace the key; the old one stops working at once',
        description: 'Owners only. The answer has the key, which is not shown again.',
        tags,
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

function namedKeyRoutes(app: Server, deps: KeyRouteDeps): void {
  app.get(
    '/keys',
    {
      config: read,
      schema: {
        operationId: 'listKeys',
        summary: 'The named keys of the workspace',
        description:
          'Oldest first, with those that have expired. The keys themselves are shown only when they are made.',
        tags,
        response: dashboardAnswers(NamedKeyList, 403),
      },
    },
    async ({ caller }) => ({ keys: (await readNamedKeys(deps, caller.workspaceId)).map(toNamedKey) }),
  );

  app.post(
    '/keys',
    {
      config: write,
      schema: {
        operationId: 'makeKey',
        summary: 'Make a named key; the answer has it, and it is not shown again',
        description:
          'Works beside the key of the workspace and other named keys, so that a key can be replaced without an outage. 409 for a name that another key has.',
        tags,
        body: NamedKeyBody,
        response: dashboardAnswers(MadeKeyAnswer, 400, 403, 409, 413, 415, 422),
      },
    },
    async ({ caller, changeEntry, body }) => {
      const made = await makeNamedKey(deps, caller.workspaceId, changeEntry, {
        name: body.name,
        scopes: body.scopes,
        expiresAt: body.expires_at == null ? null : expiryOf(body.expires_at),
        allowedAddresses: body.allowed_addresses ?? null,
        madeBy: caller.actor.name,
      });
      return { id: made.id, api_key: made.apiKey };
    },
  );

  app.delete(
    '/keys/:key_id',
    {
      config: write,
      schema: {
        operationId: 'revokeKey',
        summary: 'Revoke a named key',
        description:
          'It stops working at once; event streams and chats that it began end within two seconds.',
        tags,
        params: KeyParams,
        response: dashboardAnswers(Message, 403, 404),
      },
    },
    async ({ caller, changeEntry, params }) => {
      await revokeNamedKey(deps, caller.workspaceId, changeEntry, params.key_id);
      return { message: 'Key revoked' };
    },
  );
}

/** A key that expires on a day works until its end. */
const expiryOf = (text: string): Date => {
  const { from, until } = readMoment('expires_at', text);
  return text.includes('T') ? from : until;
};

const toNamedKey = (key: NamedKeyRow) => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  prefix: key.shownPrefix,
  last_four: key.shownLast4,
  expires_at: isoOrNull(key.expiresAt),
  allowed_addresses: key.allowedAddresses,
  created_at: iso(key.createdAt),
  last_used_at: isoOrNull(key.lastUsedAt),
  made_by: key.madeBy,
});
