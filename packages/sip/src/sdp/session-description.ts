import type { Direction } from '@callwright/rtp';

/** SDP above it is refused unread. */
export const MAX_SDP_LENGTH = 16_384;

/** An SDP body as data (RFC 8866), reduced to the lines an audio call uses. */
export interface SdpOrigin {
  username: string;
  sessionId: string;
  sessionVersion: string;
  address: string;
}

export interface SdpAttribute {
  name: string;
  /** Null for a flag such as `a=sendrecv`. */
  value: string | null;
}

export interface SdpMedia {
  /** `audio`, `video`, … */
  kind: string;
  port: number;
  protocol: string;
  formats: readonly string[];
  /** Address of the line's `c=`, else of the session's; null without both. */
  address: string | null;
  /** The host name there that was not looked up; null: none. */
  hostName: string | null;
  attributes: readonly SdpAttribute[];
}

export interface SessionDescription {
  origin: SdpOrigin | null;
  address: string | null;
  hostName: string | null;
  attributes: readonly SdpAttribute[];
  media: readonly SdpMedia[];
}

/** The value of the first attribute of this name; undefined when absent, null for a flag. */
export const attributeOf = (attributes: readonly SdpAttribute[], name: string): string | null | undefined =>
  attributes.find((attribute) => attribute.name === name)?.value;

export const addressType = (address: string): 'IP4' | 'IP6' => (address.includes(':') ? 'IP6' : 'IP4');

/** Our direction for the peer's `direction` (RFC 3264 section 6.1). */
export const mirrored = (direction: Direction): Direction =>
  direction === 'sendonly' ? 'recvonly' : direction === 'recvonly' ? 'sendonly' : direction;
