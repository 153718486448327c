/** Parses and writes RTP headers (RFC 3550 section 5.1) without copies or allocations per packet. */
export const RTP_HEADER_BYTES = 12;
/** Largest datagram accepted as RTP: 1500 bytes of Ethernet payload minus IP and UDP headers. */
export const MAX_RTP_BYTES = 1472;

/** Fields of the last parsed packet; one view per leg. */
export interface RtpView {
  payloadType: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  ssrc: number;
  payloadStart: number;
  payloadEnd: number;
}

export const createRtpView = (): RtpView => ({
  payloadType: 0,
  marker: false,
  sequence: 0,
  timestamp: 0,
  ssrc: 0,
  payloadStart: 0,
  payloadEnd: 0,
});

/** RFC 5761 section 4: with rtcp-mux, packet types 192 to 223 in the second byte are RTCP. */
export const looksLikeRtcp = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 &&
  (bytes[0] as number) >> 6 === 2 &&
  (bytes[1] as number) >= 192 &&
  (bytes[1] as number) <= 223;

const read16 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
const read32 = (bytes: Uint8Array, at: number): number => read16(bytes, at) * 65536 + read16(bytes, at + 2);

/** Where the payload of an RTP packet of `length` bytes begins, behind CSRCs and extension; -1: not an RTP packet. */
export function rtpPayloadStart(bytes: Uint8Array, length: number): number {
  if (length < RTP_HEADER_BYTES || length > MAX_RTP_BYTES) return -1;
  const first = bytes[0] as number;
  if (first >> 6 !== 2) return -1;
  let start = RTP_HEADER_BYTES + (first & 0x0f) * 4;
  if (first & 0x10) {
    if (start + 4 > length) return -1;
    start += 4 + read16(bytes, start + 2) * 4;
  }
  return start > length ? -1 : start;
}

/** Parses `bytes` into `view`; false, with `view` undefined, for anything but one complete RTP packet. */
export function parseRtp(bytes: Uint8Array, view: RtpView): boolean {
  const length = bytes.length;
  const start = rtpPayloadStart(bytes, length);
  if (start < 0) return false;
  const first = bytes[0] as number;
  let end = length;
  if (first & 0x20) {
    const padding = bytes[length - 1] as number;
    if (padding === 0) return false;
    end -= padding;
  }
  if (start > end) return false;
  const second = bytes[1] as number;
  view.marker = second >= 128;
  view.payloadType = second & 0x7f;
  view.sequence = read16(bytes, 2);
  view.timestamp = read32(bytes, 4);
  view.ssrc = read32(bytes, 8);
  view.payloadStart = start;
  view.payloadEnd = end;
  return true;
}

/** Writes the 12-byte header without extension or CSRC; the caller writes the payload from byte 12. */
export function writeRtpHeader(
  dst: Uint8Array,
  payloadType: number,
  marker: boolean,
  sequence: number,
  timestamp: number,
  ssrc: number,
): void {
  dst[0] = 0x80;
  dst[1] = payloadType | (marker ? 0x80 : 0);
  dst[2] = sequence >>> 8;
  dst[3] = sequence;
  dst[4] = timestamp >>> 24;
  dst[5] = timestamp >>> 16;
  dst[6] = timestamp >>> 8;
  dst[7] = timestamp;
  dst[8] = ssrc >>> 24;
  dst[9] = ssrc >>> 16;
  dst[10] = ssrc >>> 8;
  dst[11] = ssrc;
}
