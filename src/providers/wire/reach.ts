import { AddressGuard } from '../../net/address-guard.ts';
import { SafeFetcher } from '../../net/safe-fetch.ts';

/** How connections to an address of a workspace are made: under the address rules. */
export interface VendorReach {
  /** For sockets. */
  readonly guard: AddressGuard;
  /** For requests: no redirects, at most 4 MB an answer. Rejects with a TypeError for a refused address. */
  readonly fetch: typeof globalThis.fetch;
  /** The same for an agent's own model, whose public address may be unencrypted. */
  readonly agentFetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

/** `allow`: SAFE_FETCH_ALLOW. `options.lookup` stands in for DNS in tests. */
export function openReach(options: ConstructorParameters<typeof AddressGuard>[0]): VendorReach {
  const guard = new AddressGuard(options);
  const fetcher = new SafeFetcher({ ...options, purpose: 'llm', connectionsPerOrigin: 64 });
  return {
    guard,
    fetch: async (input, init) => {
      const refusal = guard.refusal(input instanceof Request ? input.url : String(input));
      if (refusal !== null) throw new TypeError(`the address ${refusal}`);
      return fetcher.stream(input, init);
    },
    agentFetch: fetcher.stream,
    close: () => fetcher.close(),
  };
}
