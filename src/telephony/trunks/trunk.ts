import { type SrtpPolicy, type TransportChoice, formatHostPort, parseUri } from '@callwright/sip';
import type { InboundSecret } from './inbound-secret.ts';
import type { Outgoing } from './outgoing.ts';
import type { Gateway } from './selection.ts';

/** A SIP trunk or PBX account as configured. */
export interface Trunk {
  readonly id: string;
  readonly name: string;
  /** `sip:host[:port]`: the SIP domain, and without gateways the address. */
  readonly uri: string;
  /** The addresses that take its requests; empty or absent: that of `uri`. */
  readonly gateways?: readonly Gateway[];
  readonly username: string | null;
  /** User of digest authentication; null or absent: `username`. */
  readonly authUsername?: string | null;
  readonly password: string | null;
  readonly register: boolean;
  readonly transport: TransportChoice;
  /** Addresses and CIDR ranges of inbound calls, besides the addresses of `uri`. */
  readonly allowedSources: readonly string[];
  /** Addresses and CIDR ranges of its media; empty or absent: any. */
  readonly mediaRanges?: readonly string[];
  /** Absent: off. */
  readonly srtp?: SrtpPolicy;
  /** Names of RTP encodings, in the order of our offers; null or absent: PCMU and PCMA. */
  readonly codecs?: readonly string[] | null;
  /** Null or absent: INVITEs as RFC 3261 has them. */
  readonly outgoing?: Outgoing | null;
  /** Its INVITEs have this header, or get 403; null or absent: they need none. */
  readonly inboundSecret?: InboundSecret | null;
  /** Headers of inbound calls that become variables; absent: none. */
  readonly headerVariables?: readonly string[];
  /** The far side of a call may refer it to another target (REFER); absent: it may not. */
  readonly acceptRefer?: boolean;
  /** The far side joins caller and target of a warm transfer itself (REFER with Replaces); absent: the service bridges them. */
  readonly joinByRefer?: boolean;
}

/** `host` or `host:port` of the trunk's URI; null when the URI is invalid. */
export function trunkDomain(trunk: Trunk): string | null {
  const uri = parseUri(trunk.uri);
  return uri === null || uri.scheme === 'tel' ? null : formatHostPort(uri.host, uri.port);
}

/** The host of the trunk's URI without its port; null when the URI is invalid. */
export function trunkHost(trunk: Trunk): string | null {
  const uri = parseUri(trunk.uri);
  return uri === null || uri.scheme === 'tel' ? null : formatHostPort(uri.host, null);
}
