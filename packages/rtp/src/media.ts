import type { AudioCodec } from './codecs.ts';
import type { OpusPreferences } from './opus.ts';
import type { SrtpKeys } from './srtp/suites.ts';

/** Media direction from our point of view (RFC 3264). */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** The result of one SDP offer/answer exchange. */
export interface NegotiatedMedia {
  remoteAddress: string;
  remotePort: number;
  /** Address of the peer's signalling: behind NAT its media usually comes from there, too. */
  signallingAddress?: string | null;
  /** Addresses and CIDR ranges that media may come from; empty or absent: any. */
  mediaRanges?: readonly string[];
  /**
   * How long to send to addresses that have sent nothing themselves; null or absent: without limit. A caller chooses
   * the address in its SDP, and it may be a third party's.
   */
  unprovenMs?: number | null;
  /** Same as `remotePort` with rtcp-mux, else from a=rtcp or `remotePort` + 1. */
  remoteRtcpPort: number;
  rtcpMux: boolean;
  codec: {
    name: AudioCodec['name'];
    payloadType: number;
    clockRate: number;
    /** That of the peer's packets, where its answer numbers the codec otherwise than our offer. */
    receiveType?: number;
    /** What the peer prefers of our Opus; absent: nothing. */
    opus?: OpusPreferences;
  };
  /** Payload type of the telephone events that we send; null: the peer knows none. */
  dtmfPayloadType: number | null;
  /**
   * Payload type of the telephone events that the peer sends, where it differs: an answer may number them otherwise
   * than the offer, and each side then sends the other's number (RFC 3264 section 5.1).
   */
  dtmfReceiveType?: number | null;
  /** Clock rate of the telephone events; absent: 8000. */
  dtmfClockRate?: number;
  /** Keys that we send go by the signalling; absent: as telephone events, or as tones where the peer knows none. */
  keysBySignalling?: boolean;
  /** Packet time of what we send, from the remote a=ptime and a=maxptime (10 to 60, a multiple of 10). */
  ptimeMs: number;
  /** Our direction: `sendonly` means that the remote party sends no audio. */
  direction: Direction;
  /** We have put the peer on hold: `direction` lacks receiving because we want none of its audio. */
  isOnHold?: boolean;
  /** Keys of SRTP; absent: RTP in clear. Never logged. */
  srtp?: SrtpKeys;
}

export const sends = (direction: Direction): boolean => direction === 'sendrecv' || direction === 'sendonly';

export const receives = (direction: Direction): boolean =>
  direction === 'sendrecv' || direction === 'recvonly';

/** True for 0.0.0.0 and ::, the hold of RFC 3264 section 8.4. */
export const isUnspecified = (address: string): boolean => address === '0.0.0.0' || /^[0:]+$/.test(address);
