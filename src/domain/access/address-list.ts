import ipaddr from 'ipaddr.js';

/** Whether `text` is an IP address or a CIDR range. */
export function isRange(text: string): boolean {
  const [address = '', bits] = text.split('/', 2);
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress && (bits === undefined || ipaddr.isValidCIDR(text));
}

/** Whether the address is one of the list's addresses, or in one of its ranges; an IPv4 address also in its IPv6 form. */
export function isListed(address: string, list: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const from = ipaddr.process(address);
  return list.some((text) => {
    const [range, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : wholeOf(text);
    return range.kind() === from.kind() && from.match([range, bits] as never);
  });
}

function wholeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
