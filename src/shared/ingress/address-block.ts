import { isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The block of addresses that one customer of a network has: /24 of IPv4, /64 of IPv6. Other text stays as it is. */
export function addressBlock(address: string): string {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  if (isIPv4(plain)) return `${plain.split('.', 3).join('.')}.0/24`;
  const [unscoped = ''] = plain.split('%', 1);
  if (!isIPv6(unscoped)) return address;
  const [before = '', after] = unscoped.split('::', 2);
  const groups = before === '' ? [] : before.split(':');
  if (after !== undefined) {
    const rest = after === '' ? [] : after.split(':');
    // An IPv4 address at the end stands for two groups.
    const count = rest.length + (rest.at(-1)?.includes('.') === true ? 1 : 0);
    while (groups.length + count < 8) groups.push('0');
    groups.push(...rest);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
