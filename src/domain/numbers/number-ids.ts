import { numbersInForm } from '../../store/numbers/numbers.ts';
import type { Db } from '../../store/database.ts';
import { toE164 } from './phone-text.ts';

/** Ids of the workspace's numbers, which a request names by id or in E.164 form. Other text stays, and is refused later. */
export async function numberIdsOf(
  db: Db,
  workspaceId: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const forms = names.map(toE164);
  const wanted = forms.filter((e164) => e164 !== null);
  if (wanted.length === 0) return names;
  const known = await numbersInForm(db, workspaceId, wanted);
  return names.map((name, index) => known.get(forms[index] ?? '') ?? name);
}
