import { lookup, Resolver, type LookupAddress } from 'node:dns';

export type Lookup = (
  host: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Error codes of an unresponsive name server; the system resolver would wait for the same server. */
const SILENT = new Set(['ETIMEOUT', 'ETIMEDOUT', 'ECANCELLED']);

/**
 * Resolves names with c-ares, one socket per query. `getaddrinfo` runs on libuv's four threads, where a few names with
 * unresponsive servers would block every other lookup (head-of-line blocking). Names that DNS does not know fall back
 * to `getaddrinfo`, which also reads /etc/hosts.
 */
export function hostLookup(servers: readonly string[] | null = null): Lookup {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  if (servers !== null) resolver.setServers(servers);
  return (host, _options, done) => {
    const found: LookupAddress[] = [];
    const errors: NodeJS.ErrnoException[] = [];
    let left = 2;
    const answered =
      (family: 4 | 6) =>
      (error: NodeJS.ErrnoException | null, addresses: string[]): void => {
        left -= 1;
        if (error === null) found.push(...addresses.map((address) => ({ address, family })));
        else errors.push(error);
        if (left > 0) return;
        if (found.length > 0)
          return done(
            null,
            found.toSorted((a, b) => a.family - b.family),
          );
        const silent = errors.find(({ code }) => code !== undefined && SILENT.has(code));
        if (silent !== undefined) return done(silent, []);
        lookup(host, { all: true }, done);
      };
    resolver.resolve4(host, answered(4));
    resolver.resolve6(host, answered(6));
  };
}
