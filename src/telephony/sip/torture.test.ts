import { describe, expect, test } from 'vitest';
import type { CallTrunk } from './call-trunk.ts';
import { parseMessage } from './parse-message.ts';
import { TORTURE_INVALID } from './torture-invalid.ts';
import { TORTURE_VALID } from './torture-valid.ts';
import { VirtualNetwork } from './virtual-network.ts';

const TORTURE = [...TORTURE_VALID, ...TORTURE_INVALID];

const trunk: CallTrunk = {
  id: 'trunk',
  domain: 'example.net',
  transport: 'udp',
  authenticator: null,
  contactUser: '',
  known: () => null,
  lookUp: async () => [],
};

/** What our user agent does with one datagram. */
function reaction(bytes: Buffer): { statuses: number[]; calls: number } {
  const net = new VirtualNetwork();
  const agent = net.agent('192.0.2.1', () => ({ kind: 'trunk', trunk }));
  const statuses: number[] = [];
  let calls = 0;
  agent.setHandler(() => calls++);
  // Responses are read as text: those to malformed requests repeat malformed fields.
  net.attach('192.0.2.9', (heard) => statuses.push(Number(heard.toString('latin1').split(' ')[1])));
  net.deliver(bytes, '192.0.2.9', '192.0.2.1', 'udp');
  net.scheduler.advance(100);
  return { statuses, calls };
}

describe('RFC 4475', () => {
  test('has all 49 cases', () => {
    expect(TORTURE.length).toBe(49);
  });
  test.each(TORTURE)('$name → $expect', ({ lines, body, expect: expected }) => {
    const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'utf8');
    const { statuses, calls } = reaction(bytes);
    const parsed = parseMessage(bytes);
    expect({ statuses, calls }).toEqual({
      statuses: expected === 'call' ? [100] : typeof expected === 'number' ? [expected] : [],
      calls: expected === 'call' ? 1 : 0,
    });
    // A good response that matches nothing is dropped as well, but it has to be read as a response.
    const kind = parsed.kind === 'message' ? parsed.message.kind : parsed.kind;
    expect(kind === 'response').toBe(expected === 'response');
    expect(parsed.kind === 'bad' && parsed.reply === null).toBe(expected === 'drop');
  });
});
