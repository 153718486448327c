import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { listTrunkSettings, type TrunkSettingsRow } from '../../store/numbers/trunk-settings.ts';
import { findTrunkSecrets, lockProvisioning, putTrunk } from '../../store/tenants/provision.ts';
import type { TrunkBody, TrunkSettings } from '../../wire/provision/schema.ts';
import { TEST_TRUNK } from './test-trunk.ts';
import { trunkProblems } from './trunk-checks.ts';
import { hashedSecret, NEW_TRUNK_MS, sealedSecret, trunkSettings } from './trunk-settings.ts';

/** A trunk with its settings as the body of `saveTrunk` writes them, without its secrets. */
export interface StoredTrunkSettings extends Omit<TrunkSettingsRow, 'settings'> {
  readonly settings: TrunkSettings;
}

/** The trunks of carriers, by name. */
export const readTrunkSettings = async (db: Db): Promise<StoredTrunkSettings[]> =>
  (await listTrunkSettings(db)).map(withoutNulls);

/** Throws 404. */
export async function findTrunkSettings(db: Db, name: string): Promise<StoredTrunkSettings> {
  const [row] = await listTrunkSettings(db, name);
  if (row === undefined) throw errors.trunkNotFound();
  return withoutNulls(row);
}

/** A setting without a value is left out, so that the settings can be sent back. */
const withoutNulls = (row: TrunkSettingsRow): StoredTrunkSettings => ({
  ...row,
  settings: Object.fromEntries(
    Object.entries(row.settings).filter(([, value]) => value !== null),
  ) as TrunkSettings,
});

interface SaveTrunkDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: Seal;
}

/**
 * Creates a trunk or replaces its settings; every process follows within five seconds. Without a secret the stored one
 * stays, an empty one removes it. Throws 422 naming the field.
 */
export async function saveTrunk(
  { db, clock, seal }: SaveTrunkDeps,
  name: string,
  body: TrunkBody,
): Promise<StoredTrunkSettings> {
  if (name === TEST_TRUNK) throw errors.invalid('trunk_name', 'test is the built-in test carrier');
  const problems = trunkProblems('', body).map((problem) => {
    const end = problem.indexOf(' ');
    return { field: problem.slice(1, end), message: problem.slice(end + 1) };
  });
  if (problems.length > 0) throw errors.validationFailed(problems);
  return db.transaction().execute(async (tx) => {
    await lockProvisioning(tx);
    const at = new Date(clock.now());
    const stored = await findTrunkSecrets(tx, name);
    const next = (text: string | undefined, before: string | null): string | null =>
      text === undefined ? before : text === '' ? null : sealedSecret(seal, text, before);
    const secrets = {
      password: next(body.password, stored.password),
      signingKey: next(body.signingKey, stored.signingKey),
      inboundSecret:
        body.inboundSecret === undefined ? stored.inboundSecret : hashedSecret(body.inboundSecret),
    };
    await putTrunk(tx, name, trunkSettings(body, secrets), at, new Date(at.getTime() + NEW_TRUNK_MS));
    return findTrunkSettings(tx, name);
  });
}
