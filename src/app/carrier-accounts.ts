import type { CarrierAccounts } from '../domain/trunks/carrier-accounts.ts';
import { SafeFetcher } from '../net/safe-fetch.ts';
import { isCarrierKind } from '../shared/carrier-kinds.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import { listTrunks } from '../store/numbers/trunks.ts';
import { CarrierApi } from '../telephony/carriers/carrier-api.ts';
import type { AccountFault, CarrierTrunk } from '../telephony/carriers/carrier-trunk.ts';
import { DIRECTORIES, type CarrierDirectory, type Send } from '../telephony/carriers/directory/directory.ts';
import { unsealSecret } from './secrets.ts';

/** Lists of numbers are longer than answers to calls. */
const MOST_BYTES = 1_000_000;

interface Account {
  readonly trunk: CarrierTrunk;
  readonly directory: CarrierDirectory;
  readonly send: Send;
}

/** Asks the APIs of carriers about the accounts of trunks, under the address rules. */
export function carrierAccounts(deps: {
  readonly db: Db;
  readonly seal: Seal;
  readonly log: Log;
  readonly allow: readonly string[];
  now(): number;
}): CarrierAccounts & { close(): Promise<void> } {
  const fetcher = new SafeFetcher({ allow: deps.allow, purpose: 'tools' });
  const api = new CarrierApi({
    now: () => deps.now(),
    fetch: (request) => fetcher.fetch({ ...request, maxBytes: MOST_BYTES }),
  });
  const accountOf = async (trunkName: string): Promise<Account | null> => {
    const stored = (await listTrunks(deps.db)).find(({ name }) => name === trunkName);
    if (stored === undefined || !isCarrierKind(stored.kind)) return null;
    const directory = DIRECTORIES[stored.kind];
    if (directory === null) return null;
    const { id, name, kind, uri, username, authUsername, application } = stored;
    const password = unsealSecret(deps.seal, stored, stored.password, deps.log);
    const trunk = { id, name, kind, uri, username, authUsername, application, password, signingKey: null };
    return { trunk, directory, send: (request) => api.send(trunk, request) };
  };
  return {
    async numbers(trunkName) {
      const account = await accountOf(trunkName);
      if (account === null) return null;
      const found = await account.directory.list(account.trunk, account.send);
      return isFault(found) ? { fault: found } : { numbers: found.map(({ number }) => number) };
    },
    async point(trunkName, numbers, url) {
      const account = await accountOf(trunkName);
      if (account?.directory.point === undefined) return null;
      const { trunk, directory, send } = account;
      const found = await directory.list(trunk, send);
      if (isFault(found)) return { fault: found };
      const ours = found.filter(({ number }) => numbers.includes(number));
      const fault = await directory.point?.(trunk, ours, url, send);
      return fault == null ? { numbers: ours.map(({ number }) => number) } : { fault };
    },
    close: () => fetcher.close(),
  };
}

const isFault = (answer: readonly unknown[] | AccountFault): answer is AccountFault => 'field' in answer;
