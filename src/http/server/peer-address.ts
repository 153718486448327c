import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const MAPPED = '::ffff:';
/** An IPv4 address in its own form. */
const plain = (address: string): string =>
  address.startsWith(MAPPED) && isIPv4(address.slice(MAPPED.length)) ? address.slice(MAPPED.length) : address;

/** Whether an address is one of the trusted proxies. */
export function proxyCheck(trusted: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/', 2);
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return (given) => {
    const address = plain(given);
    return isIP(address) !== 0 && proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}

/** Who sent a request: the nearest address that is none of the trusted proxies. For requests that no route has seen yet. */
export function peerAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  const isProxy = proxyCheck(trusted);
  return ({ socket, headers }) => {
    let peer = plain(socket.remoteAddress ?? '');
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    while (isProxy(peer)) {
      const before = plain(forwarded.pop()?.trim() ?? '');
      if (isIP(before) === 0) break;
      peer = before;
    }
    return peer;
  };
}
