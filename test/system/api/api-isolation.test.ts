import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { fieldName, idFields, readShapes, type Field, type Shape } from '../../helpers/api/api-surface.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { createChild, createHoldings, type Holdings, type Kind } from '../../helpers/api/owned-objects.ts';
import { testToken } from '../../helpers/database/links.ts';
import { printState } from '../../helpers/database/state-print.ts';
import { BESIDE, KINDS, kindOf, send, wholeRequest } from '../../helpers/api/full-request.ts';

/**
 * Every foreign id answers exactly like an unknown id: on every endpoint and in every place of a request that takes
 * an id, read from the routes. A place without a declared kind fails the test, so none is missed.
 */
/** Filters may name an archived agent, since its calls stay readable; so may filters of the audit log, and restoring it. */
const TAKES_ARCHIVED =
  /^(restoreAgent|listCalls|listChats|exportCalls|get\w+Analytics|getDurationDistribution|getFindings|listAuditLog|listDeliveries)/;

/** Takes a public key, which belongs to one agent: test/system/dashboard/web-call-entry.test.ts. */
const PUBLIC = new Set(['openWebCall', 'openWebChat']);
/** They refuse every key, whatever id it sends: test/system/access/table.test.ts. */
const OPERATORS = new Set(['listNumberSettings', 'saveNumber', 'removeNumber', 'importTrunkNumbers']);
const shapes = (await readShapes()).filter(({ key }) => !PUBLIC.has(key) && !OPERATORS.has(key));

interface Row {
  readonly name: string;
  readonly shape: Shape;
  readonly field: Field;
  readonly kind: Kind | undefined;
}
const ROWS: Row[] = shapes.flatMap((shape) =>
  idFields(shape).map((field) => ({
    name: `${shape.key} ${field.place} ${fieldName(field)}`,
    shape,
    field,
    kind: kindOf(shape, field),
  })),
);
/** Signed URLs contain their workspace: the holder may use them and cannot forge others. */
const SIGNED: readonly (Kind | undefined)[] = ['recording', 'rejects'];
/** The audit log contains the requested ids, so it is queried first. */
const CHECKED = ROWS.filter((row) => !SIGNED.includes(row.kind)).sort(
  (a, b) => Number(b.shape.key === 'listAuditLog') - Number(a.shape.key === 'listAuditLog'),
);

let api: TestApi;
let parent: Tenant;
let child: Tenant;
let sibling: Tenant;
let stranger: Tenant;
const held = new Map<Tenant, Holdings>();
let archived: Partial<Holdings>;

beforeAll(async () => {
  const bytes = Buffer.from('{}');
  const recordings = {
    open: () =>
      Promise.resolve({ bytes: bytes.length, modifiedAt: new Date(0), stream: () => Readable.from([bytes]) }),
  };
  // Its log keeps every request of the test, so that a filter finds the first one.
  api = await createTestApi({ recordings, requestLog: { kept: 100_000 } });
  parent = await createTenant(api);
  stranger = await createTenant(api);
  child = await createChild(api, parent);
  sibling = await createChild(api, parent);
  for (const tenant of [parent, stranger]) held.set(tenant, await createHoldings(api, tenant));
  for (const tenant of [child, sibling]) held.set(tenant, await createHoldings(api, tenant, true));
  const gone = await createHoldings(api, parent);
  const { key } = parent;
  for (const [path, id] of [
    ['agent', gone.agent],
    ['number-pool', gone.pool],
    ['external/kb', gone.knowledge],
  ] as const) {
    const { status } = await api.request('DELETE', `/api/v0/${path}/${id}`, { key });
    if (status !== 200) throw new Error(`${path} was not deleted: ${status}`);
  }
  const { agent, version, pool, knowledge, faqSource, fileSource, urlSource } = gone;
  archived = { agent, version, pool, knowledge, faqSource, fileSource, urlSource };
});
afterAll(() => api.close());

