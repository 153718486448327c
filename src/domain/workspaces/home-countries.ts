import { declaredSettings, destinationSettings } from '../../store/json/workspace-settings.ts';
import type { Tx } from '../../store/database.ts';
import { numbersOfFamily } from '../../store/tenants/provision.ts';
import { mergeSettings, readSettings } from '../../store/tenants/settings.ts';
import { countriesOf, isCarrier } from './home-destinations.ts';
import { workspaceLimits } from './limits.ts';

/**
 * Stores the countries that a closed workspace without a parent dials: those of its own numbers on carriers. True: these are
 * its first ones, and it has no `limits.credits_per_day`.
 */
export async function storeHomeCountries(tx: Tx, workspaceId: string, at: Date): Promise<boolean> {
  const settings = await readSettings(tx, workspaceId);
  const { isClosed, homeCountries: before } = declaredSettings(settings);
  if (!isClosed) return false;
  const numbers = await numbersOfFamily(tx, workspaceId);
  const home = countriesOf(numbers.filter(({ trunk }) => isCarrier(trunk)).map(({ number }) => number));
  await mergeSettings(tx, workspaceId, destinationSettings.write({ homeCountries: home }), at);
  const isFirst = home.length > 0 && before.length === 0;
  return isFirst && workspaceLimits(settings).caps.creditsPerDay === null;
}
