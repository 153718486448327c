import { workspaceZone } from '../../domain/workspaces/zone.ts';
import type { ServerDeps } from '../server/server-deps.ts';

/** The zone of the days that a request names; one without any reads nothing. */
export async function zoneOfDays(
  deps: Pick<ServerDeps, 'db'>,
  workspaceId: string,
  sent: { readonly start_date?: string | undefined; readonly end_date?: string | undefined },
): Promise<string> {
  const hasDays = sent.start_date !== undefined || sent.end_date !== undefined;
  return hasDays ? workspaceZone(deps, workspaceId) : 'UTC';
}
