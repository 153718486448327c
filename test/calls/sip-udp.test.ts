import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock, type Clock } from '../../src/shared/clock.ts';
import { publicAddressPoller } from '../../src/app/telephony.ts';
import { silentLog } from '../../src/shared/log.ts';
import { stunAddress } from '../../src/telephony/stun.ts';
import { freePort, until } from '../helpers/sip/peer-process.ts';
import {
  callRequest,
  closeLater,
  closePlanes,
  counting,
  datagrams,
  portOf,
  sipRequest,
  startPlane,
  statusOf,
  trunkTo,
} from '../helpers/sip/sip-plane.ts';

afterEach(closePlanes);

describe('UDP', () => {
  test('answers OPTIONS to the rport, and with 503 while draining', async () => {
    const signalling = await startPlane([trunkTo(5060)]);
    const peer = await datagrams();
    const port = portOf(signalling, 'udp');
    // No socket listens on the Via port: only rport leads the response back.
    peer.socket.send(sipRequest('OPTIONS', 1, 'one'), port, '127.0.0.1');
    await until(() => peer.received.length === 1, 'OPTIONS is answered');
    expect(statusOf(peer.received[0])).toBe('SIP/2.0 200 OK');
    expect(peer.received[0]).toContain(`;rport=${peer.port};received=127.0.0.1`);
    expect(peer.received[0]).toContain(
      '\r\nAllow: INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, NOTIFY, PRACK, UPDATE\r\n',
    );
    void signalling.drain();
    peer.socket.send(sipRequest('OPTIONS', 1, 'two'), port, '127.0.0.1');
    await until(() => peer.received.length === 2, 'OPTIONS is answered');
    expect(statusOf(peer.received[1])).toBe('SIP/2.0 503 Service Unavailable');
    expect(peer.received[1]).toContain('\r\nRetry-After: ');
  });

  test('answers nothing of a scanner for an hour, while other addresses are challenged', async () => {
    let skippedMs = 0;
    const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + skippedMs };
    const trunk = trunkTo(5060, { uri: 'sip:203.0.113.5', username: 'alice', password: 'secret' });
    const signalling = await startPlane([trunk], { clock });
    const port = portOf(signalling, 'udp');
    const [scanner, other] = [await datagrams(), await datagrams('127.0.0.2')];
    const send = (from: typeof scanner, id: string, headers: string[] = []): void =>
      from.socket.send(sipRequest('INVITE', from.port, id, { headers }), port, '127.0.0.1');

    send(scanner, 'first');
    await until(() => scanner.received.length === 1, 'the first INVITE is challenged');
    expect(statusOf(scanner.received[0])).toBe('SIP/2.0 401 Unauthorized');
    for (const id of ['a', 'b', 'c']) send(scanner, id, ['User-Agent: friendly-scanner']);
    await until(() => signalling.health().bans.current === 1, 'the scanner is banned');

    // The plane reads its socket in order: once the other address is answered, the banned INVITE was dropped.
    const heard = scanner.received.length;
    send(scanner, 'banned');
    send(other, 'other');
    await until(() => other.received.length > 0, 'the other address is challenged');
    expect(statusOf(other.received[0])).toBe('SIP/2.0 401 Unauthorized');
    expect(scanner.received.slice(heard).join()).not.toContain('Call-ID: banned');

    skippedMs = 3_600_001;
    send(scanner, 'later');
    await until(() => scanner.received.join().includes('Call-ID: later'), 'the ban is over');
    expect(signalling.health().bans).toEqual({ total: 1, current: 0 });
  });

  test('binds one address and announces another, except towards loopback', async () => {
    const trunks = [
      trunkTo(5060),
      trunkTo(5060, { id: 'outside', uri: 'sip:198.51.100.1' }),
      trunkTo(5060, { id: 'name', uri: 'sip:carrier.invalid' }),
    ];
    const signalling = await startPlane(trunks, {
      hosts: ['0.0.0.0'],
      tcpPort: null,
      publicAddress: '203.0.113.10',
      resolve: async () => [],
      stopGraceMs: 0,
    });
    expect(['trunk', 'outside', 'name'].map((id) => signalling.mediaAddress(id))).toEqual([
      '127.0.0.1',
      '203.0.113.10',
      '203.0.113.10',
    ]);
    // Without PUBLIC_ADDRESS an address of the machine: 0.0.0.0 in SDP would be a hold.
    const plain = await startPlane(trunks, { hosts: ['0.0.0.0'], tcpPort: null, resolve: async () => [] });
    expect(isIPv4(plain.mediaAddress('outside'))).toBe(true);
    expect(plain.mediaAddress('outside')).not.toBe('0.0.0.0');
    const peer = await datagrams();
    peer.socket.send(sipRequest('OPTIONS', peer.port, 'one'), portOf(signalling, 'udp'), '127.0.0.1');
    await until(() => peer.received.length > 0, 'OPTIONS is answered');
  });

  test.each([
    ['a socket on :: reaches', ['::'], ['::', '::']],
    ['sockets on an address of each family reach', ['127.0.0.1', '::1'], ['127.0.0.1', '::1']],
  ])('%s IPv4 and IPv6, and announce an address of each family', async (_, hosts, bound) => {
    const [v4, v6] = [await datagrams('127.0.0.1'), await datagrams('::1')];
    const trunks = [
      trunkTo(v4.port, { id: 'four' }),
      trunkTo(v6.port, { id: 'six', uri: `sip:[::1]:${v6.port}` }),
    ];
    const signalling = await startPlane(trunks, { hosts, tcpPort: null, probeIntervalMs: 30_000 });
    await until(() => v4.received.length > 0 && v6.received.length > 0, 'both trunks are probed');
    expect(v4.received[0]).toContain('Via: SIP/2.0/UDP 127.0.0.1:');
    expect(v6.received[0]).toContain('Via: SIP/2.0/UDP [::1]:');
    expect(['four', 'six'].map((id) => signalling.mediaAddress(id))).toEqual(['127.0.0.1', '::1']);
    expect(['four', 'six'].map((id) => signalling.mediaRules(id).host)).toEqual(bound);
    v4.socket.send(sipRequest('OPTIONS', v4.port, 'four'), portOf(signalling, 'udp'), '127.0.0.1');
    await until(() => v4.received.some((text) => text.startsWith('SIP/2.0 200')), 'OPTIONS is answered');
  });

  /** A STUN server that loses the first request and then reports `mapped()`; returns its port. */
  async function stunServer(mapped: () => number): Promise<number> {
    const server = createSocket('udp4');
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    closeLater(() => server.close());
    let requests = 0;
    server.on('message', (request, from) => {
      if (++requests === 1) return;
      const response = Buffer.alloc(32);
      request.copy(response, 0, 0, 20);
      response.writeUInt16BE(0x0101, 0);
      response.writeUInt16BE(12, 2);
      response.writeUInt32BE(0x0020_0008, 20);
      response.writeUInt16BE(0x0001, 24);
      response.writeUInt32BE((mapped() ^ 0x2112a442) >>> 0, 28);
      server.send(response, from.port, from.address);
    });
    return server.address().port;
  }

  test('asks a STUN server for the public address', async () => {
    const port = await stunServer(() => 0xcb00710a);
    expect(await stunAddress(`stun:127.0.0.1:${port}`)).toBe('203.0.113.10');
    await expect(stunAddress(`stun:127.0.0.1:${await freePort()}`, 300)).rejects.toThrow('no response');
  });

  test('announces the new public address and registers again when the STUN server reports another one', async () => {
    const registrar = await datagrams();
    registrar.socket.on('message', (bytes, from) => {
      const lines = bytes.toString('latin1').split('\r\n');
      const kept = lines.filter((line) => /^(Via|From|To|Call-ID|CSeq|Contact):/.test(line));
      const answer = ['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '', ''].join('\r\n');
      registrar.socket.send(answer, from.port, from.address);
    });
    const trunks = [
      trunkTo(registrar.port, { register: true, username: 'alice', password: 'x' }),
      trunkTo(5060, { id: 'outside', uri: 'sip:198.51.100.1' }),
    ];
    const signalling = await startPlane(trunks, {
      hosts: ['0.0.0.0'],
      tcpPort: null,
      publicAddress: '203.0.113.10',
    });
    await until(() => signalling.health().trunks[0]?.registered === true, 'the trunk is registered');
    const port = await stunServer(() => 0xcb00710b);
    const poller = publicAddressPoller(`stun:127.0.0.1:${port}`, signalling, silentLog, 50);
    closeLater(() => poller?.stop());
    poller?.start();
    await until(() => signalling.mediaAddress('outside') === '203.0.113.11', 'SDP has the new address');
    await until(() => registrar.received.length > 1, 'the trunk registers again');
    expect(registrar.received.map((text) => text.split(' ')[0])).toEqual(['REGISTER', 'REGISTER']);
    expect(publicAddressPoller('203.0.113.10', signalling, silentLog)).toBeNull();
  });

  test('ignores noise on the port', async () => {
    const signalling = await startPlane([trunkTo(5060)]);
    const peer = await datagrams();
    const port = portOf(signalling, 'udp');
    for (const noise of [
      '\r\n\r\n',
      '\0\x01\0\0',
      'GET / HTTP/1.1\r\n\r\n',
      'INVITE',
      'x'.repeat(60_000),
      '',
    ]) {
      peer.socket.send(Buffer.from(noise, 'latin1'), port, '127.0.0.1');
    }
    peer.socket.send(sipRequest('OPTIONS', peer.port, 'after'), port, '127.0.0.1');
    await until(() => peer.received.length > 0, 'OPTIONS is answered');
    expect(peer.received.map(statusOf)).toEqual(['SIP/2.0 200 OK']);
  });

  test('an unknown source gets 403 for INVITE and no response to OPTIONS, REGISTER and as a scanner', async () => {
    const signalling = await startPlane([trunkTo(5060, { uri: 'sip:192.0.2.1' })]);
    const calls: unknown[] = [];
    signalling.onInbound((leg) => calls.push(leg));
    const peer = await datagrams();
    const port = portOf(signalling, 'udp');
    const scanner = { headers: ['User-Agent: friendly-scanner'] };
    for (const [method, id, patch] of [
      ['OPTIONS', 'a', {}],
      ['REGISTER', 'b', {}],
      ['INVITE', 'c', scanner],
      ['INVITE', 'd', {}],
    ] as const) {
      peer.socket.send(sipRequest(method, peer.port, id, patch), port, '127.0.0.1');
    }
    await until(() => peer.received.length > 0, 'the call is refused');
    expect(peer.received.map(statusOf)).toEqual(['SIP/2.0 403 Forbidden']);
    expect(peer.received[0]).toContain('Call-ID: d\r\n');
    expect(calls).toEqual([]);
  });

  test('a folded header of 64,000 blanks and a flood of BYEs from an unknown source do not delay a trunk', async () => {
    const signalling = await startPlane([trunkTo(5060, { uri: 'sip:127.0.0.9' })]);
    const port = portOf(signalling, 'udp');
    const [attacker, carrier] = [await datagrams('127.0.0.66'), await datagrams('127.0.0.9')];
    const folded = sipRequest('OPTIONS', 1, 'x').replace(
      'Content-Length',
      `X: ${' '.repeat(64_000)}a\r\n b\r\nContent-Length`,
    );
    for (let n = 0; n < 20; n++) attacker.socket.send(folded, port, '127.0.0.1');
    for (let n = 0; n < 500; n++) {
      attacker.socket.send(sipRequest('BYE', attacker.port, `bye${n}`), port, '127.0.0.1');
    }
    await until(() => {
      // Retransmitted, because the flood overflows the receive buffer of the socket.
      carrier.socket.send(sipRequest('OPTIONS', carrier.port, 'probe'), port, '127.0.0.1');
      return carrier.received.length > 0;
    }, 'the OPTIONS of the trunk is answered');
    expect(new Set(carrier.received.map(statusOf))).toEqual(new Set(['SIP/2.0 200 OK']));
    expect(new Set(attacker.received.map(statusOf))).toEqual(
      new Set(['SIP/2.0 481 Call/Transaction Does Not Exist']),
    );
    expect(attacker.received.length).toBeLessThanOrEqual(60);
  });

  test('ICMP errors of a closed port end neither the process nor the call', async () => {
    const signalling = await startPlane([trunkTo(await freePort())]);
    const count = { ends: 0 };
    const failures: string[] = [];
    const leg = signalling.call(
      callRequest('x', 60_000),
      counting(count, { onFailed: ({ failure }) => failures.push(failure) }),
    );
    // Retransmissions draw ICMP errors; the call is still pending.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(signalling.trace(leg.sipCallId).length).toBeGreaterThanOrEqual(2);
    expect(failures).toEqual([]);
  });

  test('a call on an unknown trunk throws', async () => {
    const signalling = await startPlane([]);
    const request = { ...callRequest('x'), trunkId: 'none' };
    expect(() => signalling.call(request, counting({ ends: 0 }))).toThrow('unknown trunk');
  });

  test('start rejects when the port is in use', async () => {
    const first = await startPlane([]);
    await expect(startPlane([], { udpPort: portOf(first, 'udp'), tcpPort: null })).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});
