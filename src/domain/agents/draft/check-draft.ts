import { errors } from '../../../errors.ts';
import type { AgentRow, VersionRow } from '../../../store/agents/agents.ts';
import type { Tx } from '../../../store/database.ts';
import { draftOf, shownDifference } from './open-draft.ts';

/** Throws 409 for a closed draft, and with the difference for an open one that is not as `ifMatch` names it, unless it is null. */
export async function checkDraft(
  tx: Tx,
  workspaceId: string,
  agent: AgentRow,
  version: VersionRow,
  ifMatch: string | null,
): Promise<void> {
  const open = version.draft === 'open' ? await draftOf(tx, workspaceId, agent) : null;
  if (open === null) throw errors.draftClosed();
  const sent = ifMatch?.trim().replace(/^W\//, '').replaceAll('"', '') ?? '*';
  if (sent !== '*' && sent !== open.tag) throw errors.draftMoved(shownDifference(open));
}
