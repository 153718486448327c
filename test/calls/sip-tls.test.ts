import { once } from 'node:events';
import { connect as connectPlain, createServer, type Socket } from 'node:net';
import { connect, type ConnectionOptions, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { TcpTransport, type TlsMaterial, TlsWire } from '@callwright/sip';
import { silentLog } from '../../src/shared/log.ts';
import type { SignallingOptions, SipSignalling } from '../../src/telephony/signalling.ts';
import { freePort, until } from '../helpers/sip/peer-process.ts';
import {
  callRequest,
  closeLater,
  closePlanes,
  counting,
  openStream,
  portOf,
  sipRequest,
  startPlane,
  trunkTo,
} from '../helpers/sip/sip-plane.ts';
import { AUTHORITY, CERTIFICATES } from '../helpers/sip/tls-certificates.ts';

afterEach(closePlanes);

const material = (name: keyof typeof CERTIFICATES | null, patch: Partial<TlsMaterial> = {}): TlsMaterial => ({
  own: name === null ? null : CERTIFICATES[name],
  authorities: AUTHORITY,
  clientAuthorities: null,
  ...patch,
});
const tls = (of: TlsMaterial): Pick<SignallingOptions, 'tls'> => ({ tls: { port: 0, material: () => of } });

/** The carrier that `carrier.test` leads to. */
const carrier = (of: TlsMaterial): Promise<SipSignalling> => startPlane([trunkTo(5060)], tls(of));

/** A plane whose trunk is `sips:carrier.test` at a port of this machine, and the warnings that it logs. */
async function caller(port: number, of = material(null), domain = 'carrier.test') {
  const warnings: { code?: string }[] = [];
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
  const signalling = await startPlane([trunkTo(port, { uri: `sips:${domain}`, transport: 'tls' })], {
    ...tls(of),
    resolve: () => Promise.resolve([{ transport: 'tls', address: '127.0.0.1', port, domain }]),
    log: log as never,
  });
  return { signalling, warnings };
}

/** Places a call; resolves with its answer or the failure. */
const call = (signalling: SipSignalling, id: string): Promise<string> =>
  new Promise((resolve) => {
    signalling.call(callRequest(id), {
      ...counting({ ends: 0 }),
      onAnswered: ({ sdp }) => resolve(sdp),
      onFailed: ({ sipCode, reason }) => resolve(`${sipCode} ${reason}`),
    });
  });

const answerAll = (signalling: SipSignalling): { received: number } => {
  const had = { received: 0 };
  signalling.onInbound((leg) => {
    had.received++;
    leg.listen(counting({ ends: 0 }));
    leg.answer('v=0\r\nanswer');
  });
  return had;
};

/** Passes bytes on to `port` and keeps them. */
async function tap(port: number): Promise<{ port: number; bytes: () => Buffer }> {
  const kept: Buffer[] = [];
  const server = createServer((socket: Socket) => {
    const onward = connectPlain({ host: '127.0.0.1', port });
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.on('data', (chunk) => {
        kept.push(chunk);
        to.write(chunk);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(() => server.close());
  return { port: (server.address() as { port: number }).port, bytes: () => Buffer.concat(kept) };
}

/** A TLS client of the plane; resolves once it is connected, rejects when it is refused. */
async function client(
  port: number,
  options: ConnectionOptions = {},
): Promise<TLSSocket & { text(): string }> {
  const socket = connect({ host: '127.0.0.1', port, ca: AUTHORITY, servername: 'service.test', ...options });
  closeLater(() => socket.destroy());
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  return Object.assign(socket, { text: () => text });
}

describe('TLS', () => {
  test('without a port for TLS, Via and Contact ask the carrier to use our connection', async () => {
    let text = '';
    const { key, certificate: cert } = CERTIFICATES.carrier;
    const server = createTlsServer({ key, cert }, (socket) => {
      closeLater(() => socket.destroy());
      socket.on('error', () => {});
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closeLater(() => server.close());
    const { port } = server.address() as { port: number };
    const signalling = await startPlane([trunkTo(port, { uri: 'sips:carrier.test', transport: 'tls' })], {
      tls: { port: null, material: () => material(null) },
      resolve: () =>
        Promise.resolve([{ transport: 'tls', address: '127.0.0.1', port, domain: 'carrier.test' }]),
    });
    signalling.call(callRequest('flow'), counting({ ends: 0 }));
    await until(() => text.includes('\r\n\r\n'), 'the INVITE arrives');
    expect(text).toMatch(/^Via: SIP\/2\.0\/TLS [^\r\n]*;alias\b/m);
    expect(text).toMatch(/^Contact: <sip:[^>\r\n]*;transport=tls;ob>/m);
  });

  test('carries a call in both directions, and nothing of it is in clear', async () => {
    const peer = await carrier(material('carrier'));
    const had = answerAll(peer);
    const wire = await tap(portOf(peer, 'tls'));
    const { signalling } = await caller(wire.port);
    expect(await call(signalling, 'tls')).toBe('v=0\r\nanswer');
    expect(had.received).toBe(1);
    signalling.hangUpAll();
    await until(() => peer.liveCalls() === 0 && signalling.liveCalls() === 0, 'BYE reaches the carrier');
    expect(wire.bytes().length).toBeGreaterThan(2000);
    expect(wire.bytes().toString('latin1')).not.toMatch(/SIP\/2\.0|INVITE|callwright/i);
  });

  test('takes the certificate of a SIP domain without a DNS name', async () => {
    const peer = await carrier(material('sipname'));
    answerAll(peer);
    const { signalling } = await caller(portOf(peer, 'tls'));
    expect(await call(signalling, 'sipname')).toBe('v=0\r\nanswer');
  });

  test.each([
    ['another domain', material('carrier'), 'other.test', /ERR_TLS_CERT_ALTNAME_INVALID/],
    ['an expired certificate', material('expired'), 'carrier.test', /CERT_HAS_EXPIRED/],
    ['an unknown authority', material('stranger'), 'service.test', /UNABLE_TO_VERIFY/],
  ])(
    'refuses a carrier with %s: nothing reaches it, and the log says why',
    async (_name, of, domain, reason) => {
      const peer = await carrier(of);
      const had = answerAll(peer);
      const { signalling, warnings } = await caller(portOf(peer, 'tls'), material(null), domain);
      expect(await call(signalling, 'refused')).toMatch(/^null /);
      expect(had.received).toBe(0);
      expect(warnings.map(({ code }) => code).join()).toMatch(reason);
    },
  );

  test('refuses versions before 1.2 and takes 1.2 and 1.3', async () => {
    const port = portOf(await startPlane([trunkTo(5060)], tls(material('service'))), 'tls');
    const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(client(port, old)).rejects.toThrow(/version|protocol|ECONNRESET/i);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await client(port, { minVersion: version, maxVersion: version });
      socket.write(sipRequest('OPTIONS', 9, version, { transport: 'TLS' }));
      await until(() => socket.text().includes('200 OK'), 'OPTIONS is answered');
    }
  });

  test('uses a renewed certificate from the next connection on, and live connections stay', async () => {
    let current = material('service');
    const signalling = await startPlane([trunkTo(5060)], { tls: { port: 0, material: () => current } });
    const port = portOf(signalling, 'tls');
    const before = await client(port);
    expect(before.getPeerCertificate().subject.CN).toBe('service');
    current = material('renewed');
    const after = await client(port, { servername: 'carrier.test' });
    expect(after.getPeerCertificate().subject.CN).toBe('renewed');
    before.write(sipRequest('OPTIONS', 9, 'live', { transport: 'TLS' }));
    await until(() => before.text().includes('200 OK'), 'the old connection is served');
  });

  test('with authorities of clients takes only clients with their certificate, and shows its own to carriers', async () => {
    const strict = material('service', { clientAuthorities: AUTHORITY });
    const signalling = await startPlane([trunkTo(5060)], tls(strict));
    const had = answerAll(signalling);
    const port = portOf(signalling, 'tls');
    const { certificate, key } = CERTIFICATES.stranger;
    for (const own of [{}, { cert: certificate, key }]) {
      const socket = await client(port, own);
      await until(() => socket.destroyed, 'the client is refused');
    }
    const known = await caller(port, material('carrier'), 'service.test');
    expect(await call(known.signalling, 'known')).toBe('v=0\r\nanswer');
    expect(had.received).toBe(1);
  });

  test('sends no call on a connection that a peer opened from the address and port of the trunk', async () => {
    const trunkPort = await freePort();
    const { signalling } = await caller(trunkPort, material('service'));
    const stranger = await client(portOf(signalling, 'tls'), { localPort: trunkPort } as ConnectionOptions);
    stranger.write(sipRequest('OPTIONS', trunkPort, 'first', { transport: 'TLS' }));
    await until(() => stranger.text().includes('200 OK'), 'OPTIONS is answered');
    expect(await call(signalling, 'taken')).toMatch(/^null /);
    expect(stranger.text()).not.toContain('INVITE sip:');
  });

  test('registers anew over a new connection when its flow is cut', async () => {
    const registered: { socket: TLSSocket; request: string }[] = [];
    const { certificate, key } = CERTIFICATES.carrier;
    const registrar = createTlsServer({ cert: certificate, key }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        const request: string = chunk.toString('latin1');
        if (!request.startsWith('REGISTER')) return;
        registered.push({ socket, request });
        const kept = request
          .split('\r\n')
          .filter((line) => /^(Via|From|To|Call-ID|CSeq|Contact):/.test(line));
        socket.write(['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '', ''].join('\r\n'));
      });
    });
    registrar.listen(0, '127.0.0.1');
    await once(registrar, 'listening');
    closeLater(() => registrar.close());
    const { port } = registrar.address() as { port: number };
    const account = { username: 'alice', password: 'x', register: true };
    const signalling = await startPlane(
      [trunkTo(port, { uri: 'sips:carrier.test', transport: 'tls', ...account })],
      {
        ...tls(material('service')),
        resolve: () =>
          Promise.resolve([{ transport: 'tls', address: '127.0.0.1', port, domain: 'carrier.test' }]),
      },
    );
    const had = answerAll(signalling);
    await until(() => signalling.health().trunks[0]?.registered === true, 'the trunk is registered');
    registered[0]?.socket.destroy();
    await until(() => registered.length === 2, 'it registers again');
    const [first, second] = registered;
    expect(second?.request).toContain(';transport=tls');
    expect(second?.socket).not.toBe(first?.socket);
    // Calls come over the new flow.
    second?.socket.write(sipRequest('INVITE', port, 'back', { transport: 'TLS' }));
    await until(() => had.received === 1, 'the call arrives');
  });

  test('closes connections of strangers without a handshake within their time', async () => {
    const transport = new TcpTransport(() => {}, silentLog, {
      isTrusted: () => false,
      untrustedMs: 50,
      wire: new TlsWire(() => material('service'), silentLog, 50),
    });
    closeLater(() => transport.close());
    const { port } = await transport.start('127.0.0.1', 0);
    const silent = await openStream(port);
    const plain = await openStream(port);
    plain.socket.write(sipRequest('OPTIONS', 9, 'clear'));
    await until(() => silent.closed() && plain.closed(), 'both are closed');
    expect(plain.text()).not.toContain('SIP/2.0');
  });

  test('closes a connection whose peer stops to answer keepalives', async () => {
    const pings = { count: 0, isAnswered: true };
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        if (chunk.toString() !== '\r\n\r\n') return;
        pings.count++;
        if (pings.isAnswered) socket.write('\r\n');
      });
      socket.on('close', () => (closed = true));
    });
    let closed = false;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closeLater(() => server.close());
    const { port } = server.address() as { port: number };
    const transport = new TcpTransport(() => {}, silentLog, { keepAlive: { pingMs: 20, pongMs: 20 } });
    closeLater(() => transport.close());
    transport.send(Buffer.from('x'), { transport: 'tcp', address: '127.0.0.1', port }, () => {});
    await until(() => pings.count > 3, 'pings are answered');
    expect(closed).toBe(false);
    pings.isAnswered = false;
    await until(() => closed, 'the connection is closed');
  });
});
