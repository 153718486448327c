import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import type { SignallingEvents } from '../../src/telephony/leg.ts';
import { createSignalling, type SipSignalling } from '../../src/telephony/sip/signalling.ts';
import type { Trunk } from '../../src/telephony/trunks/trunk.ts';
import { freePort, until } from '../helpers/peer-process.ts';
import { startUdpImpair } from '../helpers/udp-impair.ts';

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

const trunkTo = (port: number, patch: Partial<Trunk> = {}): Trunk => ({
  id: 'trunk',
  name: 'peer',
  uri: `sip:127.0.0.1:${port}`,
  username: null,
  password: null,
  register: false,
  transport: 'udp',
  allowedSources: [],
  ...patch,
});

async function ours(trunks: readonly Trunk[]): Promise<SipSignalling> {
  const signalling = createSignalling({
    hosts: ['127.0.0.1'],
    udpPort: 0,
    tcpPort: 0,
    publicAddress: null,
    trunks,
    clock: systemClock,
    log: silentLog,
    probeIntervalMs: null,
    stopGraceMs: 500,
  });
  await signalling.start();
  running.push(() => signalling.stop());
  return signalling;
}

const portOf = (signalling: SipSignalling, transport: 'udp' | 'tcp'): number =>
  Number(
    signalling
      .health()
      .listening.find((l) => l.startsWith(transport))
      ?.split(':')
      .at(-1),
  );

async function datagrams(): Promise<{ socket: UdpSocket; port: number; heard: string[] }> {
  const socket = createSocket('udp4');
  const heard: string[] = [];
  socket.on('message', (bytes) => heard.push(bytes.toString('latin1')));
  socket.bind({ address: '127.0.0.1', port: 0 });
  await once(socket, 'listening');
  running.push(() => socket.close());
  return { socket, port: socket.address().port, heard };
}

const message = (
  method: string,
  port: number,
  id: string,
  patch: { transport?: string; headers?: string[] } = {},
): string =>
  [
    `${method} sip:100@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/${patch.transport ?? 'UDP'} 127.0.0.1:${port};branch=z9hG4bK${id};rport`,
    `From: <sip:a@127.0.0.1>;tag=${id}`,
    'To: <sip:100@127.0.0.1>',
    `Call-ID: ${id}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:a@127.0.0.1:${port}>`,
    ...(patch.headers ?? []),
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');

const statusOf = (text: string | undefined): string => text?.split('\r\n')[0] ?? '';

/** Events that keep nothing but how often the call ended. */
const counting = (count: { ends: number }, patch: Partial<SignallingEvents> = {}): SignallingEvents => ({
  onRinging: () => {},
  onAnswered: () => {},
  onFailed: () => count.ends++,
  onEnded: () => count.ends++,
  onReoffer: () => null,
  onDtmf: () => {},
  ...patch,
});

describe('UDP', () => {
  test('OPTIONS is answered where rport points; while draining with 503', async () => {
    const signalling = await ours([trunkTo(5060)]);
    const peer = await datagrams();
    const port = portOf(signalling, 'udp');
    // The Via names a port that nobody listens on: rport brings the answer back.
    peer.socket.send(message('OPTIONS', 1, 'one'), port, '127.0.0.1');
    await until(() => peer.heard.length === 1, 'OPTIONS is answered');
    expect(statusOf(peer.heard[0])).toBe('SIP/2.0 200 OK');
    expect(peer.heard[0]).toContain(`;rport=${peer.port};received=127.0.0.1`);
    expect(peer.heard[0]).toContain('\r\nAllow: INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, NOTIFY\r\n');
    signalling.drain();
    peer.socket.send(message('OPTIONS', 1, 'two'), port, '127.0.0.1');
    await until(() => peer.heard.length === 2, 'OPTIONS is answered');
    expect(statusOf(peer.heard[1])).toBe('SIP/2.0 503 Service Unavailable');
    expect(peer.heard[1]).toContain('\r\nRetry-After: ');
  });

  test('noise on the port does no harm', async () => {
    const signalling = await ours([trunkTo(5060)]);
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
    peer.socket.send(message('OPTIONS', peer.port, 'after'), port, '127.0.0.1');
    await until(() => peer.heard.length > 0, 'OPTIONS is answered');
    expect(peer.heard.map(statusOf)).toEqual(['SIP/2.0 200 OK']);
  });

  test('strangers: 403 for INVITE, silence for OPTIONS, REGISTER and scanners', async () => {
    const signalling = await ours([trunkTo(5060, { uri: 'sip:192.0.2.1' })]);
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
      peer.socket.send(message(method, peer.port, id, patch), port, '127.0.0.1');
    }
    await until(() => peer.heard.length > 0, 'the call is refused');
    expect(peer.heard.map(statusOf)).toEqual(['SIP/2.0 403 Forbidden']);
    expect(peer.heard[0]).toContain('Call-ID: d\r\n');
    expect(calls).toEqual([]);
  });

  test('ICMP errors from a port where nothing listens harm neither the process nor the call', async () => {
    const signalling = await ours([trunkTo(await freePort())]);
    const count = { ends: 0 };
    const failures: string[] = [];
    const leg = signalling.call(
      {
        trunkId: 'trunk',
        from: '1',
        to: '2',
        displayName: null,
        sdpOffer: 'v=0\r\n',
        ringTimeoutMs: 60_000,
        attemptId: 'x',
      },
      counting(count, { onFailed: ({ failure }) => failures.push(failure) }),
    );
    // Retransmissions meet ICMP errors on the way; the call is still ours to end.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(signalling.trace(leg.sipCallId).length).toBeGreaterThanOrEqual(2);
    expect(failures).toEqual([]);
  });

  test('an unknown trunk is an error of the caller', async () => {
    const signalling = await ours([]);
    const request = {
      trunkId: 'none',
      from: '1',
      to: '2',
      displayName: null,
      sdpOffer: '',
      ringTimeoutMs: 1,
      attemptId: 'x',
    };
    expect(() => signalling.call(request, counting({ ends: 0 }))).toThrow('unknown trunk');
  });

  test('a port that is taken is an error of start', async () => {
    const first = await ours([]);
    const second = createSignalling({
      hosts: ['127.0.0.1'],
      udpPort: portOf(first, 'udp'),
      tcpPort: null,
      publicAddress: null,
      trunks: [],
      clock: systemClock,
      log: silentLog,
    });
    await expect(second.start()).rejects.toThrow('EADDRINUSE');
    await second.stop();
  });
});

