import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { header, headerLines, type SipRequest } from './message.ts';
import { MAX_MESSAGE_BYTES, parseMessage } from './parse-message.ts';
import { createFraming, type Frame } from './stream-framing.ts';
import { TORTURE_INVALID } from './torture-invalid.ts';
import { TORTURE_VALID } from './torture-valid.ts';
import { seededRandom } from './virtual-network.ts';
import { writeMessage, writeRefusal } from './write.ts';

const bytesOf = (lines: readonly string[], body = ''): Buffer =>
  Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'utf8');

const INVITE = [
  'INVITE sip:+15550100@192.0.2.1 SIP/2.0',
  'Via: SIP/2.0/UDP 192.0.2.9:5070;branch=z9hG4bKabc;rport',
  'Max-Forwards: 70',
  'From: "Alice" <sip:alice@example.com>;tag=a1',
  'To: <sip:+15550100@example.com>',
  'Call-ID: call-1@example.com',
  'CSeq: 314159 INVITE',
  'Contact: <sip:alice@192.0.2.9:5070>',
  'Content-Type: application/sdp',
];

function requestOf(bytes: Buffer): SipRequest {
  const parsed = parseMessage(bytes);
  if (parsed.kind !== 'message' || parsed.message.kind !== 'request') throw new Error('not a request');
  return parsed.message;
}

describe('parseMessage', () => {
  test('reads an INVITE', () => {
    const request = requestOf(bytesOf([...INVITE, 'Content-Length: 4'], 'v=0\nrest'));
    expect(request).toMatchObject({
      method: 'INVITE',
      uri: 'sip:+15550100@192.0.2.1',
      callId: 'call-1@example.com',
      cseq: { sequence: 314159, method: 'INVITE' },
      from: { displayName: 'Alice', uri: 'sip:alice@example.com' },
    });
    expect(request.body.toString()).toBe('v=0\n');
    expect(header(request, 'content-type')).toBe('application/sdp');
    expect(request.via[0]).toMatchObject({ transport: 'UDP', host: '192.0.2.9', port: 5070 });
  });
  test('compact names and folded lines mean the same as long ones', () => {
    const compact = INVITE.map((line) =>
      line
        .replace(/^Via/, 'v')
        .replace(/^From: /, 'f:\r\n\t')
        .replace(/^To/, 't')
        .replace(/^Call-ID/, 'I')
        .replace(/^Contact/, 'm'),
    );
    expect(writeMessage(requestOf(bytesOf(compact)))).toEqual(writeMessage(requestOf(bytesOf(INVITE))));
  });
  test('what is written parses to the same message', () => {
    const request = requestOf(bytesOf(INVITE));
    expect(requestOf(writeMessage(request))).toEqual(request);
  });
  test('only line ends are a keep-alive', () => {
    expect(parseMessage(Buffer.from('\r\n\r\n'))).toEqual({ kind: 'keepalive' });
    expect(parseMessage(Buffer.alloc(0))).toEqual({ kind: 'keepalive' });
  });
  test.each([
    ['too many bytes', Buffer.alloc(MAX_MESSAGE_BYTES + 1, 'a'), 513],
    ['too many headers', bytesOf([...INVITE, ...Array.from({ length: 300 }, (_, i) => `X-${i}: 1`)]), 400],
    ['a header that is too long', bytesOf([...INVITE, `X: ${'a'.repeat(9000)}`]), 400],
    [
      'too many Vias',
      bytesOf([...INVITE, ...Array.from({ length: 80 }, () => 'Via: SIP/2.0/UDP a;branch=z9hG4bKx')]),
      400,
    ],
    ['no end of the header section', Buffer.from(INVITE.join('\r\n')), 400],
    ['a bare line feed inside a header', bytesOf([...INVITE, 'X: a\nInjected: b']), 400],
    [
      'a CSeq of 2^31',
      bytesOf(INVITE.map((l) => (l.startsWith('CSeq') ? 'CSeq: 2147483648 INVITE' : l))),
      400,
    ],
    [
      'no port but a colon',
      bytesOf(INVITE.map((l) => (l.startsWith('Via') ? 'Via: SIP/2.0/UDP a:;branch=z9hG4bKx' : l))),
      400,
    ],
  ])('refuses %s', (_, bytes, status) => {
    expect(parseMessage(bytes)).toMatchObject({ kind: 'bad', status });
  });
  test('a refusal repeats the fields and adds a To tag, on one line each', () => {
    const parsed = parseMessage(bytesOf([...INVITE, 'Max-Forwards: 999']));
    if (parsed.kind !== 'bad') throw new Error('accepted');
    const text = writeRefusal(parsed, 'tt')?.toString('latin1') ?? '';
    expect(text).toMatch(
      /^SIP\/2\.0 400 Bad Request\r\nVia: SIP\/2\.0\/UDP 192\.0\.2\.9:5070;branch=z9hG4bKabc;rport\r\n/,
    );
    expect(text).toContain('To: <sip:+15550100@example.com>;tag=tt\r\n');
  });
  test('nothing malformed that is an ACK or a response is answered', () => {
    const ack = INVITE.map((l) => l.replace(/^INVITE/, 'ACK').replace('314159 INVITE', '314159 ACK'));
    expect(parseMessage(bytesOf([...ack, 'Content-Length: x']))).toMatchObject({ kind: 'bad', reply: null });
    expect(parseMessage(bytesOf(['SIP/2.0 200 OK', ...INVITE.slice(1), 'Content-Length: x']))).toMatchObject({
      kind: 'bad',
      reply: null,
    });
  });
});

