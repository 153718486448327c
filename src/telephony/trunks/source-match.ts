import ipaddr from 'ipaddr.js';

/** A test whether an address is one of the given addresses or in one of the CIDR ranges; bad entries match nothing. */
export function createSourceMatch(entries: readonly string[]): (address: string) => boolean {
  const ranges = entries.flatMap((entry) => {
    try {
      const text = entry.includes('/')
        ? entry
        : `${entry}/${ipaddr.process(entry).kind() === 'ipv4' ? 32 : 128}`;
      return [ipaddr.parseCIDR(text)];
    } catch {
      return [];
    }
  });
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
  };
}
