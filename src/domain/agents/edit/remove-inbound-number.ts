import { errors } from '../../../errors.ts';
import { isUuid } from '../../../shared/ids.ts';
import { lockNumber, setInboundAgent } from '../../../store/numbers.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface RemoveInboundNumber {
  number_id: string;
}

/** Calls to the number reach no agent from now on. */
export async function removeInboundNumber(
  { tx, workspaceId, agent, at }: EditContext,
  input: RemoveInboundNumber,
): Promise<EditChange> {
  const number = isUuid(input.number_id) ? await lockNumber(tx, workspaceId, input.number_id) : undefined;
  if (number === undefined) throw errors.numberNotInWorkspace('number_id');
  if (number.inbound_agent_id !== agent.id) throw errors.numberNotAttached();
  await setInboundAgent(tx, workspaceId, number.id, null, at);
  return {};
}
