import type { HopCache } from './hop-cache.ts';
import type { Header } from './message.ts';
import { hostNamesOf, withAddresses } from './sdp/host-names.ts';
import { SIP_PORT } from './transport.ts';

/** An offer or answer waits this long for the name service. */
const WAIT_MS = 2_000;
/** Names of one session description; one with more is left as it is. */
const MAX_NAMES = 4;

/** Looks up the host names in the `c=` lines of the peer's SDP, so that whoever negotiates sees addresses alone. */
export class MediaNames {
  readonly #hops: HopCache;
  constructor(hops: HopCache) {
    this.#hops = hops;
  }

  /**
   * Calls `use` with the SDP: at once when it has addresses or its names are known, else within two seconds. A name
   * without an address stays in it, and negotiation refuses it.
   */
  resolve(sdp: string, use: (sdp: string) => void): void {
    const names = hostNamesOf(sdp);
    if (names.length === 0 || names.length > MAX_NAMES) return use(sdp);
    const found = new Map<string, readonly string[]>();
    for (const name of names) {
      // The port keeps the look-up to the addresses of the host: SRV records lead to SIP, not to media.
      this.#hops.peers(
        `sip:${name}:${SIP_PORT}`,
        'udp',
        (peers) => {
          found.set(
            name,
            peers.map(({ address }) => address),
          );
          if (found.size === names.length) use(withAddresses(sdp, (host) => found.get(host) ?? []));
        },
        WAIT_MS,
      );
    }
  }
}

const UNRESOLVED: Header = { name: 'warning', value: '301 callwright "Host name in c= without an address"' };

/** Says in a refusal of the offer that a host name in it has no address (RFC 3261 section 20.43); empty when all have. */
export const nameWarning = (offer: string | null): readonly Header[] =>
  offer !== null && hostNamesOf(offer).length > 0 ? [UNRESOLVED] : [];
