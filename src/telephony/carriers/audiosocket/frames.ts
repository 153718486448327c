/** Types of the frames of AudioSocket (docs.asterisk.org, AudioSocket; `res_audiosocket.h`). */
export const FRAME_TYPES = { hangup: 0x00, uuid: 0x01, key: 0x03, audio: 0x10, error: 0xff } as const;

/** The type, and the length of the payload in two bytes, the high one first. */
const HEADER_BYTES = 3;
const UUID_BYTES = 16;
/** Linear audio at 8 kHz of one second; Asterisk sends 20 ms in a frame. */
export const MOST_PAYLOAD_BYTES = 16_000;

export interface Frame {
  readonly type: number;
  readonly payload: Buffer;
}

/** The frame that the bytes are, neither more nor less; null: they are none. */
export function frameIn(bytes: Buffer): Frame | null {
  if (bytes.length < HEADER_BYTES || bytes.length !== HEADER_BYTES + bytes.readUInt16BE(1)) return null;
  return { type: bytes.readUInt8(0), payload: bytes.subarray(HEADER_BYTES) };
}

/** A frame with a payload of at most 65,535 bytes. */
export function frameOf(type: number, payload: Uint8Array = new Uint8Array(0)): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  bytes.writeUInt8(type, 0);
  bytes.writeUInt16BE(payload.length, 1);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

/** The UUID of a payload, in lower case; null: it is none. */
export const uuidIn = (payload: Buffer): string | null =>
  payload.length === UUID_BYTES
    ? payload.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : null;

/** The UUID of the frame with which every connection begins; `waits`: it is not whole yet; null: another frame. */
export function openingUuid(bytes: Buffer): { readonly uuid: string } | 'waits' | null {
  const header = [FRAME_TYPES.uuid, 0, UUID_BYTES];
  if (header.some((byte, i) => i < bytes.length && bytes[i] !== byte)) return null;
  const end = HEADER_BYTES + UUID_BYTES;
  if (bytes.length < end) return 'waits';
  const uuid = uuidIn(bytes.subarray(HEADER_BYTES, end));
  return uuid === null ? null : { uuid };
}

/** Cuts the bytes of a connection into frames, however they arrive. It never holds more than one unfinished frame. */
export class FrameCutter {
  #held: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): void {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
  }

  /** The next whole frame with its header; null: none yet; `too long`: its payload is above the limit. */
  next(): Buffer | 'too long' | null {
    if (this.#held.length < HEADER_BYTES) return null;
    const payload = this.#held.readUInt16BE(1);
    if (payload > MOST_PAYLOAD_BYTES) return 'too long';
    const end = HEADER_BYTES + payload;
    if (this.#held.length < end) return null;
    const frame = this.#held.subarray(0, end);
    this.#held = this.#held.subarray(end);
    return frame;
  }
}
