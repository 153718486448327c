import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/rehearsal/sound/exchange.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';

const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0',
  '',
];

let exchange: Exchange;
beforeAll(async () => {
  exchange = await Exchange.start(systemClock, silentLog);
});
afterAll(async () => {
  await exchange?.stop();
});

/** The final answer to the INVITE of another program of this machine. */
async function strangersCall(number: string): Promise<string> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  const body = SDP.join('\r\n');
  const invite = [
    `INVITE sip:${number}@127.0.0.1:${exchange.port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${port}`,
    'Max-Forwards: 70',
    `From: <sip:stranger@127.0.0.1:${port}>;tag=s1`,
    `To: <sip:${number}@127.0.0.1:${exchange.port}>`,
    `Call-ID: stranger-${port}`,
    'CSeq: 1 INVITE',
    `Contact: <sip:stranger@127.0.0.1:${port}>`,
    'Content-Type: application/sdp',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
  socket.send(invite, exchange.port, '127.0.0.1');
  try {
    for (;;) {
      const [bytes] = (await once(socket, 'message')) as [Buffer];
      const [line = ''] = bytes.toString('latin1').split('\r\n');
      if (!line.startsWith('SIP/2.0 1')) return line;
    }
  } finally {
    socket.close();
  }
}

describe('the exchange of a rehearsal by sound', () => {
  it('is on loopback alone', () => {
    expect(exchange.listening.length).toBe(2);
    for (const at of exchange.listening) expect(at).toMatch(/^udp:127\.0\.0\.1:\d+$/);
  });

  it('refuses a call to a number that it did not give', async () => {
    expect(await strangersCall('1000000')).toMatch(/^SIP\/2\.0 404 /);
  });

  it('takes one call to each number', async () => {
    const number = exchange.newNumber();
    const taken: string[] = [];
    exchange.setAgent(number, (leg) => {
      taken.push(leg.to);
      leg.listen({
        onAnswered: () => undefined,
        onFailed: () => undefined,
        onEnded: () => undefined,
        onReoffer: () => null,
        onDtmf: () => undefined,
      });
      leg.reject(486);
    });
    expect(await strangersCall(number)).toMatch(/^SIP\/2\.0 486 /);
    expect(await strangersCall(number)).toMatch(/^SIP\/2\.0 404 /);
    expect(taken).toEqual([number]);
  });

  it('gives numbers that nobody guesses', () => {
    const numbers = Array.from({ length: 100 }, () => exchange.newNumber());
    expect(new Set(numbers).size).toBe(100);
    expect(numbers.every((number) => /^[0-9a-f]{32}$/.test(number))).toBe(true);
  });
});
