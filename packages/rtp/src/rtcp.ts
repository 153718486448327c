/** RTCP compound packets (RFC 3550 section 6): SR, RR, SDES with CNAME, BYE, and VoIP metrics (RFC 3611). Other types are skipped. */
export interface ReportBlock {
  ssrc: number;
  /** Lost of the last interval, in 256ths. */
  fractionLost: number;
  cumulativeLost: number;
  highestSequence: number;
  jitter: number;
  /** Middle 32 bits of the NTP time of the last SR; 0 without one. */
  lastSenderReport: number;
  /** Delay since that SR in 1/65536 s. */
  delaySinceSenderReport: number;
}

export type RtcpPacket =
  | {
      type: 'sender_report';
      ssrc: number;
      ntpSeconds: number;
      ntpFraction: number;
      rtpTimestamp: number;
      packetCount: number;
      octetCount: number;
      reports: readonly ReportBlock[];
    }
  | { type: 'receiver_report'; ssrc: number; reports: readonly ReportBlock[] }
  | {
      type: 'voip_metrics';
      /** Whose stream it measured. */
      source: number;
      /** Share of the packets that its jitter buffer discarded since the start, in 256ths. */
      discarded: number;
      /** Delay in the device, jitter buffer included, in ms; 0: unknown. */
      endSystemMs: number;
    }
  | { type: 'cname'; ssrc: number; cname: string }
  | { type: 'bye'; ssrcs: readonly number[] };

const SR = 200;
const RR = 201;
const SDES = 202;
const BYE = 203;
const EXTENDED = 207;
const VOIP_METRICS = 7;
const VOIP_METRICS_BYTES = 36;
const SDES_CNAME = 1;
const MAX_RTCP_BYTES = 1472;
const MAX_PACKETS = 32;
const BLOCK_BYTES = 24;
/** Seconds between the NTP epoch (1900) and the Unix epoch. */
const NTP_OFFSET_SECONDS = 2_208_988_800;

/** NTP time of an epoch in ms, as two 32-bit words. */
export function ntpOf(epochMs: number): { seconds: number; fraction: number } {
  const whole = Math.floor(epochMs / 1000);
  return {
    seconds: (whole + NTP_OFFSET_SECONDS) >>> 0,
    fraction: Math.floor(((epochMs - whole * 1000) / 1000) * 0x1_0000_0000) >>> 0,
  };
}

/** The middle 32 bits, as LSR carries them. */
export const middleNtp = (ntp: { seconds: number; fraction: number }): number =>
  (((ntp.seconds & 0xffff) << 16) | (ntp.fraction >>> 16)) >>> 0;

/** Round trip in ms from a report block that answers an SR of ours, or null (RFC 3550 section 6.4.1). */
export function roundTripMs(block: ReportBlock, receivedAt: number): number | null {
  if (block.lastSenderReport === 0) return null;
  const now = middleNtp(ntpOf(receivedAt));
  const units = (now - block.lastSenderReport - block.delaySinceSenderReport) | 0;
  // Clock drift can make it slightly negative; a value of minutes comes from a foreign LSR.
  const ms = (units / 65536) * 1000;
  return ms < -50 || ms > 60_000 ? null : Math.max(0, ms);
}

function readBlocks(view: DataView, at: number, count: number): ReportBlock[] {
  return Array.from({ length: count }, (_, index) => {
    const start = at + index * BLOCK_BYTES;
    return {
      ssrc: view.getUint32(start),
      fractionLost: view.getUint8(start + 4),
      cumulativeLost: (view.getUint32(start + 4) << 8) >> 8,
      highestSequence: view.getUint32(start + 8),
      jitter: view.getUint32(start + 12),
      lastSenderReport: view.getUint32(start + 16),
      delaySinceSenderReport: view.getUint32(start + 20),
    };
  });
}

/** CNAMEs of the chunks; null when an item runs past its packet. */
function readCnames(view: DataView, start: number, end: number, chunks: number): RtcpPacket[] | null {
  const found: RtcpPacket[] = [];
  let at = start;
  for (let chunk = 0; chunk < chunks; chunk++) {
    if (at + 4 > end) return null;
    const ssrc = view.getUint32(at);
    at += 4;
    while (at < end && view.getUint8(at) !== 0) {
      if (at + 2 > end) return null;
      const length = view.getUint8(at + 1);
      if (at + 2 + length > end) return null;
      if (view.getUint8(at) === SDES_CNAME) {
        const bytes = new Uint8Array(view.buffer, view.byteOffset + at + 2, length);
        found.push({ type: 'cname', ssrc, cname: String.fromCharCode(...bytes) });
      }
      at += 2 + length;
    }
    at = start + (Math.floor((at - start) / 4) + 1) * 4;
  }
  return found;
}

/** VoIP metrics blocks of an extended report (RFC 3611 section 4.7); a malformed block ends the list. */
function readExtended(view: DataView, start: number, end: number): RtcpPacket[] {
  const found: RtcpPacket[] = [];
  for (let at = start + 4; at + 4 <= end;) {
    const next = at + (view.getUint16(at + 2) + 1) * 4;
    if (next > end) break;
    if (view.getUint8(at) === VOIP_METRICS && next - at === VOIP_METRICS_BYTES) {
      found.push({
        type: 'voip_metrics',
        source: view.getUint32(at + 4),
        discarded: view.getUint8(at + 9),
        endSystemMs: view.getUint16(at + 18),
      });
    }
    at = next;
  }
  return found;
}

