import { newNamedKey, storedForm } from '../../../src/domain/workspaces/api-key.ts';
import { csrfToken, startSession } from '../../../src/domain/users/sessions.ts';
import type { Principal } from '../../../src/domain/access/access.ts';
import { SCOPES } from '../../../src/domain/access/scopes.ts';
import { newId } from '../../../src/shared/ids.ts';
import { insertNamedKey } from '../../../src/store/tenants/named-keys.ts';
import { makeOperator } from '../../../src/store/tenants/users.ts';
import type { Role } from '../../../src/store/schema.ts';
import { createPerson } from '../browser/browser.ts';
import { createTestAgent, type Tenant, type TestApi } from './api.ts';

/** Someone who sends requests: the headers that carry the credential, and who that is in the table of permissions. */
export interface Sender {
  readonly name: string;
  readonly principal: Principal;
  /** Made anew for each request, since some end the session. */
  headers(): Promise<Record<string, string>>;
}

/** A named key of the tenant. */
export async function makeKey(
  api: Pick<TestApi, 'db' | 'clock'>,
  tenant: Pick<Tenant, 'workspaceId'>,
  scopes: readonly string[],
  more: { readonly expiresAt?: Date; readonly allowedAddresses?: string[] } = {},
): Promise<{ id: string; key: string }> {
  const key = newNamedKey();
  const id = newId();
  const row = {
    ...storedForm(key),
    id,
    name: `Key ${id}`,
    scopes: [...scopes],
    expiresAt: more.expiresAt ?? null,
    allowedAddresses: more.allowedAddresses ?? null,
    madeBy: null,
  };
  const at = new Date(api.clock.now());
  await api.db.transaction().execute((tx) => insertNamedKey(tx, tenant.workspaceId, row, at));
  return { id, key };
}

/** The headers of a page in which the person is signed in. */
export async function sessionHeaders(
  api: Pick<TestApi, 'db' | 'clock'>,
  userId: string,
  workspaceId: string,
): Promise<Record<string, string>> {
  const client = { address: '192.0.2.1', userAgent: 'test', oldToken: null };
  const token = await api.db.transaction().execute((tx) => startSession(tx, api.clock, userId, client));
  return {
    cookie: `cw_session=${token}`,
    'x-csrf-token': csrfToken(token),
    'sec-fetch-site': 'same-origin',
    'x-workspace-id': workspaceId,
  };
}

export const keyed = (name: string, key: string, scopes: readonly string[] | null): Sender => ({
  name,
  principal: { kind: 'key', scopes },
  headers: () => Promise.resolve({ 'x-api-key': key }),
});

/** A member of the tenant, or with `role` null somebody of no workspace. */
export async function member(
  api: Pick<TestApi, 'db' | 'clock'>,
  tenant: Pick<Tenant, 'workspaceId'>,
  role: Role | null,
): Promise<Sender & { readonly userId: string }> {
  const { workspaceId } = tenant;
  const { userId } = await createPerson(api, role === null ? null : workspaceId, role ?? 'viewer');
  return {
    name: role ?? 'operator',
    userId,
    principal: { kind: 'session', role, isOperator: role === null },
    headers: () => sessionHeaders(api, userId, workspaceId),
  };
}

/** A web page with the public key of an agent, and the caller of a browser call. */
export async function visitors(api: TestApi, tenant: Tenant): Promise<Sender[]> {
  const { agentId } = await createTestAgent(api, tenant);
  const agent = await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key });
  const { webcall_public_key: publicKey } = agent.body['agents'] as { webcall_public_key: string };
  const opened = await api.request('POST', '/api/v0/calling/webcall/session', {
    key: tenant.key,
    body: { agent_id: agentId, custom_args_values: { callee_name: 'Ann' } },
  });
  if (opened.status !== 200) throw new Error(opened.text);
  const token = String(opened.body['token']);
  return [
    {
      name: 'page key',
      principal: { kind: 'page_key' },
      headers: () => Promise.resolve({ 'x-api-key': publicKey }),
    },
    {
      name: 'call token',
      principal: { kind: 'call_token' },
      headers: () => Promise.resolve({ 'x-webcall-token': token }),
    },
  ];
}

export const stranger: Sender = {
  name: 'stranger',
  principal: { kind: 'stranger' },
  headers: () => Promise.resolve({}),
};

/** One sender for each kind of principal: those without a credential, the workspace key, each role, and an operator. */
export async function everyPrincipal(api: TestApi, tenant: Tenant): Promise<Sender[]> {
  const operator = await member(api, tenant, null);
  await makeOperator(api.db as never, operator.userId);
  return [
    stranger,
    ...(await visitors(api, tenant)),
    keyed('workspace key', tenant.key, null),
    await member(api, tenant, 'viewer'),
    await member(api, tenant, 'manager'),
    await member(api, tenant, 'owner'),
    operator,
  ];
}

/** A sender for each scope, whose key has every other scope, and one for each that has this scope alone. */
export async function scopedSenders(api: TestApi, tenant: Tenant): Promise<Sender[]> {
  const senders: Sender[] = [];
  for (const scope of SCOPES) {
    const others = SCOPES.filter((each) => each !== scope);
    const [without, alone] = [await makeKey(api, tenant, others), await makeKey(api, tenant, [scope])];
    senders.push(
      keyed(`key without ${scope}`, without.key, others),
      keyed(`key with ${scope}`, alone.key, [scope]),
    );
  }
  return senders;
}
