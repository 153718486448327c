import { isUuid } from '../../shared/ids.ts';
import { findAgent } from '../../store/agents/agents.ts';
import type { Db } from '../../store/database.ts';
import type { VersionConfig } from '../../store/json/agent-version.ts';
import { versionForCall } from './version-choice.ts';

/** The agent that a call is handed over to, with the version of the call; null: the workspace has none of this id, or it is archived. */
export async function nextAgent(
  db: Db,
  workspaceId: string,
  agentId: string,
  callId: string,
): Promise<{ id: string; name: string; config: VersionConfig } | null> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) return null;
  const { config } = await versionForCall(db, workspaceId, agent, callId, null);
  return { id: agent.id, name: agent.displayName, config };
}
