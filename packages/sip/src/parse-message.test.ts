import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { header, headerLines, type SipRequest } from './message.ts';
import { MAX_MESSAGE_BYTES, parseMessage } from './parse-message.ts';
import { createFraming, type Frame } from './stream-framing.ts';
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
  test('compact names and folded lines parse like long ones', () => {
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
  test.each([
    ['AT&T <sip:a@b>;tag=1', 'AT&T'],
    ['Smith, John <sip:a@b>;tag=1', 'Smith, John'],
    ['ACME (UK) <sip:a@b>;tag=1', 'ACME (UK)'],
    ['"x" <sip:a@b>;tag=1;', 'x'],
    ['<sip:a@b>;tag=1 ;', null],
  ])('takes a call whose From is %s, and writes it in the grammar', (from, displayName) => {
    const request = requestOf(
      bytesOf(INVITE.map((line) => (line.startsWith('From') ? `From: ${from}` : line))),
    );
    expect(request.from).toEqual({ displayName, uri: 'sip:a@b', params: new Map([['tag', '1']]) });
    expect(requestOf(writeMessage(request))).toEqual(request);
  });
  test.each(['Contact: Smith, John <sip:a@b>', 'Contact: <sip:a@b>;q=1;'])(
    'refuses %s, because Contact routes requests',
    (line) => {
      const lines = INVITE.map((other) => (other.startsWith('Contact') ? line : other));
      expect(parseMessage(bytesOf(lines))).toMatchObject({ kind: 'bad', status: 400 });
    },
  );
  test('a written message parses to the same message', () => {
    const request = requestOf(bytesOf(INVITE));
    expect(requestOf(writeMessage(request))).toEqual(request);
  });
  test('CRLFs alone are a keepalive', () => {
    expect(parseMessage(Buffer.from('\r\n\r\n'))).toEqual({ kind: 'keepalive' });
    expect(parseMessage(Buffer.alloc(0))).toEqual({ kind: 'keepalive' });
  });
  test.each([
    ['too many bytes', Buffer.alloc(MAX_MESSAGE_BYTES + 1, 'a'), 513],
    ['too many headers', bytesOf([...INVITE, ...Array.from({ length: 300 }, (_, i) => `X-${i}: 1`)]), 400],
    ['a header above the length limit', bytesOf([...INVITE, `X: ${'a'.repeat(9000)}`]), 400],
    [
      'too many Vias',
      bytesOf([...INVITE, ...Array.from({ length: 80 }, () => 'Via: SIP/2.0/UDP a;branch=z9hG4bKx')]),
      400,
    ],
    ['a header section without end', Buffer.from(INVITE.join('\r\n')), 400],
    ['a bare line feed inside a header', bytesOf([...INVITE, 'X: a\nInjected: b']), 400],
    [
      'a CSeq of 2^31',
      bytesOf(INVITE.map((l) => (l.startsWith('CSeq') ? 'CSeq: 2147483648 INVITE' : l))),
      400,
    ],
    [
      'a colon without a port',
      bytesOf(INVITE.map((l) => (l.startsWith('Via') ? 'Via: SIP/2.0/UDP a:;branch=z9hG4bKx' : l))),
      400,
    ],
  ])('refuses %s', (_, bytes, status) => {
    expect(parseMessage(bytes)).toMatchObject({ kind: 'bad', status });
  });
  test('the response to a malformed request copies its fields, one line each, and adds a To tag', () => {
    const parsed = parseMessage(bytesOf([...INVITE, 'Max-Forwards: 999']));
    if (parsed.kind !== 'bad') throw new Error('accepted');
    const text = writeRefusal(parsed, 'tt')?.toString('latin1') ?? '';
    expect(text).toMatch(
      /^SIP\/2\.0 400 Bad Request\r\nVia: SIP\/2\.0\/UDP 192\.0\.2\.9:5070;branch=z9hG4bKabc;rport\r\n/,
    );
    expect(text).toContain('To: <sip:+15550100@example.com>;tag=tt\r\n');
  });
  test('a malformed ACK or response gets no response', () => {
    const ack = INVITE.map((l) => l.replace(/^INVITE/, 'ACK').replace('314159 INVITE', '314159 ACK'));
    expect(parseMessage(bytesOf([...ack, 'Content-Length: x']))).toMatchObject({ kind: 'bad', reply: null });
    const response = INVITE.slice(1).map((l) => (l.startsWith('CSeq') ? 'CSeq: x INVITE' : l));
    expect(parseMessage(bytesOf(['SIP/2.0 200 OK', ...response]))).toMatchObject({
      kind: 'bad',
      reply: null,
    });
  });
  test.each([
    ['a repeated Expires', 'Expires: 1\r\nExpires: 2'],
    ['a malformed Contact', 'Contact: "'],
    ['a malformed header line', 'no colon'],
    ['a bad Content-Length', 'Content-Length: x'],
    ['a bad Max-Forwards', 'Max-Forwards: many'],
  ])('reads a response with %s, which would make a request bad', (_, line) => {
    const response = INVITE.filter((l) => !l.startsWith('Contact') && !l.startsWith('Max-Forwards')).slice(1);
    expect(parseMessage(bytesOf(['SIP/2.0 200 OK', ...response, line], 'v=0'))).toMatchObject({
      kind: 'message',
      message: { status: 200 },
    });
    expect(parseMessage(bytesOf([INVITE[0]!, ...response, line])).kind).toBe('bad');
  });
});

