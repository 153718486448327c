import { SrtpReceiver, SrtpSender } from './srtp.ts';
import { SRTP_OVERHEAD_BYTES, type SrtpKeys } from './suites.ts';

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/**
 * SRTP of one leg over its offers and answers. A direction whose key stays keeps its rollover counter and replay window.
 * After a new key of the peer, packets with the old one are accepted until the first with the new one.
 */
export class LegSrtp {
  readonly #keys: SrtpKeys;
  readonly #sender: SrtpSender;
  readonly #receiver: SrtpReceiver;
  #before: SrtpReceiver | null = null;

  constructor(keys: SrtpKeys, last: LegSrtp | null) {
    const { suite, send, receive, receivedMkiBytes } = keys;
    const same = last !== null && last.#keys.suite === suite ? last : null;
    this.#keys = keys;
    this.#sender =
      same !== null && isSame(same.#keys.send, send) ? same.#sender : new SrtpSender(suite, send);
    if (
      same !== null &&
      isSame(same.#keys.receive, receive) &&
      same.#keys.receivedMkiBytes === receivedMkiBytes
    ) {
      this.#receiver = same.#receiver;
      this.#before = same.#before;
      return;
    }
    this.#receiver = new SrtpReceiver(suite, receive, receivedMkiBytes);
    this.#before = last === null ? null : last.#receiver;
  }

  /** Encrypts in place; the buffer has room for `SRTP_OVERHEAD_BYTES` more. Returns the length to send. */
  protectRtp(packet: Buffer, length: number): number {
    return this.#sender.protectRtp(packet, length);
  }

  protectRtcp(report: Buffer): Buffer {
    const packet = Buffer.concat([report, Buffer.alloc(SRTP_OVERHEAD_BYTES)]);
    return packet.subarray(0, this.#sender.protectRtcp(packet, report.length));
  }

  /** The decrypted packet in the memory of `packet`; null for a forged, repeated or malformed one. */
  unprotectRtp(packet: Buffer): Buffer | null {
    const length = this.#receiver.unprotectRtp(packet);
    if (length >= 0) {
      this.#before = null;
      return packet.subarray(0, length);
    }
    const before = this.#before?.unprotectRtp(packet) ?? -1;
    return before < 0 ? null : packet.subarray(0, before);
  }

  unprotectRtcp(packet: Buffer): Buffer | null {
    const length = this.#receiver.unprotectRtcp(packet);
    if (length >= 0) return packet.subarray(0, length);
    const before = this.#before?.unprotectRtcp(packet) ?? -1;
    return before < 0 ? null : packet.subarray(0, before);
  }
}