describe('TCP', () => {
  async function stream(
    port: number,
  ): Promise<{ socket: Socket; text: () => string; closed: () => boolean }> {
    const socket = connect({ host: '127.0.0.1', port });
    let text = '';
    let closed = false;
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => (closed = true));
    await once(socket, 'connect');
    running.push(() => socket.destroy());
    return { socket, text: () => text, closed: () => closed };
  }

  test('messages cut anywhere, pings answered, responses on the same connection', async () => {
    const signalling = await ours([trunkTo(5060)]);
    const { socket, text } = await stream(portOf(signalling, 'tcp'));
    const bytes = `\r\n\r\n${message('OPTIONS', 9, 'one', { transport: 'TCP' })}${message('OPTIONS', 9, 'two', { transport: 'TCP' })}`;
    socket.setNoDelay(true);
    for (let i = 0; i < bytes.length; i += 37) {
      socket.write(bytes.slice(i, i + 37));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => text().split('SIP/2.0 200 OK').length === 3, 'both are answered');
    expect(text().startsWith('\r\nSIP/2.0 200 OK')).toBe(true);
  });

  test('a stream that cannot be cut into messages is closed', async () => {
    const signalling = await ours([trunkTo(5060)]);
    const endless = await stream(portOf(signalling, 'tcp'));
    endless.socket.write('x'.repeat(70_000));
    const lengthless = await stream(portOf(signalling, 'tcp'));
    lengthless.socket.write('OPTIONS sip:a SIP/2.0\r\nVia: x\r\n\r\n');
    await until(() => endless.closed() && lengthless.closed(), 'both are closed');
    expect(endless.text() + lengthless.text()).toBe('');
    const after = await stream(portOf(signalling, 'tcp'));
    after.socket.write(message('OPTIONS', 9, 'x', { transport: 'TCP' }));
    await until(() => after.text().includes('200 OK'), 'others are served');
  });

  test('one address gets a bounded number of connections', async () => {
    const signalling = await ours([trunkTo(5060)]);
    const port = portOf(signalling, 'tcp');
    const streams = await Promise.all(Array.from({ length: 80 }, () => stream(port)));
    await until(() => streams.filter((s) => s.closed()).length === 16, 'those beyond 64 are closed');
    expect(streams.filter((s) => !s.closed()).length).toBe(64);
  });

  test('BYE to a caller without a listener goes over the connection its call came on', async () => {
    const signalling = await ours([trunkTo(5060)]);
    signalling.onInbound((leg) => {
      leg.listen(counting({ ends: 0 }));
      leg.answer('v=0\r\n');
      setTimeout(() => leg.hangup('agent'), 100);
    });
    const { socket, text } = await stream(portOf(signalling, 'tcp'));
    const invite = message('INVITE', 9, 'call', { transport: 'TCP' }).replace(':9>', ':9;transport=tcp>');
    socket.write(invite);
    await until(() => text().includes('200 OK'), 'the call is answered');
    const tag = /To: <[^>]*>;tag=(\S+)/.exec(text().slice(text().indexOf('200 OK')))?.[1];
    socket.write(
      invite
        .replace('INVITE sip', 'ACK sip')
        .replace('1 INVITE', '1 ACK')
        .replace('z9hG4bKcall', 'z9hG4bKack')
        .replace('To: <sip:100@127.0.0.1>', `To: <sip:100@127.0.0.1>;tag=${tag}`),
    );
    await until(() => text().includes('BYE '), 'BYE has come');
    expect(text()).toContain('BYE sip:a@127.0.0.1:9;transport=tcp SIP/2.0');
  });
});

