import { describe, expect, test } from 'vitest';
import type { CallTrunk } from './call-context.ts';
import { parseMessage } from './parse-message.ts';
import { createFraming } from './stream-framing.ts';
import { bytesOf, type StreamReaction, type TortureCase } from '../test/torture-case.ts';
import { TORTURE_INVALID } from '../test/torture-invalid.ts';
import { TORTURE_VALID } from '../test/torture-valid.ts';
import { VirtualNetwork } from '../test/virtual-network.ts';

const TORTURE = [...TORTURE_VALID, ...TORTURE_INVALID];

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

describe('RFC 4475', () => {
  test('has all 49 cases', () => {
    expect(TORTURE.length).toBe(49);
  });
  const overUdp = ({ expect: expected }: TortureCase): StreamReaction => ({
    statuses: expected === 'call' ? [100] : typeof expected === 'number' ? [expected] : [],
    calls: expected === 'call' ? 1 : 0,
  });
  test.each(TORTURE)('$name → $expect', (one) => {
    const bytes = bytesOf(one);
    const { expect: expected } = one;
    const parsed = parseMessage(bytes);
    expect(reaction(bytes)).toEqual(overUdp(one));
    // A valid response without a transaction is dropped too, but it must parse as a response.
    const kind = parsed.kind === 'message' ? parsed.message.kind : parsed.kind;
    expect(kind === 'response').toBe(expected === 'response');
    expect(parsed.kind === 'bad' && parsed.reply === null).toBe(expected === 'drop');
  });
  test.each(TORTURE)('$name, over TCP in chunks of any size', (one) => {
    const expected = one.overTcp ?? overUdp(one);
    for (const step of [1, 7, 100_000])
      expect([step, reaction(bytesOf(one), step)]).toEqual([step, expected]);
  });
});
