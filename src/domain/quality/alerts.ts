import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { findAgent } from '../../store/agents/agents.ts';
import type { Db } from '../../store/database.ts';
import {
  listAlerts,
  replaceAlerts,
  type AlertSettings,
  type QualityAlert,
} from '../../store/quality/alerts.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export type { QualityAlert };

/** The rules of a workspace, and whether the alert of each is raised. */
export const readAlerts = ({ db }: { readonly db: Db }, workspaceId: string): Promise<QualityAlert[]> =>
  listAlerts(db, workspaceId);

/** Replaces the rules of a workspace. Throws 422 for two rules of one name, and for an agent of another workspace. */
export async function changeAlerts(
  { db }: { readonly db: Db },
  workspaceId: string,
  change: ChangeEntry | null,
  rules: readonly AlertSettings[],
): Promise<QualityAlert[]> {
  if (new Set(rules.map(({ name }) => name)).size < rules.length)
    throw errors.invalid('alerts', 'must have names that differ');
  return commitChange(db, change, async (tx) => {
    for (const [place, { agentId, measure, detector }] of rules.entries()) {
      if (measure === 'score_below' && detector !== null)
        throw errors.invalid(fieldOf(place, 'detector'), 'must be absent for score_below');
      const isKnown =
        agentId === null || (isUuid(agentId) && (await findAgent(tx, workspaceId, agentId)) !== undefined);
      if (!isKnown) throw errors.invalid(fieldOf(place, 'agent_id'), 'must be an agent of the workspace');
    }
    await replaceAlerts(tx, workspaceId, rules);
    return listAlerts(tx, workspaceId);
  });
}

const fieldOf = (place: number, name: string): string => `alerts[${place}].${name}`;
