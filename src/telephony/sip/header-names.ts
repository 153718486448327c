/** Compact forms (RFC 3261 section 7.3.3 and the registry) to long names. */
const COMPACT: ReadonlyMap<string, string> = new Map([
  ['a', 'accept-contact'],
  ['b', 'referred-by'],
  ['c', 'content-type'],
  ['d', 'request-disposition'],
  ['e', 'content-encoding'],
  ['f', 'from'],
  ['i', 'call-id'],
  ['j', 'reject-contact'],
  ['k', 'supported'],
  ['l', 'content-length'],
  ['m', 'contact'],
  ['o', 'event'],
  ['r', 'refer-to'],
  ['s', 'subject'],
  ['t', 'to'],
  ['u', 'allow-events'],
  ['v', 'via'],
  ['x', 'session-expires'],
  ['y', 'identity'],
]);

const WRITTEN: ReadonlyMap<string, string> = new Map([
  ['call-id', 'Call-ID'],
  ['cseq', 'CSeq'],
  ['mime-version', 'MIME-Version'],
  ['www-authenticate', 'WWW-Authenticate'],
]);

/** Header name as stored: long form, lower case. */
export function storedName(name: string): string {
  const lower = name.toLowerCase();
  return lower.length === 1 ? (COMPACT.get(lower) ?? lower) : lower;
}

/** Header name as written on the wire: `Max-Forwards`, `Call-ID`. */
export const writtenName = (stored: string): string =>
  WRITTEN.get(stored) ??
  stored.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
