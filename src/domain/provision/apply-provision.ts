import type { Clock } from '../../shared/clock.ts';
import type { Db, Tx } from '../../store/database.ts';
import { setOperators } from '../../store/tenants/users.ts';
import {
  findRootWorkspace,
  findTrunkSecrets,
  lockProvisioning,
  printWorkspace,
  putTrunk,
} from '../../store/tenants/provision.ts';
import { countAllSoon } from '../../store/tenants/storage-use.ts';
import { markDeclaredProviders } from '../../store/tenants/providers.ts';
import { deleteUnknownSecrets } from '../../store/tenants/provisioned-secrets.ts';
import type { MergeDeps } from '../providers/save-providers.ts';
import { applyChildren, printChildren } from './apply-children.ts';
import { applyRest, applyRoot, type NewKey } from './apply-workspace.ts';
import { markDeclared } from '../../store/numbers/number-settings.ts';
import { storeHomeCountries } from '../workspaces/home-countries.ts';
import { srtpWarnings } from '../trunks/srtp-warnings.ts';
import {
  hashedSecret,
  NEW_TRUNK_MS,
  sealedSecret,
  transportOf,
  trunkSettings,
} from '../trunks/trunk-settings.ts';
import { auditProvision } from './provision-entry.ts';
import type { ProvisionPlan } from '../../wire/provision/schema.ts';
import { TEST_TRUNK } from '../trunks/test-trunk.ts';

export type Provisioned =
  | { ok: true; newKeys: NewKey[]; notes: string[] }
  | { ok: false; problems: string[] };

export interface ApplyDeps extends MergeDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export interface ApplyOptions {
  /** Processes are running: calls on a new trunk wait until all of them know it. */
  readonly isRunning: boolean;
}
/** Rolls the transaction back. */
class Refused extends Error {}

/**
 * Applies the plan in one transaction (open-points, Starting the service). Idempotent; names that the plan does not
 * mention are not changed.
 */
export async function applyProvision(
  deps: ApplyDeps,
  plan: ProvisionPlan,
  { isRunning }: ApplyOptions = { isRunning: false },
): Promise<Provisioned> {
  const problems: string[] = [];
  const newKeys: NewKey[] = [];
  const notes: string[] = [];
  try {
    await deps.db.transaction().execute(async (tx) => {
      await lockProvisioning(tx);
      const at = new Date(deps.clock.now());
      await putTestTrunk(tx, at);
      const trunkIds: string[] = [];
      for (const trunk of plan.trunks) {
        const stored = await findTrunkSecrets(tx, trunk.name);
        const sealed = (text: string | undefined, before: string | null): string | null =>
          text === undefined ? null : sealedSecret(deps.seal, text, before);
        const secrets = {
          password: sealed(trunk.password, stored.password),
          signingKey: sealed(trunk.signingKey, stored.signingKey),
          inboundSecret: trunk.inboundSecret === undefined ? null : hashedSecret(trunk.inboundSecret),
        };
        const newFrom = isRunning ? new Date(at.getTime() + NEW_TRUNK_MS) : null;
        trunkIds.push(await putTrunk(tx, trunk.name, trunkSettings(trunk, secrets), at, newFrom));
      }
      const encrypted = plan.trunks.map((trunk) => ({
        name: trunk.name,
        srtp: trunk.srtp ?? 'off',
        transport: transportOf(trunk),
      }));
      notes.push(...srtpWarnings(encrypted).map(({ message }) => `  Carrier     srtp ${message}`));
      const run = { deps, tx, at, problems, newKeys, notes, numberIds: [], providers: new Map() };
      for (const [index, entry] of plan.workspaces.entries()) {
        const path = `workspaces[${index}]`;
        const known = await findRootWorkspace(tx, entry.name);
        const before = known === undefined ? null : await printWorkspace(tx, known.id);
        const children = known === undefined ? new Map() : await printChildren(tx, known.id);
        const id = await applyRoot(run, path, entry);
        if (id === null) continue;
        await applyRest(run, path, { id, parentId: null }, entry);
        await applyChildren(run, path, id, children, entry.children ?? []);
        if (await storeHomeCountries(tx, id, at)) {
          notes.push(
            `  Carrier     ${entry.name} has no limits.credits_per_day: set it, so that a leaked key cannot spend the whole balance`,
          );
        }
        await auditProvision(tx, id, before, at);
      }
      await markDeclared(tx, { trunkIds, numberIds: run.numberIds });
      await markDeclaredProviders(tx, run.providers);
      await deleteUnknownSecrets(tx);
      await setOperators(tx, operatorsOf(plan));
      // A changed quota holds from the next count on.
      await countAllSoon(tx, at);
      if (problems.length > 0) throw new Refused();
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, problems };
  }
  return { ok: true, newKeys, notes };
}

/** The e-mail addresses of the declared operators, in lower case. */
const operatorsOf = ({ workspaces }: ProvisionPlan): string[] =>
  workspaces
    .flatMap((entry) => [entry, ...(entry.children ?? [])])
    .flatMap(({ owner }) => (owner?.operator === true ? [owner.email.toLowerCase()] : []));

/** Upserts the trunk of the built-in test carrier, which every installation has. */
export const putTestTrunk = (tx: Tx, at: Date): Promise<string> =>
  putTrunk(tx, TEST_TRUNK, { kind: 'test' }, at);
