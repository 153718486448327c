import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiText } from '../../../scripts/openapi.ts';
import { allows, type Principal } from '../../../src/domain/access/access.ts';
import { SCOPES } from '../../../src/domain/access/scopes.ts';
import { ACCESS, accessOf } from '../../../src/domain/access/table.ts';
import { endpointsOf, type Endpoint, type OpenApi } from '../../../src/http/pages/reference/document.ts';
import { inlined } from '../../../src/http/pages/reference/named-schemas.ts';
import { makeOperator, setOperators } from '../../../src/store/tenants/users.ts';
import {
  createTenant,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import type { Shape } from '../../helpers/api/api-surface.ts';
import { wholeRequest } from '../../helpers/api/full-request.ts';
import { createHoldings, type Holdings } from '../../helpers/api/owned-objects.ts';
import {
  everyPrincipal,
  keyed,
  makeKey,
  member,
  scopedSenders,
  type Sender,
} from '../../helpers/api/principals.ts';
import { printState } from '../../helpers/database/state-print.ts';
import { IS_NIGHTLY } from '../../helpers/service/nightly.ts';

/** Every operation of the API document; one with several bodies is sent with its first. */
const OPERATIONS = endpointsOf(inlined(JSON.parse(await openApiText()) as OpenApi));
const newName = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
/** Routes without an operation. */
const PATHS = [...ACCESS.keys()].filter((name) => / \/(?!\*)/.test(name) && !name.startsWith('WS '));
/** The reply of the service to who may not: without a credential, with another's, or with too weak a one. */
const REFUSALS = new Set(['ROLE_TOO_LOW', 'NOT_A_MEMBER', 'SCOPE_MISSING', 'OPERATORS_ONLY']);
const isRefused = ({ status, body }: Answer): boolean =>
  // A wrong password is an answer of the operation itself.
  (status === 401 && body['code'] !== 'SIGN_IN_FAILED') ||
  (status === 403 && REFUSALS.has(String(body['code'])));

let api: TestApi;
let own: Tenant;
let foreign: Tenant;
let theirs: Holdings;
beforeAll(async () => {
  api = await createTestApi();
  own = await createTenant(api);
  foreign = await createTenant(api);
  const held = await createHoldings(api, foreign);
  // Who holds a signed link may use it; these are forged.
  theirs = { ...held, recording: `${forged(held.recording)}.wav`, rejects: `${forged(held.rejects)}.csv` };
  await api.server.listen({ port: 0, host: '127.0.0.1' });
}, 400_000);
afterAll(() => api?.close());

const forged = (link: string): string =>
  (link.startsWith('A') ? 'B' : 'A') + link.slice(1, link.lastIndexOf('.'));

function shapeOf(endpoint: Endpoint): Shape {
  const content = endpoint.requestBody?.content ?? {};
  const isForm = content['multipart/form-data'] !== undefined && content['application/json'] === undefined;
  const schema = (content['application/json'] ?? content['multipart/form-data'])?.schema ?? null;
  const body = schema?.oneOf?.[0] ?? schema;
  return { key: endpoint.operationId, endpoint, body, isForm };
}

/** At night the keys of all scopes ask each operation, else every fifth key. */
const SCOPE_STRIDE = IS_NIGHTLY ? 1 : 5;

/** The status line of a stream, which never ends by itself. */
async function opened(url: string, headers: Record<string, string>): Promise<Answer> {
  const { port } = api.server.server.address() as { port: number };
  const leave = new AbortController();
  const { status } = await fetch(`http://127.0.0.1:${port}${url}`, { headers, signal: leave.signal });
  leave.abort();
  return { status, headers: {}, body: {}, text: '' };
}

/** Streams that begin at once and last. */
const STREAMS: ReadonlySet<string> = new Set(['watchWorkspace', 'watchCalls']);

/** Sends the operation with the ids of the other tenant. */
async function ask(endpoint: Endpoint, sender: Sender): Promise<Answer> {
  const { method, url, body } = wholeRequest(shapeOf(endpoint), theirs);
  const headers = await sender.headers();
  const { operationId } = endpoint;
  if (STREAMS.has(operationId) && allows(accessOf(operationId), sender.principal)) {
    return opened(url, headers);
  }
  return api.request(method, url, { headers, ...(body === null ? {} : { body }) });
}

/** Whether the table lets the principal through to the rules of the use-case; ids of others are refused there. */
const isLetIn = (operation: string, principal: Principal): boolean => {
  const access = accessOf(operation);
  // A link, a public key and a token stand for their own object alone, and the request names another's.
  if (access.open !== null && access.open !== 'stranger' && access.open === principal.kind) return false;
  return allows(access, principal);
};

/**
 * Where the service differs from the table, and how many answers were compared. Every `stride`-th sender asks an operation,
 * beginning with another sender for the next operation.
 */
async function differences(
  senders: readonly Sender[],
  stride = 1,
): Promise<{ wrong: string[]; pairs: number }> {
  const wrong: string[] = [];
  let pairs = 0;
  const before = await printState(api.db, foreign.workspaceId);
  for (const [at, endpoint] of OPERATIONS.entries()) {
    const { operationId } = endpoint;
    const { open } = accessOf(operationId);
    for (const sender of senders.filter((_, index) => (at + index) % stride === 0)) {
      const answer = await ask(endpoint, sender);
      const expected = isLetIn(operationId, sender.principal);
      // Routes of links and public keys refuse a wrong one in their own words.
      const isRight =
        open === null || open === 'stranger' || expected
          ? isRefused(answer) !== expected
          : answer.status >= 400;
      if (!isRight)
        wrong.push(`${sender.name} ${operationId}: ${answer.status} ${answer.text.slice(0, 120)}`);
      if (answer.text.includes(foreign.workspaceId))
        wrong.push(`${sender.name} ${operationId} shows the other tenant`);
      pairs += 1;
    }
  }
  if ((await printState(api.db, foreign.workspaceId)) !== before)
    wrong.push('something changed the other tenant');
  return { wrong, pairs };
}

describe('the table of permissions', () => {
  it('has a row for every operation, and no row without one', () => {
    const operations = OPERATIONS.map(({ operationId }) => operationId);
    const rows = [...ACCESS.keys()].filter((name) => !name.includes(' '));
    expect(rows.toSorted()).toEqual(operations.toSorted());
  });

  it('is what the service does for every operation and principal, with the ids of another tenant', async () => {
    const senders = await everyPrincipal(api, own);
    const { wrong, pairs } = await differences(senders);
    expect(wrong).toEqual([]);
    process.stdout.write(`(operation, principal) pairs: ${pairs}, differences: ${wrong.length}\n`);
    expect(pairs).toBe(OPERATIONS.length * senders.length);
  }, 600_000);

  it('is what the service does for every scope of a named key', async () => {
    const senders = await scopedSenders(api, own);
    const { wrong, pairs } = await differences(senders, SCOPE_STRIDE);
    expect(wrong).toEqual([]);
    process.stdout.write(`(operation, scoped key) pairs: ${pairs}, differences: ${wrong.length}\n`);
    expect(senders).toHaveLength(SCOPES.length * 2);
    // Exact at night; else but for the remainders of both numbers.
    const all = OPERATIONS.length * senders.length;
    expect(Math.abs(pairs * SCOPE_STRIDE - all)).toBeLessThan(SCOPE_STRIDE ** 2);
  }, 600_000);

  it('lets everybody read the open pages, and nobody more', async () => {
    const seen: string[] = [];
    for (const name of PATHS) {
      const [method = '', path = ''] = name.split(' ');
      const answer = await api.request(method as 'GET', path.replaceAll(/:\w+/g, newName));
      if (accessOf(name).open === 'stranger' && isRefused(answer)) seen.push(`${name} ${answer.status}`);
      if (accessOf(name).open === 'link' && answer.status < 400) seen.push(`${name} ${answer.status}`);
    }
    expect(seen).toEqual([]);
  });
});

describe('a principal that is revoked half-way', () => {
  /** Each is let in once, then revoked, then refused everywhere that it was let in before. */
  it('is refused by every operation that let it in before', async () => {
    const tenant = await createTenant(api);
    const named = await makeKey(api, tenant, SCOPES);
    const [gone, lowered, ended, operator] = [
      await member(api, tenant, 'owner'),
      await member(api, tenant, 'manager'),
      await member(api, tenant, 'owner'),
      await member(api, tenant, null),
    ];
    await makeOperator(api.db as never, operator.userId);
    /** The same session for every request. */
    const steady = async (sender: Sender): Promise<Sender> => {
      const headers = await sender.headers();
      return { ...sender, headers: () => Promise.resolve(headers) };
    };
    const owner = await member(api, tenant, 'owner');
    const people = await Promise.all([gone, lowered, ended, operator].map(steady));
    const senders = [
      keyed('workspace key', tenant.key, null),
      keyed('named key', named.key, SCOPES),
      ...people,
    ];
    const welcome = OPERATIONS.find(({ operationId }) => operationId === 'getWorkspace')!;
    const account = OPERATIONS.find(({ operationId }) => operationId === 'getSession')!;
    for (const sender of senders) {
      const first = await ask(sender.name === 'operator' ? account : welcome, sender);
      expect([sender.name, first.status]).toEqual([sender.name, 200]);
    }
    const by = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<void> => {
      const headers = await owner.headers();
      const { status, text } = await api.request(method, `/dashboard-api${path}`, {
        headers,
        ...(body === undefined ? {} : { body }),
      });
      expect([path, status, text]).toEqual([path, 200, text]);
    };
    const { name } = await api.db
      .selectFrom('workspaces')
      .select('name')
      .where('id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    await by('POST', '/api-key', { workspace_name: name });
    await by('DELETE', `/keys/${named.id}`);
    await by('DELETE', `/members/${gone.userId}`);
    await by('PATCH', `/members/${lowered.userId}`, { role: 'viewer' });
    const out = await api.request('POST', '/dashboard-api/sign-out', { headers: await people[2]!.headers() });
    expect(out.status).toBe(200);
    await api.db.transaction().execute((tx) => setOperators(tx, []));
    const session = (role: 'viewer' | null): Principal => ({ kind: 'session', role, isOperator: false });
    const now: Principal[] = [
      { kind: 'stranger' },
      { kind: 'stranger' },
      session(null),
      session('viewer'),
      { kind: 'stranger' },
      session(null),
    ];
    // Signing out would end the sessions that the next operations use.
    const left = OPERATIONS.filter(({ operationId }) => !/^(signOut|revokeOtherSessions)$/.test(operationId));
    const wrong: string[] = [];
    let pairs = 0;
    for (const endpoint of left) {
      for (const [i, sender] of senders.entries()) {
        const principal = now[i]!;
        const { operationId } = endpoint;
        if (accessOf(operationId).open !== null) continue;
        const answer = await ask(endpoint, { ...sender, principal });
        if (isRefused(answer) === isLetIn(operationId, principal))
          wrong.push(`${sender.name} ${operationId}: ${answer.status}`);
        pairs += 1;
      }
    }
    process.stdout.write(`(operation, revoked principal) pairs: ${pairs}, differences: ${wrong.length}\n`);
    expect(wrong).toEqual([]);
    expect(pairs).toBeGreaterThan(600);
  }, 600_000);
});
