import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { header, parseMessage, responseTo, type SipRequest, writeMessage } from '@callwright/sip';
import { startDispatcher } from '../helpers/sip/dispatcher.ts';

/** A process behind Kamailio: answers OPTIONS with 200 and INVITE with 100 and 486, or as told. */
interface Node {
  readonly socket: Socket;
  readonly invites: SipRequest[];
  state: 'up' | 'draining' | 'gone';
}

let kamailio: Awaited<ReturnType<typeof startDispatcher>>;
let port = 0;
let nodes: Node[] = [];
let carrier: Socket;
let finals: Map<string, number>;

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

async function startNode(): Promise<Node> {
  const node: Node = { socket: await bound(), invites: [], state: 'up' };
  node.socket.on('message', (bytes, from) => {
    const parsed = parseMessage(bytes);
    if (node.state === 'gone' || parsed.kind !== 'message' || parsed.message.kind !== 'request') return;
    const request = parsed.message;
    const answer = (status: number): void =>
      node.socket.send(writeMessage(responseTo(request, status, { toTag: 'node' })), from.port, from.address);
    if (request.method === 'OPTIONS') answer(node.state === 'up' ? 200 : 503);
    if (request.method !== 'INVITE') return;
    node.invites.push(request);
    if (node.state === 'draining') return answer(503);
    answer(100);
    answer(486);
  });
  return node;
}

const invite = (callId: string): string =>
  [
    `INVITE sip:+14155550100@127.0.0.1:${port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${carrier.address().port};branch=z9hG4bK${callId}`,
    'Max-Forwards: 70',
    `From: <sip:+14155550199@127.0.0.1>;tag=${callId}`,
    'To: <sip:+14155550100@127.0.0.1>',
    `Call-ID: ${callId}`,
    'CSeq: 1 INVITE',
    `Contact: <sip:127.0.0.1:${carrier.address().port}>`,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');

/** Sends calls, and resolves with the final status of each. */
async function call(...ids: readonly string[]): Promise<(number | undefined)[]> {
  for (const id of ids) carrier.send(invite(id), port, '127.0.0.1');
  await expect.poll(() => ids.every((id) => finals.has(id)), { timeout: 30_000 }).toBe(true);
  return ids.map((id) => finals.get(id));
}

beforeAll(async () => {
  carrier = await bound();
  carrier.on('message', (bytes) => {
    const parsed = parseMessage(bytes);
    if (parsed.kind !== 'message' || parsed.message.kind !== 'response') return;
    const { status, callId } = parsed.message;
    if (status >= 200) finals.set(callId, status);
  });
});
afterAll(() => carrier.close());

beforeEach(async () => {
  finals = new Map();
  nodes = [await startNode(), await startNode()];
  kamailio = await startDispatcher({
    nodes: nodes.map(({ socket }) => socket.address().port),
    carrier: carrier.address().port,
    isPatient: true,
  });
  ({ port } = kamailio);
});
afterEach(async () => {
  await kamailio.stop();
  for (const { socket } of nodes) socket.close();
});

describe('deploy/kamailio', () => {
  it('shares the calls among the processes, and stays in their path', async () => {
    const finalOf = await call('a1', 'a2', 'a3', 'a4');
    expect(finalOf).toEqual([486, 486, 486, 486]);
    for (const { invites } of nodes) {
      expect(new Set(invites.map(({ callId }) => callId)).size).toBe(2);
      expect(header(invites[0] as SipRequest, 'record-route')).toContain(`127.0.0.1:${port}`);
    }
  });

  it('gives the calls of a process that stops to the other one', async () => {
    (nodes[0] as Node).state = 'draining';
    expect(await call('b1', 'b2')).toEqual([486, 486]);
    expect(new Set(nodes[1]?.invites.map(({ callId }) => callId))).toEqual(new Set(['b1', 'b2']));
  });

  it('gives the calls of a process that is gone to the other one', async () => {
    (nodes[0] as Node).state = 'gone';
    expect(await call('c1', 'c2')).toEqual([486, 486]);
    expect(new Set(nodes[1]?.invites.map(({ callId }) => callId))).toEqual(new Set(['c1', 'c2']));
  });

  it('passes nothing on from a stranger', async () => {
    const stranger = await bound();
    stranger.send(invite('stranger'), port, '127.0.0.1');
    // Kamailio has handled the stranger's INVITE, too, once the call of the carrier has ended.
    await call('d1');
    stranger.close();
    expect(nodes.flatMap(({ invites }) => invites.map(({ callId }) => callId))).not.toContain('stranger');
  });
});
