import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../helpers/sip/peer-process.ts';
import {
  closePlanes,
  counting,
  openStream,
  portOf,
  sipRequest,
  startPlane,
  trunkTo,
  type Stream,
} from '../helpers/sip/sip-plane.ts';

afterEach(closePlanes);

describe('TCP', () => {
  test('reassembles segmented messages, answers keepalives, and responds on the same connection', async () => {
    const signalling = await startPlane([trunkTo(5060)]);
    const { socket, text } = await openStream(portOf(signalling, 'tcp'));
    const bytes = `\r\n\r\n${sipRequest('OPTIONS', 9, 'one', { transport: 'TCP' })}${sipRequest('OPTIONS', 9, 'two', { transport: 'TCP' })}`;
    socket.setNoDelay(true);
    for (let i = 0; i < bytes.length; i += 37) {
      socket.write(bytes.slice(i, i + 37));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => text().split('SIP/2.0 200 OK').length === 3, 'both are answered');
    expect(text().startsWith('\r\nSIP/2.0 200 OK')).toBe(true);
  });

  test('closes a stream without valid framing', async () => {
    const signalling = await startPlane([trunkTo(5060)]);
    const endless = await openStream(portOf(signalling, 'tcp'));
    endless.socket.write('x'.repeat(70_000));
    const lengthless = await openStream(portOf(signalling, 'tcp'));
    lengthless.socket.write('OPTIONS sip:a SIP/2.0\r\nVia: x\r\n\r\n');
    await until(() => endless.closed() && lengthless.closed(), 'both are closed');
    expect(endless.text() + lengthless.text()).toBe('');
    const after = await openStream(portOf(signalling, 'tcp'));
    after.socket.write(sipRequest('OPTIONS', 9, 'x', { transport: 'TCP' }));
    await until(() => after.text().includes('200 OK'), 'others are served');
  });

  test('limits the connections of one address', async () => {
    const signalling = await startPlane([trunkTo(5060)]);
    const port = portOf(signalling, 'tcp');
    const streams = await Promise.all(Array.from({ length: 80 }, () => openStream(port)));
    await until(() => streams.filter((s) => s.closed()).length === 16, 'those beyond 64 are closed');
    expect(streams.filter((s) => !s.closed()).length).toBe(64);
  });

  test('unknown sources cannot take the connections of a trunk', async () => {
    const signalling = await startPlane([trunkTo(5060, { uri: 'sip:127.0.0.9' })]);
    const port = portOf(signalling, 'tcp');
    const from = (localAddress: string): Promise<Stream> => openStream(port, localAddress);
    const strangers = Array.from({ length: 40 }, (_, n) => `127.0.1.${n + 1}`);
    const held = await Promise.all(
      strangers.flatMap((address) => Array.from({ length: 14 }, () => from(address))),
    );
    await until(() => held.filter((s) => !s.closed()).length <= 128, 'the share of unknown sources is full');
    const carrier = await Promise.all(Array.from({ length: 60 }, () => from('127.0.0.9')));
    for (const [n, { socket }] of carrier.entries()) {
      socket.write(sipRequest('OPTIONS', 9, `o${n}`, { transport: 'TCP' }));
    }
    const answered = (): number => carrier.filter((s) => s.text().includes('200 OK')).length;
    await until(() => answered() === 60, 'every OPTIONS of the trunk is answered');
    expect(answered()).toBe(60);
  });

  test('sends BYE over the connection of the INVITE to a caller that does not listen', async () => {
    const signalling = await startPlane([trunkTo(5060)]);
    signalling.onInbound((leg) => {
      leg.listen(counting({ ends: 0 }));
      leg.answer('v=0\r\n');
      setTimeout(() => leg.hangup('agent'), 100);
    });
    const { socket, text } = await openStream(portOf(signalling, 'tcp'));
    const invite = sipRequest('INVITE', 9, 'call', { transport: 'TCP' }).replace(':9>', ':9;transport=tcp>');
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
