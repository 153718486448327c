import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { type StreamReaction, type TortureCase } from '../../packages/sip/test/torture-case.ts';
import { TORTURE_IPV6 } from '../../packages/sip/test/torture-ipv6.ts';
import { TORTURE } from '../../packages/sip/test/torture-rfc4475.ts';
import type { SipSignalling } from '../../src/telephony/signalling.ts';
import { closePlanes, counting, portOf, startPlane, trunkTo } from '../helpers/sip/sip-plane.ts';
import { AUTHORITY, CERTIFICATES } from '../helpers/sip/tls-certificates.ts';

const CASES = [...TORTURE, ...TORTURE_IPV6];

afterEach(closePlanes);

/** A plane of the service that has had no message: the cases repeat Call-IDs and branches. */
const freshPlane = (): Promise<SipSignalling> => {
  const material = { own: CERTIFICATES.carrier, authorities: AUTHORITY, clientAuthorities: null };
  return startPlane([trunkTo(5060)], { tls: { port: 0, material: () => material }, stopGraceMs: 1 });
};

async function opened(plane: SipSignalling, transport: 'tcp' | 'tls'): Promise<Socket> {
  const at = { host: '127.0.0.1', port: portOf(plane, transport) };
  if (transport === 'tcp') {
    const socket = connectPlain(at);
    await once(socket, 'connect');
    return socket;
  }
  const socket = connectTls({ ...at, servername: 'carrier.test', ca: AUTHORITY });
  await once(socket, 'secureConnect');
  return socket;
}

/** The reaction to a connection that sends the bytes and no more: the service closes its side when it has read them. */
async function reaction(transport: 'tcp' | 'tls', bytes: Buffer): Promise<Omit<StreamReaction, 'closes'>> {
  let calls = 0;
  const plane = await freshPlane();
  plane.onInbound((leg) => {
    calls += 1;
    leg.listen(counting({ ends: 0 }));
  });
  const socket = await opened(plane, transport);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  // A connection that the service resets has lost its framing.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.end(bytes);
  await closed;
  const statuses = [...text.matchAll(/^SIP\/2\.0 (\d{3}) /gm)].map(([, status]) => Number(status));
  return { statuses, calls };
}

const expectedOf = ({ expect: expected, overTcp }: TortureCase): Omit<StreamReaction, 'closes'> => {
  if (overTcp !== undefined) return { statuses: overTcp.statuses, calls: overTcp.calls };
  if (expected === 'call') return { statuses: [100], calls: 1 };
  return { statuses: typeof expected === 'number' ? [expected] : [], calls: 0 };
};

describe.each(['tcp', 'tls'] as const)('RFC 4475 and RFC 5118 over a %s socket', (transport) => {
  test.each(CASES)('$name → $expect', async (one) => {
    expect(await reaction(transport, one.bytes)).toEqual(expectedOf(one));
  });
});
