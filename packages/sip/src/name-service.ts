import { type NaptrRecord, Resolver, type SrvRecord } from 'node:dns';
import { lookup } from 'node:dns/promises';

/** What a resolver asks for. A name without such records gives an empty list; a name service in trouble rejects. */
export interface NameService {
  naptr(name: string): Promise<readonly NaptrRecord[]>;
  srv(name: string): Promise<readonly SrvRecord[]>;
  /** A and AAAA records and the hosts file of the system, IPv4 first. Empty also when the name service is in trouble. */
  addresses(host: string): Promise<readonly string[]>;
}

/** Two questions of a second each, so that a firewall that drops them delays a look-up by two seconds. */
const PATIENCE = { timeout: 1_000, tries: 2 };
const NO_RECORDS: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/** The name service of the system; `servers` replaces its servers for NAPTR and SRV, as `address:port`. */
export function systemNames(servers?: readonly string[]): NameService {
  let resolver: Resolver | null = null;
  const opened = (): Resolver => {
    if (resolver !== null) return resolver;
    resolver = new Resolver(PATIENCE);
    if (servers !== undefined) resolver.setServers(servers);
    return resolver;
  };
  const ask = <T>(
    run: (done: (error: NodeJS.ErrnoException | null, records: readonly T[]) => void) => void,
  ): Promise<readonly T[]> =>
    new Promise((resolve, reject) => {
      run((error, records) => {
        if (error === null) resolve(records);
        else if (NO_RECORDS.has(error.code ?? '')) resolve([]);
        else reject(error);
      });
    });
  return {
    naptr: (name) => ask((done) => opened().resolveNaptr(name, done)),
    srv: (name) => ask((done) => opened().resolveSrv(name, done)),
    addresses: (host) =>
      lookup(host, { all: true, order: 'ipv4first' }).then(
        (found) => found.map(({ address }) => address),
        () => [],
      ),
  };
}