describe('long heads', () => {
  test('folded lines and long runs of blanks parse in linear time', () => {
    const withHead = (head: string): Buffer => Buffer.from(`${INVITE.join('\r\n')}\r\n${head}\r\n\r\n`);
    const heads = (size: number): Buffer[] => [
      withHead(`X: a${' '.repeat(size)}\r\n b`),
      withHead(`X: a${' \t'.repeat(size / 2)}b\r\n c`),
      withHead(`X: a${'\r\n '.repeat(size / 3)}b`),
      withHead(`X: a${`${' '.repeat(250)}\r\n`.repeat(size / 252)} b`),
    ];
    const cost = (size: number): number => {
      const inputs = heads(size);
      let best = Infinity;
      for (let round = 0; round < 5; round++) {
        const start = performance.now();
        for (const bytes of inputs) parseMessage(bytes);
        best = Math.min(best, performance.now() - start);
      }
      return best;
    };
    cost(8_000);
    // Eight times the size: linear work grows eightfold, the quadratic regular expression 64-fold. Below 1 ms is noise.
    expect(cost(64_000)).toBeLessThan(24 * Math.max(cost(8_000), 1));
    for (const bytes of heads(64_000))
      expect(parseMessage(bytes)).toMatchObject({ kind: 'bad', status: 400 });
  });
  test('long runs of separators do not cause catastrophic backtracking', () => {
    for (const run of ['\\"', '"\\', ';a=', ' ', '\t', '<', ',', '%', '(', 'a.']) {
      const lines = INVITE.map((l) => (l.startsWith('From') ? `From: ${run.repeat(4000)}` : l));
      expect(parseMessage(bytesOf(lines)).kind).toBe('bad');
    }
  });
});

describe('stream framing', () => {
  test('answers one double CRLF once, however many line ends precede it, in linear time', () => {
    const run = Buffer.from(`${'\r'.repeat(60_000)}\r\n\r\n`);
    const before = process.threadCpuUsage();
    expect(createFraming().push(run)).toEqual([{ kind: 'ping' }]);
    const framing = createFraming();
    const frames = [...run].flatMap((byte) => framing.push(Buffer.from([byte])));
    expect(frames).toEqual([{ kind: 'ping' }]);
    expect(createFraming().push(Buffer.alloc(65_536, '\r\n'))).toHaveLength(16_384);
    // Quadratic framing took seconds.
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1_000);
  });
  const message = bytesOf([...INVITE, 'Content-Length: 3'], 'abc');
  test('yields complete messages for any segmentation of the stream', () => {
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
  test('faults a stream without Content-Length or above the size limit', () => {
    expect(createFraming().push(bytesOf(INVITE))).toMatchObject([{ kind: 'fault' }]);
    expect(createFraming().push(bytesOf([...INVITE, 'Content-Length: 99999999']))).toMatchObject([
      { kind: 'fault' },
    ]);
    expect(createFraming().push(Buffer.alloc(MAX_MESSAGE_BYTES + 1, 'a'))).toMatchObject([{ kind: 'fault' }]);
  });
  test('buffers at most four bytes of pongs and blank lines', () => {
    const framing = createFraming();
    for (let i = 0; i < 1000; i++) expect(framing.push(Buffer.from('\n'))).toEqual([]);
    expect(framing.held()).toBeLessThanOrEqual(4);
  });
});

test('header lines keep their order', () => {
  const request = requestOf(bytesOf([...INVITE, 'Route: <sip:a;lr>', 'Route: <sip:b;lr>']));
  expect(headerLines(request, 'route')).toEqual(['<sip:a;lr>', '<sip:b;lr>']);
});