const holdingsOf = (tenant: Tenant): Holdings => {
  const holdings = held.get(tenant);
  if (holdings === undefined) throw new Error('a workspace without holdings');
  return holdings;
};

const printOf = (tenant: Tenant): Promise<string> => printState(api.db, tenant.workspaceId);

/** The request with `id` in the tested place and the workspace's own ids elsewhere. */
const ask = (row: Row, requester: Tenant, own: Holdings, id: string): Promise<Answer> =>
  send(api, requester.key, wholeRequest(row.shape, own, row.field, id));

const unknownAnswers = new Map<string, unknown>();
/** The response to an unknown id. */
async function seenOfNothing(row: Row, requester: Tenant, own: Holdings): Promise<unknown> {
  const at = `${requester.workspaceId} ${row.name}`;
  if (!unknownAnswers.has(at)) {
    const unknown = unknownOf(row.kind ?? 'agent');
    unknownAnswers.set(at, seen(await ask(row, requester, own, unknown), unknown));
  }
  return unknownAnswers.get(at);
}

const VARYING = new Set(['x-request-id', 'date', 'content-length']);
/** The response without the sent id and the request id. */
function seen(answer: Answer, id: string): unknown {
  const { request_id: _id, ...body } = answer.body;
  const text = Object.keys(answer.body).length === 0 ? answer.text : JSON.stringify(body);
  const headers = Object.entries(answer.headers).filter(([name]) => !VARYING.has(name));
  return [answer.status, Object.fromEntries(headers), text.replaceAll(id, '<id>')];
}

const short = (shown: unknown): string => JSON.stringify(shown).slice(0, 2000);
const unknownOf = (kind: Kind): string => {
  if (kind === 'numberText') return '+14159999999';
  return kind === 'request' ? `req-${newId()}` : newId();
};

describe('ids', () => {
  it('have a declared kind in every place of the interface', () => {
    expect(ROWS.filter((row) => row.kind === undefined).map((row) => row.name)).toEqual([]);
    expect(ROWS.length).toBeGreaterThan(120);
    const used = new Set(ROWS.map((row) => row.kind));
    expect(used).toEqual(new Set(Object.values(KINDS)));
    const keys = new Set(shapes.map((shape) => shape.key));
    expect(Object.keys(BESIDE).filter((key) => !keys.has(key))).toEqual([]);
  });

  // One test per relation; it may share the machine with others.
  const LONG = { timeout: 240_000 };
  const RELATIONS: [string, () => Tenant, () => Partial<Holdings>][] = [
    ['a stranger', () => parent, () => holdingsOf(stranger)],
    ['a sibling', () => child, () => holdingsOf(sibling)],
    ['the parent', () => child, () => holdingsOf(parent)],
    ['a child', () => parent, () => holdingsOf(child)],
    ['the archive', () => parent, () => archived],
  ];

  it.each(RELATIONS)(
    'of %s answer like unknown ids, and change nothing',
    LONG,
    async (what, requester, theirs) => {
      const tenants = [stranger, sibling, what === 'the parent' ? parent : child];
      const before = await Promise.all(tenants.filter((t) => t !== requester()).map(printOf));
      const own = holdingsOf(requester());
      const wrong: unknown[] = [];
      let requests = 0;
      for (const row of CHECKED) {
        const kind = row.kind ?? 'agent';
        const id = theirs()[kind];
        // The parent takes numbers back from its children: test/system/child-workspaces.
        if (what === 'a child' && row.shape.key.startsWith('moveNumber')) continue;
        if (id == null || (what === 'the archive' && TAKES_ARCHIVED.test(row.shape.key))) continue;
        const theirsSeen = short(seen(await ask(row, requester(), own, id), id));
        const nothing = short(await seenOfNothing(row, requester(), own));
        requests += 1;
        if (theirsSeen !== nothing || nothing.startsWith('[5')) wrong.push([row.name, theirsSeen, nothing]);
      }
      expect(wrong).toEqual([]);
      expect(requests).toBeGreaterThan(what === 'the archive' ? 60 : 110);
      expect(await Promise.all(tenants.filter((t) => t !== requester()).map(printOf))).toEqual(before);
    },
  );

  it('of the requester’s workspace succeed, so the requests above are valid', LONG, async () => {
    const same: string[] = [];
    const fresh = new Map<string, Holdings>();
    for (const row of CHECKED) {
      const kind = row.kind ?? 'agent';
      const { operationId, method } = row.shape.endpoint;
      // A deletion leaves nothing for the next request.
      const kept = method === 'DELETE' ? undefined : fresh.get(operationId);
      const own = method === 'GET' ? holdingsOf(parent) : (kept ?? (await createHoldings(api, parent)));
      fresh.set(operationId, own);
      const id = own[kind] ?? '';
      const nothing = await seenOfNothing(row, parent, own);
      const found = await ask(row, parent, own, id);
      if (short(seen(found, id)) === short(nothing)) same.push(`${row.name}: ${short(seen(found, id))}`);
    }
    expect(same).toEqual([]);
  });
});

