import { MAX_RTP_BYTES, rtpPayloadStart } from '../packet.ts';
import { CounterMode } from './counter-mode.ts';
import { GaloisMode } from './galois-mode.ts';
import { sessionKeys } from './key-derivation.ts';
import { ENCRYPTED, type PacketCipher, type PacketPosition } from './packet-cipher.ts';
import {
  createReplayWindow,
  estimateRollover,
  isFresh,
  markSeen,
  type ReplayWindow,
} from './replay-window.ts';
import type { SrtpSuite } from './suites.ts';

const MIN_RTP_BYTES = 12;
const MIN_RTCP_BYTES = 8;
/** SSRCs of one peer whose indices are remembered; a call has one, and another after a transfer. */
const MAX_STREAMS = 16;

function cipherOf(suite: SrtpSuite, master: Uint8Array, of: 'rtp' | 'rtcp', mkiBytes: number): PacketCipher {
  const keys = sessionKeys(suite, master, of);
  if (suite === 'AEAD_AES_128_GCM') return new GaloisMode({ keys, tagBytes: 16, mkiBytes });
  // SRTCP has the long tag in both suites (RFC 4568 section 6.2.2).
  const tagBytes = suite === 'AES_CM_128_HMAC_SHA1_32' && of === 'rtp' ? 4 : 10;
  return new CounterMode({ keys, tagBytes, mkiBytes });
}

/** Protects the packets of one SSRC that we send in order (RFC 3711). */
export class SrtpSender {
  readonly #rtp: PacketCipher;
  readonly #rtcp: PacketCipher;
  readonly #position: PacketPosition = { ssrc: 0, rollover: 0, sequence: -1 };
  #rtcpIndex = 0;

  /** `master` is the master key, then the salt. */
  constructor(suite: SrtpSuite, master: Uint8Array) {
    this.#rtp = cipherOf(suite, master, 'rtp', 0);
    this.#rtcp = cipherOf(suite, master, 'rtcp', 0);
  }

  /** Encrypts the first `length` bytes in place; the buffer has room for `SRTP_OVERHEAD_BYTES` more. Returns the new length. */
  protectRtp(packet: Buffer, length: number): number {
    const position = this.#position;
    const sequence = packet.readUInt16BE(2);
    if (sequence < position.sequence) position.rollover = (position.rollover + 1) >>> 0;
    position.sequence = sequence;
    position.ssrc = packet.readUInt32BE(8);
    return this.#rtp.sealRtp(packet, rtpPayloadStart(packet, length), length, position);
  }

  protectRtcp(packet: Buffer, length: number): number {
    const index = this.#rtcpIndex;
    this.#rtcpIndex = (index + 1) % ENCRYPTED;
    return this.#rtcp.sealRtcp(packet, length, packet.readUInt32BE(4), index);
  }
}

/** Authenticates and decrypts the packets of a peer; refuses repeated ones. */
export class SrtpReceiver {
  readonly #rtp: PacketCipher;
  readonly #rtcp: PacketCipher;
  readonly #streams = new Map<number, ReplayWindow>();
  readonly #reports = new Map<number, ReplayWindow>();
  readonly #position: PacketPosition = { ssrc: 0, rollover: 0, sequence: 0 };

  constructor(suite: SrtpSuite, master: Uint8Array, mkiBytes = 0) {
    this.#rtp = cipherOf(suite, master, 'rtp', mkiBytes);
    this.#rtcp = cipherOf(suite, master, 'rtcp', mkiBytes);
  }

  /** Decrypts in place; returns the length of the RTP packet, or -1 for a forged, repeated or malformed one. */
  unprotectRtp(packet: Buffer): number {
    const start = packet.length < MIN_RTP_BYTES ? -1 : rtpPayloadStart(packet, packet.length);
    if (start < 0) return -1;
    const position = this.#position;
    position.sequence = packet.readUInt16BE(2);
    position.ssrc = packet.readUInt32BE(8);
    const window = this.#streams.get(position.ssrc);
    if (window !== undefined)
      return this.#openAt(packet, start, window, estimateRollover(window, position.sequence));
    const fresh = createReplayWindow();
    const length = this.#openAt(packet, start, fresh, 0);
    // The first packets may be lost before we listen, and with them the wrap of a high first sequence number.
    const opened =
      length >= 0 || position.sequence >= 0x8000 ? length : this.#openAt(packet, start, fresh, 1);
    if (opened >= 0) remember(this.#streams, position.ssrc, fresh);
    return opened;
  }

  unprotectRtcp(packet: Buffer): number {
    if (packet.length < MIN_RTCP_BYTES || packet.length > MAX_RTP_BYTES) return -1;
    const word = this.#rtcp.rtcpIndex(packet);
    if (word < 0) return -1;
    const ssrc = packet.readUInt32BE(4);
    const index = word % ENCRYPTED;
    const known = this.#reports.get(ssrc);
    const window = known ?? createReplayWindow();
    if (!isFresh(window, index)) return -1;
    const length = this.#rtcp.openRtcp(packet, ssrc);
    if (length < 0) return -1;
    markSeen(window, index);
    if (known === undefined) remember(this.#reports, ssrc, window);
    return length;
  }

  #openAt(packet: Buffer, start: number, window: ReplayWindow, rollover: number): number {
    const position = this.#position;
    position.rollover = rollover;
    const index = rollover * 0x10000 + position.sequence;
    if (!isFresh(window, index)) return -1;
    const length = this.#rtp.openRtp(packet, start, position);
    if (length >= 0) markSeen(window, index);
    return length;
  }
}

function remember(windows: Map<number, ReplayWindow>, ssrc: number, window: ReplayWindow): void {
  const oldest = windows.size < MAX_STREAMS ? undefined : windows.keys().next().value;
  if (oldest !== undefined) windows.delete(oldest);
  windows.set(ssrc, window);
}
