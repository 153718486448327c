import { describe, expect, test } from 'vitest';
import type { CallTrunk } from './call-context.ts';
import { parseMessage } from './parse-message.ts';
import { parseSdp } from './sdp/parse.ts';
import { createFraming } from './stream-framing.ts';
import { parseUri } from './uri.ts';
import { type StreamReaction, type TortureCase } from '../test/torture-case.ts';
import { TORTURE_IPV6 } from '../test/torture-ipv6.ts';
import { TORTURE } from '../test/torture-rfc4475.ts';
import { VirtualNetwork } from '../test/virtual-network.ts';

const trunk: CallTrunk = {
  name: 'trunk',
  id: 'trunk',
  domain: 'example.net',
  host: 'example.net',
  transport: 'udp',
  authenticator: null,
  contactUser: '',
  known: () => null,
  lookUp: async () => [],
  owns: () => false,
  demote: () => {},
  suspect: () => {},
};

/** Statuses and calls that one datagram, or a stream in chunks of `step` octets, produces at our user agent. */
function reaction(bytes: Buffer, step: number | null = null): StreamReaction {
  const net = new VirtualNetwork();
  const agent = net.agent('192.0.2.1', () => ({ kind: 'trunk', trunk }));
  const statuses: number[] = [];
  let calls = 0;
  agent.setHandler(() => calls++);
  // Read as text, because responses to malformed requests copy malformed fields.
  net.attach('192.0.2.9', (bytes) => statuses.push(Number(bytes.toString('latin1').split(' ')[1])));
  const [from, to] = ['192.0.2.9', '192.0.2.1'];
  let isClosed = false;
  if (step === null) net.deliver(bytes, from, to, 'udp');
  else {
    const framing = createFraming();
    for (let at = 0; at < bytes.length; at += step) {
      for (const frame of framing.push(bytes.subarray(at, at + step))) {
        if (frame.kind === 'message') net.deliver(frame.bytes, from, to, 'tcp');
        else isClosed ||= frame.kind === 'fault';
      }
    }
  }
  net.scheduler.advance(100);
  return { statuses, calls, ...(isClosed ? { closes: true } : {}) };
}

const overUdp = ({ expect: expected }: TortureCase): StreamReaction => ({
  statuses: expected === 'call' ? [100] : typeof expected === 'number' ? [expected] : [],
  calls: expected === 'call' ? 1 : 0,
});

/** What a message is for our parser: a valid response without a transaction is dropped, but it must parse as a response. */
function kindOf(bytes: Buffer): string {
  const parsed = parseMessage(bytes);
  if (parsed.kind === 'message' && parsed.message.kind === 'response') return 'response';
  return parsed.kind === 'bad' && parsed.reply === null ? 'drop' : 'request';
}

const kindFor = ({ expect: expected }: TortureCase): string =>
  expected === 'response' || expected === 'drop' ? expected : 'request';

const CHUNKS = [1, 7, 100_000];

describe('RFC 4475', () => {
  test('has all 49 cases', () => {
    expect(TORTURE.length).toBe(49);
  });
  test.each(TORTURE)('$name → $expect', (one) => {
    expect(reaction(one.bytes)).toEqual(overUdp(one));
    expect(kindOf(one.bytes)).toBe(kindFor(one));
  });
  test('takes an unquoted display name with separators in a whole message (baddn and its empty line)', () => {
    const baddn = TORTURE.find(({ name }) => name.includes('(baddn)')) as TortureCase;
    const whole = Buffer.concat([baddn.bytes, Buffer.from('\r\n')]);
    expect(reaction(whole)).toEqual({ statuses: [200], calls: 0 });
  });
  test.each(TORTURE)('$name, over TCP in chunks of any size', (one) => {
    const expected = one.overTcp ?? overUdp(one);
    for (const step of CHUNKS) expect([step, reaction(one.bytes, step)]).toEqual([step, expected]);
  });
});

describe('RFC 5118', () => {
  test.each(TORTURE_IPV6)('$name → $expect', (one) => {
    expect(reaction(one.bytes)).toEqual(overUdp(one));
    expect(kindOf(one.bytes)).toBe(kindFor(one));
  });
  test.each(TORTURE_IPV6)('$name, over TCP in chunks of any size', (one) => {
    const expected = one.overTcp ?? overUdp(one);
    for (const step of CHUNKS) expect([step, reaction(one.bytes, step)]).toEqual([step, expected]);
  });
  test('the media and the ports are where the addresses say', () => {
    const uriOf = (name: string): unknown => {
      const one = TORTURE_IPV6.find((known) => known.name.startsWith(name));
      return one === undefined ? null : parseUri(String(one.bytes).split(' ')[1] ?? '');
    };
    expect(uriOf('4.3')).toMatchObject({ host: '2001:db8::10:5070', port: null });
    expect(uriOf('4.4')).toMatchObject({ host: '2001:db8::10', port: 5070 });
    const addressOf = (name: string): unknown => {
      const one = TORTURE_IPV6.find((known) => known.name.startsWith(name));
      const parsed = parseSdp(String(one?.bytes).split('\r\n\r\n')[1] ?? '');
      return parsed.ok ? parsed.sdp.media.map(({ address }) => address) : null;
    };
    expect(addressOf('4.6')).toEqual(['2001:db8::20', '2001:db8::20']);
    expect(addressOf('4.8')).toEqual(['192.0.2.1', '2001:db8::1']);
    expect(addressOf('4.9')).toEqual(['::ffff:192.0.2.2', '::ffff:192.0.2.2']);
  });
});
