/** The Opus packets of an Ogg file, as WhatsApp records voice notes. */
export interface OpusPackets {
  readonly channels: 1 | 2;
  /** Samples at 48 kHz to drop from the beginning. */
  readonly preSkip: number;
  readonly packets: readonly Uint8Array[];
}

const PAGE_HEADER = 27;
/** More packets than a note of two minutes has. */
const MOST_PACKETS = 6_000;
/** RFC 6716: the longest packet. */
const LONGEST_PACKET = 61_440;

const isAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.length >= at + text.length && bytes.toString('latin1', at, at + text.length) === text;

/**
 * Takes the file of one Opus stream apart (RFC 3533, RFC 7845); null: it is none, is damaged, or is far too
 * long. Never throws.
 */
export function readOggOpus(file: Buffer): OpusPackets | null {
  const packets: Uint8Array[] = [];
  let open: Uint8Array[] = [];
  let openBytes = 0;
  let serial: number | null = null;
  for (let at = 0; at < file.length;) {
    if (!isAt(file, at, 'OggS') || file.length < at + PAGE_HEADER) return null;
    const segments = file.readUInt8(at + 26);
    const table = at + PAGE_HEADER;
    if (file.length < table + segments) return null;
    const own = file.readUInt32LE(at + 14);
    serial ??= own;
    // A second stream beside the voice.
    if (own !== serial) return null;
    let body = table + segments;
    for (let segment = 0; segment < segments; segment += 1) {
      const length = file.readUInt8(table + segment);
      if (file.length < body + length) return null;
      open.push(file.subarray(body, body + length));
      openBytes += length;
      body += length;
      if (openBytes > LONGEST_PACKET) return null;
      if (length === 255) continue;
      if (packets.length >= MOST_PACKETS) return null;
      packets.push(Buffer.concat(open, openBytes));
      open = [];
      openBytes = 0;
    }
    at = body;
  }
  const [head, tags, ...audio] = packets as Buffer[];
  if (head === undefined || tags === undefined || !isAt(head, 0, 'OpusHead') || head.length < 19) return null;
  if (!isAt(tags, 0, 'OpusTags')) return null;
  const channels = head.readUInt8(9);
  // Mapping families beyond 0 have more than two channels.
  if ((channels !== 1 && channels !== 2) || head.readUInt8(18) !== 0) return null;
  return { channels, preSkip: head.readUInt16LE(10), packets: audio.filter((packet) => packet.length > 0) };
}
