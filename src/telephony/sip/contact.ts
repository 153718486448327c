import type { Header } from './message.ts';
import type { LocalPoint, Peer } from './transport.ts';
import { escapeUser, formatHostPort } from './uri.ts';

/** Our Contact URI towards a peer: it names the transport really used. */
export function contactUri(user: string, local: LocalPoint, peer: Peer): string {
  const name = user === '' ? '' : `${escapeUser(user)}@`;
  const transport = peer.transport === 'udp' ? '' : `;transport=${peer.transport}`;
  return `sip:${name}${formatHostPort(local.address, local.port)}${transport}`;
}

export const contact = (user: string, local: LocalPoint, peer: Peer): Header => ({
  name: 'contact',
  value: `<${contactUri(user, local, peer)}>`,
});
