import type { AgentType } from '../../store/json/agent-version.ts';
import type { Db } from '../../store/database.ts';
import { listNumbers } from '../../store/numbers/numbers.ts';

export interface WorkspaceNumber {
  readonly id: string;
  readonly number: string;
  /** The agent that takes its inbound calls. */
  readonly agent: { readonly id: string; readonly name: string; readonly type: AgentType | null } | null;
  readonly isTestNumber: boolean;
  readonly isSpam: boolean;
  readonly provider: string;
  readonly displayName: string;
  readonly poolId: string | null;
}

export async function readNumbers(deps: { db: Db }, workspaceId: string): Promise<WorkspaceNumber[]> {
  const rows = await listNumbers(deps.db, workspaceId);
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    agent:
      row.inbound_agent_id === null || row.agent_name === null
        ? null
        : { id: row.inbound_agent_id, name: row.agent_name, type: row.agent_type },
    isTestNumber: row.is_test_number,
    isSpam: row.is_spam,
    provider: row.provider,
    displayName: row.display_name,
    poolId: row.number_pool_id,
  }));
}
