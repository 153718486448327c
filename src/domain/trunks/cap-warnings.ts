import type { Warning } from '../warnings.ts';
import { workspaceLimits } from '../workspaces/limits.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { Db } from '../../store/database.ts';
import { readTerms } from '../../store/tenants/holds.ts';
import type { UsedTrunk } from '../../store/numbers/trunk-use.ts';

/** What a workspace on a carrier should have before a key leaks. Pure. */
export function capWarnings(
  trunks: readonly Pick<UsedTrunk, 'kind'>[],
  terms: { readonly unlimited: boolean; readonly settings: JsonObject } | null,
): Warning[] {
  if (terms === null || !trunks.some(({ kind }) => kind !== 'test')) return [];
  const { creditsPerDay } = workspaceLimits(terms.settings).caps;
  if (creditsPerDay !== null && !terms.unlimited) return [];
  const message = terms.unlimited
    ? 'is without effect while credits are unlimited: whoever has a key can spend without end at the carrier'
    : 'is not set: whoever has a key can spend the whole balance in a day';
  return [{ code: 'NO_DAILY_CAP', field: 'limits.credits_per_day', message }];
}

/** The warnings about a workspace with these trunks. */
export const readCapWarnings = async (
  { db }: { readonly db: Db },
  workspaceId: string,
  trunks: readonly Pick<UsedTrunk, 'kind'>[],
): Promise<Warning[]> => capWarnings(trunks, await readTerms(db, workspaceId));
