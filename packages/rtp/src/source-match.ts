import ipaddr from 'ipaddr.js';

/** Matches an address against addresses and CIDR ranges; an invalid entry matches nothing. */
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
    // Checked for every message of every source: without ranges the address is not even parsed.
    if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
  };
}
