/** One SIP message of a capture. */
export interface CapturedMessage {
  /** Epoch ms. */
  readonly at: number;
  readonly direction: 'in' | 'out';
  readonly text: string;
}

/** Stand-ins (RFC 5737): a trace holds no addresses. */
const OURS = [192, 0, 2, 1] as const;
const THEIRS = [198, 51, 100, 1] as const;
const SIP_PORT = 5060;
const IP_HEADER = 20;
const UDP_HEADER = 8;
/** LINKTYPE_RAW of tcpdump.org/linktypes.html: a packet begins with its IP header. */
const RAW_IP = 101;
const LINE_BYTES = 16;

/** The messages as a file of libpcap, with UDP over IPv4. Pure. */
export function pcapOf(messages: readonly CapturedMessage[]): Buffer {
  const file = Buffer.alloc(24);
  file.writeUInt32LE(0xa1b2c3d4, 0);
  file.writeUInt16LE(2, 4);
  file.writeUInt16LE(4, 6);
  file.writeUInt32LE(65_535, 16);
  file.writeUInt32LE(RAW_IP, 20);
  const packets = messages.flatMap((message, n) => {
    const packet = packetOf(message, n);
    const head = Buffer.alloc(16);
    head.writeUInt32LE(Math.floor(message.at / 1000), 0);
    head.writeUInt32LE(Math.round(message.at % 1000) * 1000, 4);
    head.writeUInt32LE(packet.length, 8);
    head.writeUInt32LE(packet.length, 12);
    return [head, packet];
  });
  return Buffer.concat([file, ...packets]);
}

/** The same packets as text for `text2pcap -l 101 -t ISO`. Pure. */
export const hexDump = (messages: readonly CapturedMessage[]): string =>
  messages
    .map((message, n) => {
      const hex = packetOf(message, n).toString('hex').match(/../g) ?? [];
      const lines = Array.from({ length: Math.ceil(hex.length / LINE_BYTES) }, (_, line) => {
        const from = line * LINE_BYTES;
        return `${from.toString(16).padStart(6, '0')}  ${hex.slice(from, from + LINE_BYTES).join(' ')}`;
      });
      return `${new Date(message.at).toISOString()}\n${lines.join('\n')}\n`;
    })
    .join('\n');

/** An IPv4 packet with one datagram. `id` is its identification. */
function packetOf({ direction, text }: CapturedMessage, id: number): Buffer {
  const payload = Buffer.from(text);
  const [from, to] = direction === 'out' ? [OURS, THEIRS] : [THEIRS, OURS];
  const packet = Buffer.alloc(IP_HEADER + UDP_HEADER + payload.length);
  packet.writeUInt8(0x45, 0);
  packet.writeUInt16BE(packet.length, 2);
  packet.writeUInt16BE(id & 0xffff, 4);
  packet.writeUInt8(64, 8);
  packet.writeUInt8(17, 9);
  packet.set(from, 12);
  packet.set(to, 16);
  packet.writeUInt16BE(headerSum(packet), 10);
  packet.writeUInt16BE(SIP_PORT, IP_HEADER);
  packet.writeUInt16BE(SIP_PORT, IP_HEADER + 2);
  // A checksum of 0 says that there is none (RFC 768).
  packet.writeUInt16BE(UDP_HEADER + payload.length, IP_HEADER + 4);
  packet.set(payload, IP_HEADER + UDP_HEADER);
  return packet;
}

/** The checksum of an IPv4 header (RFC 791). */
function headerSum(packet: Buffer): number {
  let sum = 0;
  for (let at = 0; at < IP_HEADER; at += 2) sum += packet.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