describe('two of our own', () => {
  test('trunks come and go at run time', async () => {
    const callee = await ours([]);
    const caller = await ours([]);
    caller.setTrunks([trunkTo(portOf(callee, 'udp'))]);
    callee.setTrunks([trunkTo(portOf(caller, 'udp'))]);
    const count = { ends: 0 };
    callee.onInbound((leg) => {
      leg.listen(counting(count));
      leg.reject(486);
    });
    const request = {
      trunkId: 'trunk',
      from: '1',
      to: '2',
      displayName: null,
      sdpOffer: 'v=0\r\n',
      ringTimeoutMs: 5_000,
      attemptId: 'x',
    };
    caller.call(request, counting(count));
    await until(() => count.ends === 2, 'both sides have ended');
    callee.setTrunks([]);
    const refused: (number | null)[] = [];
    caller.call(
      { ...request, attemptId: 'y' },
      counting(count, { onFailed: ({ sipCode }) => refused.push(sipCode) }),
    );
    await until(() => refused.length === 1, 'the call is refused');
    expect(refused).toEqual([403]);
    caller.setTrunks([]);
    expect(() => caller.call(request, counting(count))).toThrow('unknown trunk');
  });

  test('stop ends live calls with BYE and is quick', async () => {
    const callee = await ours([trunkTo(5060)]);
    const caller = await ours([trunkTo(portOf(callee, 'udp'))]);
    const ends: string[] = [];
    callee.onInbound((leg) => {
      leg.listen(counting({ ends: 0 }, { onEnded: ({ by }) => ends.push(`callee by ${by}`) }));
      leg.answer('v=0\r\n');
    });
    const answered: string[] = [];
    caller.call(
      {
        trunkId: 'trunk',
        from: '1',
        to: '2',
        displayName: null,
        sdpOffer: 'v=0\r\n',
        ringTimeoutMs: 5_000,
        attemptId: 'x',
      },
      counting(
        { ends: 0 },
        { onAnswered: ({ sdp }) => answered.push(sdp), onEnded: ({ by }) => ends.push(`caller by ${by}`) },
      ),
    );
    await until(() => answered.length === 1, 'the call is answered');
    await caller.stop();
    expect(ends).toEqual(['caller by system', 'callee by caller']);
  });

  test('200 calls over a bad line with every datagram impaired: each leg ends once, nothing is left', async () => {
    const callee = await ours([trunkTo(5060)]);
    const impair = await startUdpImpair(
      { port: portOf(callee, 'udp') },
      { loss: 0.1, duplication: 0.1, delayMs: 2, jitterMs: 30, seed: 11 },
    );
    running.push(() => impair.close());
    const caller = await ours([trunkTo(impair.port)]);
    const near = { ends: 0 };
    const far = { ends: 0 };
    let legs = 0;
    let answered = 0;
    callee.onInbound((leg) => {
      legs++;
      leg.listen(counting(far));
      leg.ringing();
      leg.answer('v=0\r\n');
    });
    for (let i = 0; i < 200; i++) {
      const leg = caller.call(
        {
          trunkId: 'trunk',
          from: '1',
          to: '2',
          displayName: null,
          sdpOffer: 'v=0\r\n',
          ringTimeoutMs: 20_000,
          attemptId: `a${i}`,
        },
        counting(near, {
          onAnswered: () => {
            answered++;
            setTimeout(() => leg.hangup('agent'), 50);
          },
        }),
      );
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await until(() => near.ends === 200 && far.ends === legs, 'every leg has ended', 45_000);
    expect(answered).toBe(200);
    expect(legs).toBe(200);
    expect(caller.liveCalls() + callee.liveCalls()).toBe(0);
  });
});
