import { afterEach, describe, expect, it } from 'vitest';
import { startCapture, type Capture } from '../helpers/sip/capture.ts';
import { MODEL_BESIDE, useMenuAgent } from '../helpers/sip/menu-agent.ts';
import { inboundCalls, newInbound } from '../helpers/sip/phone-service.ts';
import { answering, calling, withEvents } from '../helpers/sip/sipp-calls.ts';
import { useSippTrunk } from '../helpers/sip/sipp-trunk.ts';
import { transcriptOf, whenOver } from '../helpers/service/scenario.ts';

/** Keys that the agent sends, and their events of RFC 4733. */
const SENT = { digits: '12#', events: [1, 2, 11] } as const;
/** RTP ticks of a key of 100 ms. */
const KEY_TICKS = 800;

const trunk = useSippTrunk({ env: MODEL_BESIDE, args: ['-aa'] });
const agentId = useMenuAgent(trunk, SENT.digits, 'Thank you. Goodbye.');

let capture: Capture | null = null;
afterEach(async () => {
  await capture?.close();
  capture = null;
});

interface EventPacket {
  readonly type: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly isFirst: boolean;
  readonly event: number;
  readonly isEnd: boolean;
  readonly duration: number;
  readonly source: string;
}

const NAMES = [
  'rtp.p_type',
  'rtp.seq',
  'rtp.timestamp',
  'rtp.marker',
  'rtpevent.event_id',
  'rtpevent.end_of_event',
  'rtpevent.duration',
  'rtp.ssrc',
];
const isTrue = (text: string | undefined): boolean => text === '1' || text === 'True';

/** What tshark reads as telephone events to the media port of the peer, by the SDP of the call. */
async function eventsTo(wire: Capture, mediaPort: number): Promise<EventPacket[]> {
  const asSip = [trunk.port, trunk.service.sipPort].flatMap((port) => ['-d', `udp.port==${port},sip`]);
  const rows = await wire.fields(`rtpevent && udp.dstport==${mediaPort}`, NAMES, asSip);
  return rows.map(([type, sequence, timestamp, marker, event, end, duration, source = '']) => ({
    type: Number(type),
    sequence: Number(sequence),
    timestamp: Number(timestamp),
    isFirst: isTrue(marker),
    event: Number(event),
    isEnd: isTrue(end),
    duration: Number(duration),
    source,
  }));
}

function expectKeys(packets: readonly EventPacket[], type: number): void {
  const keys = [...Map.groupBy(packets, ({ timestamp }) => timestamp).values()];
  expect(keys.map((key) => key[0]?.event)).toEqual(SENT.events);
  expect(new Set(packets.map((packet) => packet.type))).toEqual(new Set([type]));
  expect(new Set(packets.map(({ source }) => source)).size).toBe(1);
  for (const key of keys) {
    expect(new Set(key.map(({ event }) => event)).size).toBe(1);
    // The marker is on the first packet alone (section 2.5.1.1), and the packets follow each other.
    expect(key.map(({ isFirst }) => isFirst)).toEqual(key.map((_, n) => n === 0));
    const [first] = key;
    expect(key.map(({ sequence }) => sequence)).toEqual(
      key.map((_, n) => ((first?.sequence ?? 0) + n) & 0xffff),
    );
    // The duration grows until the end, which is sent three times (sections 2.5.1.2 and 2.5.1.4).
    const durations = key.map(({ duration }) => duration);
    expect(durations).toEqual(durations.toSorted((a, b) => a - b));
    expect(key.filter(({ isEnd }) => isEnd)).toEqual(key.slice(-3));
    expect(durations.slice(-3)).toEqual([KEY_TICKS, KEY_TICKS, KEY_TICKS]);
  }
  const starts = keys.map((key) => key[0]?.timestamp ?? 0);
  for (const [n, start] of starts.slice(1).entries())
    expect((start - (starts[n] ?? 0)) >>> 0).toBeGreaterThan(KEY_TICKS);
}

// SIPp plays keys through raw sockets, and dumpcap captures loopback, which both need root.
describe.skipIf(process.getuid?.() !== 0)('telephone events', () => {
  const keys = ['1', '4', 'pound'];
  it.each([
    ['outbound', 101, 'sends each as telephone event and INFO', answering.pressesKeysTwice(3_000, keys)],
    ['outbound', 96, 'sends telephone events', answering.pressesKeys(3_000, keys, 96)],
    ['inbound', 101, 'sends telephone events', calling.pressesKeys(3_000, keys, 101)],
    ['inbound', 96, 'sends telephone events', calling.pressesKeys(3_000, keys, 96)],
  ] as const)(
    'of an %s call at %i have its type, durations and ends; SIPp %s, and each key counts once',
    async (direction, type, _, text) => {
      const wire = await startCapture(
        `udp port ${trunk.port} or udp port ${trunk.service.sipPort} or udp portrange 61000-64999`,
      );
      capture = wire;
      const before = await inboundCalls(trunk.service);
      const isCaller = direction === 'inbound';
      const scenario = withEvents(type, text);
      const sipp = await (isCaller ? trunk.callsIn(scenario) : trunk.carrier(scenario));
      const callId = isCaller ? await newInbound(trunk.service, before) : await trunk.dial(agentId());
      const over = await whenOver(trunk.service, callId);
      expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
      expect(transcriptOf(over).filter(({ user }) => user !== undefined)).toMatchObject([
        { user: '14', by: 'keypad' },
      ]);
      await wire.bytes();
      const theirs = sipp.messages().match(new RegExp(`m=audio (\\d+) RTP/AVP 0 ${type}\\s`))?.[1];
      expectKeys(await eventsTo(wire, Number(theirs)), type);
    },
  );
});