/** One to six seeded edits: bits, cuts, copies, long runs, separators. */
function mutate(seed: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(seed);
  const at = (): number => Math.floor(random() * (bytes.length + 1));
  const edits = 1 + Math.floor(random() * 6);
  for (let i = 0; i < edits; i++) {
    const a = at();
    const b = at();
    const [from, to] = a < b ? [a, b] : [b, a];
    const kind = Math.floor(random() * 6);
    const noise = ['\r\n', '"', '<', '>', ';', ',', ':', '\\', '\0', '%', '\r\n ', ' SIP/2.0'];
    if (kind === 0 && bytes.length > 0) bytes[Math.min(a, bytes.length - 1)] = Math.floor(random() * 256);
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    else if (kind === 2)
      bytes = Buffer.concat([bytes.subarray(0, a), bytes.subarray(from, to), bytes.subarray(a)]);
    else if (kind === 3)
      bytes = Buffer.concat([
        bytes.subarray(0, a),
        Buffer.alloc(Math.floor(random() * 3000), 'a;<"'),
        bytes.subarray(a),
      ]);
    else
      bytes = Buffer.concat([
        bytes.subarray(0, a),
        Buffer.from(noise[Math.floor(random() * noise.length)] ?? ''),
        bytes.subarray(a),
      ]);
  }
  return bytes;
}

describe('hostile bytes', () => {
  const seeds = [...TORTURE_VALID, ...TORTURE_INVALID].map(({ lines, body }) => bytesOf(lines, body));
  test('25 000 seeded mutations of the torture messages: a result each time, and what is accepted can be written', () => {
    const random = seededRandom(4475);
    const unreadable: string[] = [];
    const kinds = { message: 0, bad: 0, keepalive: 0 };
    for (let i = 0; i < 25_000; i++) {
      const bytes = mutate(seeds[i % seeds.length] ?? Buffer.alloc(0), random);
      const parsed = parseMessage(bytes);
      kinds[parsed.kind]++;
      if (parsed.kind === 'bad') writeRefusal(parsed, 'tag');
      if (parsed.kind !== 'message') continue;
      const again = parseMessage(writeMessage(parsed.message));
      if (again.kind === 'bad') unreadable.push(`${i}: ${again.reason}`);
    }
    expect(unreadable).toEqual([]);
    expect(kinds.message).toBeGreaterThan(1_000);
    expect(kinds.bad).toBeGreaterThan(1_000);
  });
  test('arbitrary bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(() => parseMessage(Buffer.from(bytes))).not.toThrow();
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });
  test('no input makes a pattern run away: long runs of separators parse in bounded work', () => {
    for (const run of ['\\"', '"\\', ';a=', ' ', '\t', '<', ',', '%', '(', 'a.']) {
      const lines = INVITE.map((l) => (l.startsWith('From') ? `From: ${run.repeat(4000)}` : l));
      expect(parseMessage(bytesOf(lines)).kind).toBe('bad');
    }
  });
});

describe('stream framing', () => {
  const message = bytesOf([...INVITE, 'Content-Length: 3'], 'abc');
  test('messages come out whole wherever the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 }), (cuts) => {
        const stream = Buffer.concat([message, Buffer.from('\r\n\r\n'), message, message]);
        const framing = createFraming();
        const frames: Frame[] = [];
        let at = 0;
        for (const cut of [...cuts, stream.length]) {
          frames.push(...framing.push(stream.subarray(at, at + cut)));
          at += cut;
        }
        expect(frames.map((frame) => frame.kind)).toEqual(['message', 'ping', 'message', 'message']);
        const bodies = frames.flatMap((frame) =>
          frame.kind === 'message' ? [frame.bytes.equals(message)] : [],
        );
        expect(bodies).toEqual([true, true, true]);
        expect(framing.held()).toBe(0);
      }),
      { seed: 2 },
    );
  });
  test('a stream without Content-Length, or with too much of anything, is at fault', () => {
    expect(createFraming().push(bytesOf(INVITE))).toMatchObject([{ kind: 'fault' }]);
    expect(createFraming().push(bytesOf([...INVITE, 'Content-Length: 99999999']))).toMatchObject([
      { kind: 'fault' },
    ]);
    expect(createFraming().push(Buffer.alloc(MAX_MESSAGE_BYTES + 1, 'a'))).toMatchObject([{ kind: 'fault' }]);
  });
  test('a pong and blank lines are kept to a few bytes', () => {
    const framing = createFraming();
    for (let i = 0; i < 1000; i++) expect(framing.push(Buffer.from('\n'))).toEqual([]);
    expect(framing.held()).toBeLessThanOrEqual(4);
  });
});

test('lines of one header keep their order', () => {
  const request = requestOf(bytesOf([...INVITE, 'Route: <sip:a;lr>', 'Route: <sip:b;lr>']));
  expect(headerLines(request, 'route')).toEqual(['<sip:a;lr>', '<sip:b;lr>']);
});
