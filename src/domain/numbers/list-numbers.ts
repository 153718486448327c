import type { AgentType } from '../../store/json/agent-version.ts';
import type { Db } from '../../store/database.ts';
import type { CallPurpose } from '../../shared/call-purposes.ts';
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
  /** The commercial calls that may come from it; null: not stated. */
  readonly purpose: CallPurpose | null;
}

export async function readNumbers(deps: { db: Db }, workspaceId: string): Promise<WorkspaceNumber[]> {
  const rows = await listNumbers(deps.db, workspaceId);
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    agent:
      row.inboundAgentId === null || row.agentName === null
        ? null
        : { id: row.inboundAgentId, name: row.agentName, type: row.agentType },
    isTestNumber: row.isTestNumber,
    isSpam: row.isSpam,
    provider: row.provider,
    displayName: row.displayName,
    poolId: row.numberPoolId,
    purpose: row.purpose,
  }));
}
