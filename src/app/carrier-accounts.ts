import type { CarrierAccounts } from '../domain/trunks/carrier-accounts.ts';
import { SafeFetcher } from '../net/safe-fetch.ts';
import { isCarrierKind } from '../shared/carrier-kinds.ts';
import type { StreamAnswer } from '../shared/carrier-status.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import { listTrunks } from '../store/numbers/trunks.ts';
import { CarrierApi } from '../telephony/carriers/carrier-api.ts';
import type { AccountFault, CarrierTrunk } from '../telephony/carriers/carrier-trunk.ts';
import { CONTROLS } from '../telephony/carriers/control/controls.ts';
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
}): CarrierAccounts & {
  /** Takes a call that came in, at carriers where the answer to the webhook does not. Never rejects. */
  answer(answer: StreamAnswer): Promise<void>;
  close(): Promise<void>;
} {
  const fetcher = new SafeFetcher({ allow: deps.allow, purpose: 'tools' });
  const api = new CarrierApi({
    now: () => deps.now(),
    fetch: (request) => fetcher.fetch({ ...request, maxBytes: MOST_BYTES }),
  });
  const trunkOf = async (by: {
    readonly id?: string;
    readonly name?: string;
  }): Promise<CarrierTrunk | null> => {
    const stored = (await listTrunks(deps.db)).find(({ id, name }) => id === by.id || name === by.name);
    if (stored === undefined || !isCarrierKind(stored.kind)) return null;
    const { id, name, kind, uri, username, authUsername, application } = stored;
    const password = unsealSecret(deps.seal, stored, stored.password, deps.log);
    return { id, name, kind, uri, username, authUsername, application, password, signingKey: null };
  };
  const accountOf = async (name: string): Promise<Account | null> => {
    const trunk = await trunkOf({ name });
    const directory = trunk === null ? null : DIRECTORIES[trunk.kind];
    if (trunk === null || directory === null) return null;
    return { trunk, directory, send: (request) => api.send(trunk, request) };
  };
  const take = async ({ trunkId, carrierCallId, streamUrl }: StreamAnswer): Promise<string | null> => {
    const trunk = await trunkOf({ id: trunkId });
    const request = trunk === null ? null : CONTROLS[trunk.kind].answer?.(trunk, carrierCallId, streamUrl);
    if (trunk === null || request == null) return null;
    const answer = await api.send(trunk, request);
    if (!answer.ok) return answer.failure;
    return answer.status < 300 ? null : `status ${answer.status}`;
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
    async answer(answer) {
      const reason = await take(answer).catch((error: unknown) => String(error));
      if (reason === null) return;
      const { trunkId: trunk } = answer;
      deps.log.warn({ trunk, reason }, 'a call that came in could not be taken at its carrier');
    },
    close: () => fetcher.close(),
  };
}

const isFault = (answer: readonly unknown[] | AccountFault): answer is AccountFault => 'field' in answer;
