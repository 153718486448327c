import type { LookupFunction } from 'node:net';
import { blockedDetail, isAllowedHost, mayConnect, type AllowList } from './address-rules.ts';
import { hostLookup, type Lookup } from './resolve-host.ts';

class BlockedError extends Error {
  readonly code = 'BLOCKED';
}

/**
 * Resolves a name for one connection, which then goes to the checked addresses (no second resolution). Fails with the
 * code BLOCKED when one of them is an inner address.
 */
export const checkedLookup =
  (allow: AllowList, resolve: Lookup = hostLookup()): LookupFunction =>
  (host, options, done) => {
    resolve(host, { all: true }, (error, addresses) => {
      if (error !== null) return done(error, '', 4);
      const isAllowed =
        addresses.length > 0 &&
        (isAllowedHost(host, allow) || addresses.every(({ address }) => mayConnect(address, allow)));
      if (!isAllowed) return done(new BlockedError(blockedDetail(allow.purpose)), '', 4);
      const [first] = addresses;
      if (options.all === true) return done(null, addresses);
      return done(null, first?.address ?? '', first?.family ?? 4);
    });
  };
