import { errors } from '../../../errors.ts';
import { isUuid } from '../../../shared/ids.ts';
import { findAgent, findVersion } from '../../../store/agents/agents.ts';
import { findDraft, versionHistory, type HistoryRow } from '../../../store/agents/drafts.ts';
import type { Db } from '../../../store/database.ts';
import { activeTag } from './open-draft.ts';
import { differenceOf, type Change } from './difference.ts';
import { shownConfig } from './shown-config.ts';

/** A page of the agent's versions, newest first, also of those that its record no longer lists. Throws 404. */
export async function readHistory(
  db: Db,
  workspaceId: string,
  agentId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{
  activeVersionId: string;
  /** Names the state of the active version. */
  activeTag: string;
  /** Null: the agent has no draft. */
  draftId: string | null;
  versions: readonly HistoryRow[];
  total: number;
}> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  const { versions, total } = await versionHistory(db, workspaceId, agent.id, page);
  const draft = await findDraft(db, workspaceId, agent.id);
  return {
    activeVersionId: agent.activeVersionId,
    activeTag: await activeTag(db, workspaceId, agent),
    draftId: draft?.id ?? null,
    versions,
    total,
  };
}

/** The settings in which two versions of the agent, or its draft, differ. Throws 404. */
export async function compareVersions(
  db: Db,
  workspaceId: string,
  agentId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Change[]> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  if (!isUuid(from) || !isUuid(to)) throw errors.versionNotFound();
  const before = await findVersion(db, workspaceId, agent.id, from);
  const after = await findVersion(db, workspaceId, agent.id, to);
  if (before === undefined || after === undefined) throw errors.versionNotFound();
  return differenceOf(shownConfig(before.config), shownConfig(after.config));
}
