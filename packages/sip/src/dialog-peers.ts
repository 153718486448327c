import ipaddr from 'ipaddr.js';
import type { CallTrunk } from './call-context.ts';
import type { HopCache } from './hop-cache.ts';
import { literalPeer } from './resolver.ts';
import type { Origin, Peer } from './transport.ts';

/**
 * Calls `use` with the peers for a request of a dialog: the call's own stream where it leads to the next hop, then the
 * next hop. `flow` is the peer or connection of the message that created the dialog.
 */
export function usePeersOf(
  uri: string,
  call: { flow: Peer | Origin; trunk: Pick<CallTrunk, 'transport' | 'host'>; hops: HopCache },
  use: (peers: readonly (Peer | Origin)[]) => void,
): void {
  const { flow, trunk, hops } = call;
  // A sips URI in a call whose signalling began in clear stays on that path.
  if (/^sips:/i.test(uri) && flow.transport !== 'tls') {
    use([flow]);
    return;
  }
  // A call that began over TLS stays on it.
  const isOverTls = flow.transport === 'tls';
  const choice = isOverTls ? 'tls' : trunk.transport === 'tcp' ? 'tcp' : 'auto';
  const literal = literalPeer(uri, choice);
  // The flow goes last where it leads elsewhere: its certificate is checked already.
  const withFlow = (peers: readonly Peer[]): readonly (Peer | Origin)[] =>
    peers.some(({ address }) => address === flow.address) ? [flow, ...peers] : [...peers, flow];
  if (literal === null) {
    hops.peers(uri, choice, (peers) => use(isOverTls ? withFlow(peers) : peers));
    return;
  }
  // A peer or a proxy behind NAT announces its private address: only the flow of the call reaches it.
  if (isUnreachable(literal.address) && !isUnreachable(flow.address)) {
    use([flow]);
    return;
  }
  if (isOverTls) {
    // No certificate names the address of a Contact: that of the trunk's domain must.
    use(withFlow([{ ...literal, domain: trunk.host }]));
    return;
  }
  // A TCP peer may not listen for connections: the existing stream comes first.
  const streams = 'connection' in flow && flow.connection !== null && literal.transport === 'tcp';
  use(streams && literal.address === flow.address ? [flow, literal] : [literal]);
}

const UNREACHABLE = new Set(['private', 'carrierGradeNat', 'linkLocal', 'uniqueLocal', 'loopback']);
const isUnreachable = (address: string): boolean =>
  ipaddr.isValid(address) && UNREACHABLE.has(ipaddr.process(address).range());
