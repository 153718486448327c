import { parseMessage } from '@callwright/sip';
import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { hexDump, pcapOf } from './pcap.ts';
import type { TracedCall } from './trace.ts';
import { tracedMessages } from './traced-messages.ts';

interface Read {
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly payload: Buffer;
}

/** Reads a file of libpcap with raw IPv4 and UDP, and checks every length and checksum. */
function readPcap(file: Buffer): Read[] {
  expect(file.readUInt32LE(0)).toBe(0xa1b2c3d4);
  expect([file.readUInt16LE(4), file.readUInt16LE(6), file.readUInt32LE(20)]).toEqual([2, 4, 101]);
  const read: Read[] = [];
  for (let at = 24; at < file.length;) {
    const length = file.readUInt32LE(at + 8);
    expect(file.readUInt32LE(at + 12)).toBe(length);
    const ms = file.readUInt32LE(at) * 1000 + file.readUInt32LE(at + 4) / 1000;
    read.push({ at: ms, ...readPacket(file.subarray(at + 16, at + 16 + length)) });
    at += 16 + length;
  }
  return read;
}

function readPacket(packet: Buffer): Omit<Read, 'at'> {
  expect(packet.readUInt8(0)).toBe(0x45);
  expect(packet.readUInt16BE(2)).toBe(packet.length);
  expect(packet.readUInt8(9)).toBe(17);
  let sum = 0;
  for (let at = 0; at < 20; at += 2) sum += packet.readUInt16BE(at);
  expect(((sum & 0xffff) + (sum >>> 16)) & 0xffff).toBe(0xffff);
  expect(packet.readUInt16BE(24)).toBe(packet.length - 20);
  const address = (at: number): string => [...packet.subarray(at, at + 4)].join('.');
  return { from: address(12), to: address(16), payload: packet.subarray(28) };
}

/** Reads the text that text2pcap reads: a time, then lines of an offset and bytes. */
function readDump(text: string): Omit<Read, 'from' | 'to'>[] {
  return text.split('\n\n').map((block) => {
    const [time = '', ...lines] = block.trimEnd().split('\n');
    const bytes = lines.flatMap((line, n) => {
      const [offset, ...hex] = line.split(/ +/);
      expect(Number.parseInt(offset ?? '', 16)).toBe(n * 16);
      return hex.map((byte) => Number.parseInt(byte, 16));
    });
    return { at: Date.parse(time), payload: readPacket(Buffer.from(bytes)).payload };
  });
}

const START = Date.UTC(2026, 0, 5, 10);
const call = (
  steps: readonly (readonly [number, 'in' | 'out', string, string?])[],
  callId: string | null = 'a84b4c76',
): TracedCall => ({
  attempts: [
    {
      attempt_number: 1,
      sip_call_id: callId,
      sip_messages: steps.map(([ms, direction, message, note = '']) => ({
        at: new Date(START + ms).toISOString(),
        direction,
        message,
        note,
      })),
    },
  ],
  network: null,
});

const CALL = call([
  [0, 'out', 'INVITE'],
  [42, 'in', '100 INVITE', 'Trying'],
  [1200, 'in', '200 INVITE', 'OK'],
  [1203, 'out', 'ACK'],
  [61_000, 'in', 'BYE', 'reason: Q.850;cause=16;text="Normal"'],
  [61_001, 'out', '200 BYE', 'OK'],
]);

it('a call becomes a capture that a parser of SIP reads', () => {
  const packets = readPcap(pcapOf(tracedMessages(CALL)));
  expect(packets.map(({ at }) => at - START)).toEqual([0, 42, 1200, 1203, 61_000, 61_001]);
  expect(packets.map(({ from }) => from)).toEqual([
    '192.0.2.1',
    '198.51.100.1',
    '198.51.100.1',
    '192.0.2.1',
    '198.51.100.1',
    '192.0.2.1',
  ]);
  const read = packets.map(({ payload }) => {
    const parsed = parseMessage(payload);
    if (parsed.kind !== 'message') throw new Error('no SIP message');
    const { message } = parsed;
    expect(message.callId).toBe('a84b4c76');
    const what = message.kind === 'request' ? message.method : String(message.status);
    return `${what} ${message.cseq.sequence} ${message.cseq.method}`;
  });
  expect(read).toEqual([
    'INVITE 1 INVITE',
    '100 1 INVITE',
    '200 1 INVITE',
    'ACK 1 ACK',
    'BYE 1 BYE',
    '200 1 BYE',
  ]);
  expect(packets[4]?.payload.toString()).toContain('Reason: Q.850;cause=16;text="Normal"\r\n');
});

it('the text for text2pcap has the same packets as the file', () => {
  const messages = tracedMessages(CALL);
  const dumped = readDump(hexDump(messages));
  expect(dumped).toEqual(readPcap(pcapOf(messages)).map(({ at, payload }) => ({ at, payload })));
});

it('an attempt without a Call-ID gets one of its number', () => {
  const [invite] = readPcap(pcapOf(tracedMessages(call([[0, 'in', 'INVITE']], null))));
  expect(invite?.payload.toString()).toContain('Call-ID: attempt-1@callwright.invalid\r\n');
});

it('any ladder becomes messages that the parser reads', () => {
  const step = tuple(
    integer({ min: 0, max: 3_600_000 }),
    constantFrom('in' as const, 'out' as const),
    constantFrom(
      'INVITE',
      'ACK',
      'BYE',
      'CANCEL',
      'REFER',
      '100 INVITE',
      '486 INVITE',
      '200 BYE',
      '481 REFER',
    ),
    constantFrom('', 'OK', 'Busy Here; reason: Q.850;cause=17', 'x: y; warning: 399 host "a; b"'),
  );
  assert(
    property(array(step, { maxLength: 20 }), (steps) => {
      const packets = readPcap(pcapOf(tracedMessages(call(steps))));
      expect(packets).toHaveLength(steps.length);
      for (const { payload } of packets) expect(parseMessage(payload).kind).toBe('message');
    }),
  );
});
