import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { carrierEntrance } from '../../../src/app/carrier-entrance.ts';
import { receiveWebSockets, UNKNOWN_TOKEN } from '../../../src/app/web-sockets.ts';
import { StreamTickets } from '../../../src/domain/trunks/stream-tickets.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { registerNode } from '../../../src/store/nodes.ts';
import { adoptSocket } from '../../../src/telephony/web/handover.ts';
import type { TestDatabase } from '../database/database.ts';
import { TEST_SEAL } from '../database/seal.ts';

/** Public address of the processes together. */
export const STREAM_BASE = 'https://calls.example.com';

/** A process of the service: its port of the API, and the calls that it carries. */
export interface StreamProcess {
  readonly nodeId: string;
  readonly server: Server;
  readonly url: string;
  readonly tickets: StreamTickets;
  /** Calls whose streams were connected, in order. */
  readonly connected: string[];
  /** Tokens of calls that it places. */
  readonly placed: Set<string>;
}

/**
 * The entrance of a process for streams of carriers, registered among the nodes. `freeCalls` null: it carries no calls, and is
 * no node. A stream that it takes answers `hello`.
 */
export async function startStreamProcess(
  { db }: TestDatabase,
  clock: Clock,
  name: string,
  { freeCalls = 1, hasMediaUrl = false }: { freeCalls?: number | null; hasMediaUrl?: boolean } = {},
): Promise<StreamProcess> {
  const nodeId = newId();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${address}`;
  if (freeCalls !== null) {
    await registerNode(db, { id: nodeId, name, roles: 'api,media' }, new Date(clock.now()));
    const mediaUrl = hasMediaUrl ? url : null;
    const ports = { rtpPorts: null, rtpPortsInUse: 0 };
    const figures = { version: '', liveCalls: 0, freeCalls, ...ports, address, mediaUrl };
    await db
      .updateTable('nodes')
      .set({ figures: JSON.stringify(figures) })
      .where('id', '=', nodeId)
      .execute();
  }
  const streams = { db, clock, seal: TEST_SEAL };
  const tickets = new StreamTickets(streams);
  const connected: string[] = [];
  const placed = new Set<string>();
  const entrance = carrierEntrance({
    ...streams,
    tickets,
    bases: () => (hasMediaUrl ? [url, STREAM_BASE] : [STREAM_BASE]),
    ownAddress: () => address,
    calls:
      freeCalls === null
        ? null
        : {
            open: async (request) => {
              if ('announced' in request) return { callId: request.announced.carrierCallId };
              const token = 'placed' in request ? request.placed : '';
              return placed.delete(token) ? { callId: `placed by ${name}` } : UNKNOWN_TOKEN;
            },
            connect: (callId, socket) => {
              connected.push(callId);
              adoptSocket(socket, '', (opened) =>
                opened.on('message', (data: Buffer) => {
                  if (data.toString() === 'hello') opened.send(`${callId} heard hello`);
                }),
              );
            },
          },
  });
  const none = { protocol: 'none', receive: () => Promise.resolve(UNKNOWN_TOKEN) };
  receiveWebSockets(
    server,
    { call: none, chat: none, listen: none, carrier: entrance },
    { log: silentLog, clock, peerOf: () => '127.0.0.1' },
  );
  return { nodeId, server, url, tickets, connected, placed };
}

export function stopStreamProcess({ server }: StreamProcess): void {
  server.closeAllConnections();
  server.close();
}

/** What a carrier hears when it opens `url` and says `hello`, or the status and body of the refusal. */
export async function openStream(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.once('open', () => socket.send('hello'));
      socket.once('message', (data: Buffer) => resolve(data.toString()));
      socket.once('unexpected-response', (_request, response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve(`${response.statusCode ?? 0} ${Buffer.concat(chunks).toString('utf8')}`),
        );
      });
      socket.once('error', reject);
    });
  } finally {
    socket.on('error', () => undefined);
    socket.terminate();
  }
}
