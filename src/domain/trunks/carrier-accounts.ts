import { isCarrierKind } from '../../shared/carrier-kinds.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { linesOfTrunk, type TrunkLine } from '../../store/numbers/trunk-lines.ts';
import { findLine, lockProvisioning, putNumber } from '../../store/tenants/provision.ts';
import { findWorkspace } from '../../store/tenants/workspaces.ts';
import { storeHomeCountries } from '../workspaces/home-countries.ts';
import type { TrunkFault } from './read-trunks.ts';
import { findTrunkSettings, type StoredTrunkSettings } from './save-trunk.ts';

/** The accounts of trunks at their carriers. `fault`: why the carrier does not; null: its API has no such request. */
export interface CarrierAccounts {
  /** The numbers of the account in E.164 form. */
  numbers(
    trunkName: string,
  ): Promise<{ readonly numbers: readonly string[] } | { readonly fault: TrunkFault } | null>;
  /** Leads the calls of these numbers of the account to `url`; returns those that it found. */
  point(
    trunkName: string,
    numbers: readonly string[],
    url: string,
  ): Promise<{ readonly numbers: readonly string[] } | { readonly fault: TrunkFault } | null>;
}

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: CarrierAccounts;
}

/** A number of a carrier's account. */
export interface CarrierNumber {
  readonly number: string;
  /** The workspace that has it on this trunk; null: none. */
  readonly workspaceId: string | null;
}

/** Throws 404, 409 for a trunk whose carrier cannot be asked, and 422 naming the setting that the carrier refuses. */
export async function readAccountNumbers(deps: Deps, name: string): Promise<CarrierNumber[]> {
  const trunk = await findTrunkSettings(deps.db, name);
  const [found, lines] = await Promise.all([
    deps.accounts.numbers(name).then((answer) => answered(trunk, answer)),
    linesOfTrunk(deps.db, trunk.id),
  ]);
  const owners = new Map(lines.map(({ number, workspaceId }) => [number, workspaceId]));
  return found.map((number) => ({ number, workspaceId: owners.get(number) ?? null }));
}

/** What became of numbers that an operator imports. */
export interface ImportedNumbers {
  readonly trunkId: string;
  readonly imported: readonly string[];
  /** The workspace has them on the trunk already. */
  readonly known: readonly string[];
}

/**
 * Gives numbers of the carrier's account to a workspace. Throws as `readAccountNumbers` does, 422 for a number that the account
 * does not have or another workspace has on the trunk, or for an unknown workspace.
 */
export async function importNumbers(
  deps: Deps,
  name: string,
  { workspaceId, numbers }: { readonly workspaceId: string; readonly numbers: readonly string[] },
): Promise<ImportedNumbers> {
  const trunk = await findTrunkSettings(deps.db, name);
  const account = new Set(answered(trunk, await deps.accounts.numbers(name)));
  const problems = numbers.flatMap((number, i) =>
    account.has(number)
      ? []
      : [{ field: `numbers[${i}]`, message: 'is no number of the account at the carrier' }],
  );
  if (problems.length > 0) throw errors.validationFailed(problems);
  return deps.db.transaction().execute(async (tx) => {
    await lockProvisioning(tx);
    const at = new Date(deps.clock.now());
    const workspace = await findWorkspace(tx, workspaceId);
    if (workspace === undefined) throw errors.invalid('workspace_id', 'is no workspace of the installation');
    const imported: string[] = [];
    const known: string[] = [];
    for (const [i, number] of numbers.entries()) {
      const line = await findLine(tx, number, trunk.id);
      if (line !== undefined && line.workspaceId !== workspaceId)
        throw errors.invalid(`numbers[${i}]`, 'is a number of another workspace on the same trunk');
      if (line !== undefined) {
        known.push(number);
        continue;
      }
      await putNumber(tx, workspaceId, { number, trunkId: trunk.id, provider: name }, at);
      imported.push(number);
    }
    await storeHomeCountries(tx, workspace.parentId ?? workspaceId, at);
    return { trunkId: trunk.id, imported, known };
  });
}

/** Leads the calls of the trunk's numbers to `url` by the carrier's API; returns them. Throws as `readAccountNumbers` does. */
export async function setWebhook(
  deps: Deps,
  name: string,
  urlOf: (trunkId: string) => string,
): Promise<{ readonly trunkId: string; readonly numbers: readonly string[] }> {
  const trunk = await findTrunkSettings(deps.db, name);
  const lines: readonly TrunkLine[] = await linesOfTrunk(deps.db, trunk.id);
  const numbers = [...new Set(lines.map(({ number }) => number))];
  const pointed = await deps.accounts.point(name, numbers, urlOf(trunk.id));
  return { trunkId: trunk.id, numbers: answered(trunk, pointed) };
}

function answered(
  { settings: { kind = 'sip' } }: StoredTrunkSettings,
  answer: { readonly numbers: readonly string[] } | { readonly fault: TrunkFault } | null,
): readonly string[] {
  if (answer === null) throw errors.carrierHasNoRequest(isCarrierKind(kind) ? kind : 'sip');
  if ('fault' in answer) throw errors.validationFailed([answer.fault]);
  return answer.numbers;
}
