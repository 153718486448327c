import type { Authenticator } from './authenticator.ts';
import type { TransportChoice } from './resolver.ts';
import type { Peer } from './transport.ts';

/** What a call needs to know of the trunk it goes out on or came in on. */
export interface CallTrunk {
  readonly id: string;
  /** `host` or `host:port` of the trunk's URI: the domain of Request-URI and From. */
  readonly domain: string;
  readonly transport: TransportChoice;
  readonly authenticator: Authenticator | null;
  /** User part of our Contact: the account when there is one, so that the far side can tell trunks apart. */
  readonly contactUser: string;
  /** The targets if they are known, in order; asks for new ones behind where they are old. */
  known(): readonly Peer[] | null;
  /** The targets after a look-up. */
  lookUp(): Promise<readonly Peer[]>;
}
