import { isIP } from 'node:net';
import { MAX_SDP_LENGTH } from './session-description.ts';

/** A `c=` line with a host name in the place of its address (RFC 8866 section 5.7). */
const CONNECTION = /^(c=[ \t]*IN IP)([46]) ([^\s/]{1,254})[ \t]*$/gm;
/** A `c=` line that has no IPv4 address: nearly no SDP has one. */
const NO_IPV4 = /^c=(?!IN IP4 [\d.]{7,15}$)/m;
const LABEL = /^[a-z0-9_-]{1,63}$/i;
/** A last label that name services read as a part of an address: `127.1`, `0x7f000001`. */
const NUMERIC = /^(?:\d+|0x[0-9a-f]*)$/i;

/** Whether the text names a host: no address, in none of its spellings. */
export function isHostName(text: string): boolean {
  const labels = (text.endsWith('.') ? text.slice(0, -1) : text).split('.');
  return (
    isIP(text) === 0 && labels.every((label) => LABEL.test(label)) && !NUMERIC.test(labels.at(-1) as string)
  );
}

/** The host names in the `c=` lines of a session description, in lower case, each once. */
export function hostNamesOf(sdp: string): readonly string[] {
  if (sdp.length > MAX_SDP_LENGTH || !NO_IPV4.test(sdp)) return [];
  const names = new Set<string>();
  for (const [, , , host = ''] of sdp.matchAll(CONNECTION))
    if (isHostName(host)) names.add(host.toLowerCase());
  return [...names];
}

/** The session description with the first address of its family for each host name; a name without one stays. */
export const withAddresses = (sdp: string, addressesOf: (name: string) => readonly string[]): string =>
  sdp.replaceAll(CONNECTION, (line: string, start: string, family: string, host: string) => {
    if (!isHostName(host)) return line;
    const address = addressesOf(host.toLowerCase()).find((found) => isIP(found) === Number(family));
    return address === undefined ? line : `${start}${family} ${address}`;
  });
