import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allows } from '../../../src/domain/access/access.ts';
import { SCOPES } from '../../../src/domain/access/scopes.ts';
import { ACCESS, accessOf } from '../../../src/domain/access/table.ts';
import { WEB_SOCKET_PATHS, type WebSocketKind } from '../../../src/http/server/web-socket-paths.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { everyPrincipal, member, scopedSenders, type Sender } from '../../helpers/api/principals.ts';
import { openSockets, type Sockets } from '../../helpers/api/sockets.ts';

const KINDS = Object.keys(WEB_SOCKET_PATHS) as WebSocketKind[];
const rowOf = (kind: WebSocketKind): string => `WS ${WEB_SOCKET_PATHS[kind]}`;

/** A workspace with an agent and a live call. */
interface Side {
  readonly tenant: Tenant;
  readonly agentId: string;
  readonly callId: string;
}

let api: TestApi;
let sockets: Sockets;
let own: Side;
let announced = 0;
/** Tokens of the other tenant, which have expired: a valid one stands for its own call or chat, whoever brings it. */
let foreign: Record<WebSocketKind, string>;
beforeAll(async () => {
  api = await createTestApi();
  sockets = await openSockets(api);
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  const other = await createSide();
  const listener = await member(api, other.tenant, 'manager');
  foreign = {
    call: await tokenOf('call', other, listener),
    carrier: await tokenOf('carrier', other, listener),
    chat: await tokenOf('chat', other, listener),
    listen: await tokenOf('listen', other, listener),
  };
  api.clock.advance(600_000);
  own = await createSide();
}, 400_000);
afterAll(async () => {
  await sockets?.close();
  await api?.close();
});

async function createSide(): Promise<Side> {
  const tenant = await createTenant(api);
  const { agentId } = await createTestAgent(api, tenant);
  return { tenant, agentId, callId: await sockets.liveCall(tenant) };
}

/** A fresh token for the WebSocket: the key opens calls and chats, and `listener` asks to hear the live call. */
async function tokenOf(
  kind: WebSocketKind,
  { tenant, agentId, callId }: Side,
  listener: Sender,
): Promise<string> {
  if (kind === 'carrier') {
    const call = {
      kind: 'telnyx' as const,
      trunkId: sockets.carrierTrunkId,
      from: '+14155550188',
      to: '+14155550100',
      displayName: null,
    };
    return sockets.tickets.issue({ ...call, carrierCallId: `CA${(announced += 1)}` });
  }
  const session = (path: string) =>
    api.request('POST', `/api/v0${path}/session`, {
      key: tenant.key,
      body: { agent_id: agentId, custom_args_values: { callee_name: 'Ann' } },
    });
  const asked = {
    call: () => session('/calling/webcall'),
    chat: () => session('/chat/web'),
    listen: async () =>
      api.request('POST', `/dashboard-api/calls/${callId}/listen`, { headers: await listener.headers() }),
  };
  const { status, body, text } = await asked[kind]();
  expect([kind, status, text]).toEqual([kind, 200, text]);
  return String(body['token']);
}

/** What the principal itself has for a token: its key, its session, or the token of its call. */
async function credentialOf(sender: Sender): Promise<string> {
  const headers = await sender.headers();
  return headers['x-api-key'] ?? headers['x-webcall-token'] ?? headers['cookie']?.split('=')[1] ?? 'nothing';
}

/** Where the WebSockets differ from the table, and how many pairs were compared. */
async function differences(senders: readonly Sender[]): Promise<{ wrong: string[]; pairs: number }> {
  const wrong: string[] = [];
  let pairs = 0;
  for (const kind of KINDS) {
    for (const sender of senders) {
      const isAllowed = allows(accessOf(rowOf(kind)), sender.principal);
      const token = isAllowed ? await tokenOf(kind, own, sender) : await credentialOf(sender);
      const status = await sockets.upgrade(kind, token, await sender.headers());
      if (status !== (isAllowed ? 101 : 401)) wrong.push(`${sender.name} ${rowOf(kind)}: ${status}`);
      const others = await sockets.upgrade(kind, foreign[kind], await sender.headers());
      if (others !== 401)
        wrong.push(`${sender.name} ${rowOf(kind)} with the other tenant's token: ${others}`);
      pairs += 1;
    }
  }
  return { wrong, pairs };
}

describe('the WebSockets in the table of permissions', () => {
  it('have a row each, and no row is without a WebSocket', () => {
    const rows = [...ACCESS.keys()].filter((name) => name.startsWith('WS '));
    expect(rows.toSorted()).toEqual(KINDS.map(rowOf).toSorted());
  });

  it('open as the table says for every principal', async () => {
    const senders = await everyPrincipal(api, own.tenant);
    const { wrong, pairs } = await differences(senders);
    expect(wrong).toEqual([]);
    process.stdout.write(`(WebSocket, principal) pairs: ${pairs}, differences: ${wrong.length}\n`);
    expect(pairs).toBe(KINDS.length * senders.length);
  }, 400_000);

  it('open for no scope of a named key', async () => {
    const { wrong, pairs } = await differences(await scopedSenders(api, own.tenant));
    expect(wrong).toEqual([]);
    process.stdout.write(`(WebSocket, scoped key) pairs: ${pairs}, differences: ${wrong.length}\n`);
    expect(pairs).toBe(KINDS.length * SCOPES.length * 2);
  }, 300_000);

  it('refuse the token of another kind of WebSocket', async () => {
    const listener = await member(api, own.tenant, 'owner');
    const statuses: number[] = [];
    for (const kind of KINDS) {
      const token = await tokenOf(kind, own, listener);
      for (const other of KINDS.filter((each) => each !== kind))
        statuses.push(await sockets.upgrade(other, token));
    }
    expect(statuses).toEqual(KINDS.flatMap(() => KINDS.slice(1).map(() => 401)));
  });
});
