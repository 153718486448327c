import type { Db } from '../../store/database.ts';
import { listNumbers } from '../../store/numbers.ts';

/** Every number of the workspace (interface, Workspace number). */
export async function readNumbers(deps: { db: Db }, workspaceId: string) {
  const numbers = await listNumbers(deps.db, workspaceId);
  return numbers.map((number) => ({
    id: number.id,
    number: number.number,
    agent:
      number.inbound_agent_id === null || number.agent_name === null
        ? null
        : {
            id: number.inbound_agent_id,
            agent_display_name: number.agent_name,
            agent_type: number.agent_type,
          },
    is_test_number: number.is_test_number,
    is_spam: number.is_spam,
    provider: number.provider,
    display_name: number.display_name,
    number_pool_id: number.number_pool_id,
  }));
}