function readBody(view: DataView, type: number, count: number, at: number, end: number): RtcpPacket[] | null {
  const bytes = end - at;
  if (type === SR) {
    if (bytes < 24 + count * BLOCK_BYTES) return null;
    return [
      {
        type: 'sender_report',
        ssrc: view.getUint32(at),
        ntpSeconds: view.getUint32(at + 4),
        ntpFraction: view.getUint32(at + 8),
        rtpTimestamp: view.getUint32(at + 12),
        packetCount: view.getUint32(at + 16),
        octetCount: view.getUint32(at + 20),
        reports: readBlocks(view, at + 24, count),
      },
    ];
  }
  if (type === RR) {
    if (bytes < 4 + count * BLOCK_BYTES) return null;
    return [{ type: 'receiver_report', ssrc: view.getUint32(at), reports: readBlocks(view, at + 4, count) }];
  }
  if (type === SDES) return readCnames(view, at, end, count);
  if (type === EXTENDED) return readExtended(view, at, end);
  if (type === BYE) {
    if (bytes < count * 4) return null;
    return [
      { type: 'bye', ssrcs: Array.from({ length: count }, (_, index) => view.getUint32(at + index * 4)) },
    ];
  }
  return [];
}

/** Parses a compound packet; null when malformed. Accepts reduced-size packets (RFC 5506). */
export function parseRtcp(bytes: Uint8Array): RtcpPacket[] | null {
  if (bytes.length < 4 || bytes.length > MAX_RTCP_BYTES || bytes.length % 4 !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const packets: RtcpPacket[] = [];
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    if (index === MAX_PACKETS || at + 4 > bytes.length) return null;
    const first = view.getUint8(at);
    const next = at + (view.getUint16(at + 2) + 1) * 4;
    if (first >> 6 !== 2 || next > bytes.length) return null;
    let end = next;
    if (first & 0x20) {
      const padding = view.getUint8(next - 1);
      if (next !== bytes.length || padding === 0 || padding % 4 !== 0 || padding > next - at - 4) return null;
      end = next - padding;
    }
    const body = readBody(view, view.getUint8(at + 1), first & 0x1f, at + 4, end);
    if (!body) return null;
    packets.push(...body);
    at = next;
  }
  return packets;
}

export interface SenderInfo {
  ntp: { seconds: number; fraction: number };
  rtpTimestamp: number;
  packetCount: number;
  octetCount: number;
}

export interface CompoundReport {
  ssrc: number;
  cname: string;
  /** Null when nothing was sent since the last report: writes an RR. */
  sender: SenderInfo | null;
  block: ReportBlock | null;
  bye: boolean;
}

/** Serializes a compound packet: SR or RR, SDES CNAME, and BYE at the end of a call. */
export function writeRtcp(report: CompoundReport): Buffer {
  const cname = Buffer.from(report.cname.slice(0, 255), 'latin1');
  const blockBytes = report.block ? BLOCK_BYTES : 0;
  const reportBytes = (report.sender ? 28 : 8) + blockBytes;
  // The chunk ends with at least one zero byte, padded to 32 bits.
  const sdesBytes = 8 + (Math.floor((2 + cname.length) / 4) + 1) * 4;
  const out = Buffer.alloc(reportBytes + sdesBytes + (report.bye ? 8 : 0));
  const head = (at: number, count: number, type: number, bytes: number): void => {
    out[at] = 0x80 | count;
    out[at + 1] = type;
    out.writeUInt16BE(bytes / 4 - 1, at + 2);
    out.writeUInt32BE(report.ssrc, at + 4);
  };
  head(0, report.block ? 1 : 0, report.sender ? SR : RR, reportBytes);
  let at = 8;
  if (report.sender) {
    out.writeUInt32BE(report.sender.ntp.seconds, 8);
    out.writeUInt32BE(report.sender.ntp.fraction, 12);
    out.writeUInt32BE(report.sender.rtpTimestamp, 16);
    out.writeUInt32BE(report.sender.packetCount >>> 0, 20);
    out.writeUInt32BE(report.sender.octetCount >>> 0, 24);
    at = 28;
  }
  if (report.block) {
    const block = report.block;
    out.writeUInt32BE(block.ssrc, at);
    out.writeUInt32BE(((block.fractionLost << 24) | (block.cumulativeLost & 0xffffff)) >>> 0, at + 4);
    out.writeUInt32BE(block.highestSequence, at + 8);
    out.writeUInt32BE(block.jitter, at + 12);
    out.writeUInt32BE(block.lastSenderReport, at + 16);
    out.writeUInt32BE(block.delaySinceSenderReport, at + 20);
  }
  head(reportBytes, 1, SDES, sdesBytes);
  out[reportBytes + 8] = SDES_CNAME;
  out[reportBytes + 9] = cname.length;
  cname.copy(out, reportBytes + 10);
  if (report.bye) head(reportBytes + sdesBytes, 1, BYE, 8);
  return out;
}
