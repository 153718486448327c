import { newId } from '../../../src/shared/ids.ts';
import type { Erasures } from './erasures.ts';

/** Inserts a call that waits to be dialled; returns its id. */
export async function insertWaitingCall({ api, tenant, agent }: Erasures, number: string): Promise<string> {
  const id = newId();
  const at = new Date(api.clock.now());
  await api.db
    .insertInto('calls')
    .values({
      workspace_id: tenant.workspaceId,
      id,
      agent_id: agent.agentId,
      version_id: agent.versionId,
      number_id: tenant.numberId,
      call_type: 'outbound',
      from_number: tenant.number,
      to_number: number,
      callee_name: 'Waiting',
      status: 'registered',
      sub_status: 'QUEUED',
      next_attempt_at: at,
      created_at: at,
      updated_at: at,
    })
    .execute();
  return id;
}