describe('signed URLs', () => {
  const at = (path: string, name: string): Promise<Answer> => api.request('GET', `/${path}/${name}`);

  it.each([
    ['recordings', 'recording', 'wav'],
    ['campaign-rejects', 'rejects', 'csv'],
  ] as const)('of %s cannot be forged', async (path, purpose, extension) => {
    const mine = holdingsOf(parent);
    const good = path === 'recordings' ? mine.recording : mine.rejects;
    expect((await at(path, good)).status).toBe(200);
    const nothing = seen(await at(path, `${'A'.repeat(72)}.${extension}`), '');
    const id = purpose === 'recording' ? mine.call : mine.campaign;
    const names = [
      // A foreign id under the right signature, an own id under another secret, a signature for another purpose.
      Buffer.concat([
        Buffer.from(good.slice(0, 8), 'base64url'),
        Buffer.from(stranger.workspaceId.replaceAll('-', ''), 'hex'),
        Buffer.from(good.slice(0, 72), 'base64url').subarray(6 + 16),
      ]).toString('base64url'),
      testToken(purpose, parent.workspaceId, id, 'another secret'),
      testToken(purpose === 'recording' ? 'rejects' : 'recording', parent.workspaceId, id),
      testToken(purpose, stranger.workspaceId, id),
      testToken(purpose, parent.workspaceId, newId()),
      good.slice(0, 71),
      id,
    ];
    for (const name of names) {
      const answer = await at(path, `${name}.${extension}`);
      expect([name, seen(answer, '')]).toEqual([name, nothing]);
    }
  });
});

describe('an Idempotency-Key', () => {
  it('of another workspace is independent', async () => {
    const make = (tenant: Tenant): Promise<Answer> =>
      api.request('POST', '/api/v0/number-pool', {
        key: tenant.key,
        body: { name: 'Same' },
        headers: { 'idempotency-key': 'the same one' },
      });
    const made = await Promise.all([parent, child, sibling, stranger].map(make));
    expect(made.map((answer) => [answer.status, answer.headers['idempotency-replayed']])).toEqual(
      made.map(() => [200, undefined]),
    );
    expect(new Set(made.map((answer) => answer.text)).size).toBe(4);
  });

  it('of a request for one agent is refused for another one, for which nothing is made', async () => {
    const [first, second] = await Promise.all([0, 1].map(() => createTestAgent(api, parent)));
    const make = (agent: { agentId: string }): Promise<Answer> =>
      api.request('POST', `/api/v0/agent/${agent.agentId}/test-cases`, {
        key: parent.key,
        body: { name: 'Case', lines: [], expectations: [] },
        headers: { 'idempotency-key': 'for one agent' },
      });
    expect((await make(first!)).status).toBe(200);
    const refused = await make(second!);
    expect([refused.status, refused.body['code']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const { body } = await api.request('GET', `/api/v0/agent/${second!.agentId}/test-cases`, {
      key: parent.key,
    });
    expect(body['test_cases']).toEqual([]);
  });
});
