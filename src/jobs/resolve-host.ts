import { lookup, Resolver, type LookupAddress } from 'node:dns';

export type Lookup = (
  host: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** What a name server says that does not answer: asking the system would wait for the same one. */
const SILENT = new Set(['ETIMEOUT', 'ETIMEDOUT', 'ECANCELLED']);

/**
 * Asks the name servers itself, each question on its own socket: the system's resolver has four threads, and a few
 * names whose servers are silent would hold up every other. What the name servers do not know (hosts files, other
 * sources of names) the system is asked for.
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
