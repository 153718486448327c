import { request as httpRequest } from 'node:http';
import {
  callEntrance,
  chatEntrance,
  listenEntrance,
  receiveWebSockets,
  UNKNOWN_TOKEN,
} from '../../../src/app/web-sockets.ts';
import { carrierEntrance } from '../../../src/app/carrier-entrance.ts';
import { WEB_CHAT_PROTOCOL } from '../../../src/chat/web/messages.ts';
import type { CarrierConnect, WebConnect } from '../../../src/dialer/web.ts';
import { Listening, LiveCalls } from '../../../src/dialer/live-calls.ts';
import { LiveAccess } from '../../../src/domain/access/live-access.ts';
import { StreamTickets } from '../../../src/domain/trunks/stream-tickets.ts';
import { takeWebCall } from '../../../src/domain/web-calls/take-web-call.ts';
import { WEB_SOCKET_PATHS, type WebSocketKind } from '../../../src/http/server/web-socket-paths.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { registerNode } from '../../../src/store/nodes.ts';
import { adoptSocket, dropSocket, type WebSocketHandover } from '../../../src/telephony/web/handover.ts';
import { LISTEN_PROTOCOL } from '../../../src/telephony/web/listener-socket.ts';
import { WEB_CALL_PROTOCOL } from '../../../src/telephony/web/messages.ts';
import { TEST_SEAL } from '../database/seal.ts';
import { createTrunk } from '../database/workspace.ts';
import { offlineChats } from '../agents/offline-chats.ts';
import { createTestAgent, type Tenant, type TestApi } from './api.ts';

const PROTOCOLS = { call: WEB_CALL_PROTOCOL, chat: WEB_CHAT_PROTOCOL, listen: LISTEN_PROTOCOL } as const;

export interface Sockets {
  /** Of calls that a carrier announced. */
  readonly tickets: StreamTickets;
  /** A trunk whose carrier does not sign upgrades. */
  readonly carrierTrunkId: string;
  /** Asks to connect with the token, and resolves with the status: 101 for a connection. */
  upgrade(kind: WebSocketKind, token: string, headers?: Readonly<Record<string, string>>): Promise<number>;
  /** Makes a call of the tenant live in the process of the sockets, so that members can listen to it. */
  liveCall(tenant: Tenant): Promise<string>;
  close(): Promise<void>;
}

/** The WebSockets of the service on the port of the API, with the decisions of the service and connections that close at once. */
export async function openSockets(api: TestApi): Promise<Sockets> {
  const { db, clock } = api;
  const [log, nodeId] = [silentLog, newId()];
  await registerNode(db, { id: nodeId, name: 'sockets', roles: 'api,media' }, new Date(clock.now()));
  const adopt = (protocol: string) => (socket: WebSocketHandover) =>
    adoptSocket(socket, protocol, (opened) => opened.close());
  const live = new LiveCalls();
  const access = new LiveAccess({ db, clock });
  const listening = new Listening({ db, clock, log, live, access, drop: dropSocket });
  const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
  const streams = { db, clock, seal: TEST_SEAL };
  const tickets = new StreamTickets(streams);
  const carrier = { kind: 'telnyx', uri: 'https://api.telnyx.com' };
  const carrierTrunkId = await createTrunk(db, carrier);
  const calls = {
    open: async (request: WebConnect | CarrierConnect) => {
      if ('announced' in request) return { callId: newId() };
      if ('placed' in request) return UNKNOWN_TOKEN;
      const decided = await takeWebCall({ db, clock, rate, nodeId: () => nodeId }, request);
      return 'refuse' in decided ? decided : { callId: decided.taken.callId };
    },
    connect: (_callId: string, socket: WebSocketHandover) =>
      adopt(socket.headers['sec-websocket-protocol'] === undefined ? '' : WEB_CALL_PROTOCOL)(socket),
    openListener: (request: { readonly token: string; readonly origin: string | null }) =>
      listening.open(request),
    listen: (listenerId: string, socket: WebSocketHandover) => listening.connect(listenerId, socket),
    carrierStatus: () => undefined,
  };
  const chats = offlineChats({ db, clock });
  const tokens = { db, now: () => new Date(clock.now()) };
  const entrances = {
    call: callEntrance(calls, tokens),
    carrier: carrierEntrance({
      ...streams,
      calls,
      tickets,
      bases: () => ['https://calls.example.com'],
      ownAddress: () => null,
    }),
    chat: chatEntrance(chats.web),
    listen: listenEntrance(calls, tokens),
  };
  let peers = 0;
  // Each upgrade comes from a block of its own: the budgets of addresses have tests of their own.
  const peerOf = (): string => `10.${(peers += 1) >> 8}.${peers & 255}.1`;
  receiveWebSockets(api.server.server, entrances, { log, clock, peerOf });
  return {
    tickets,
    carrierTrunkId,
    upgrade: (kind, token, headers = {}) => upgradeStatus(api, kind, token, headers),
    async liveCall(tenant) {
      const { agentId } = await createTestAgent(api, tenant);
      const number = { mobile_number: '+14155550002', from_number_id: tenant.numberId };
      const placed = await api.request('POST', '/api/v0/calling/outbound/individual', {
        key: tenant.key,
        body: { name: 'P', agent_id: agentId, ...number },
      });
      const { call_id: callId } = placed.body['data'] as { call_id: string };
      await db.updateTable('calls').set({ status: 'ongoing' }).where('id', '=', callId).execute();
      live.add(tenant.workspaceId, callId, {
        hangup: () => undefined,
        cut: () => undefined,
        listen: (_id, _name, socket) => {
          adopt(LISTEN_PROTOCOL)(socket);
          return true;
        },
        unlisten: () => undefined,
        control: () => false,
      });
      return callId;
    },
    async close() {
      access.close();
      await chats.stop();
    },
  };
}

function upgradeStatus(
  api: TestApi,
  kind: WebSocketKind,
  token: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const { port } = api.server.server.address() as { port: number };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const asked = httpRequest({
    host: '127.0.0.1',
    port,
    // Carriers have the token in the path.
    path: kind === 'carrier' ? `${WEB_SOCKET_PATHS[kind]}/${token}` : WEB_SOCKET_PATHS[kind],
    headers: {
      ...headers,
      // Browsers send it with every upgrade; tokens of listeners belong to the dashboard's.
      origin: 'http://callwright.test',
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...(kind === 'carrier' ? {} : { 'sec-websocket-protocol': `${PROTOCOLS[kind]}, token.${token}` }),
    },
  });
  asked.on('upgrade', ({ statusCode = 0 }, socket) => {
    socket.on('error', () => undefined);
    socket.destroy();
    resolve(statusCode);
  });
  asked.on('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}
