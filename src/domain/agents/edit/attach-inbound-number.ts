import { errors } from '../../../errors.ts';
import { isUuid } from '../../../shared/ids.ts';
import { lockNumber, setInboundAgent } from '../../../store/numbers.ts';
import { takesInboundCalls } from '../agent-version.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface AttachInboundNumber {
  number_id: string;
}

/** Calls to the number go to this agent from now on. A number of another agent has to be removed there first. */
export async function attachInboundNumber(
  { tx, workspaceId, agent, at }: EditContext,
  input: AttachInboundNumber,
): Promise<EditChange> {
  const number = isUuid(input.number_id) ? await lockNumber(tx, workspaceId, input.number_id) : undefined;
  if (number === undefined) throw errors.numberNotInWorkspace('number_id');
  if (number.is_test_number) throw errors.testNumber();
  if (!takesInboundCalls(agent.agent_type)) throw errors.agentNotInbound();
  if (number.inbound_agent_id !== null && number.inbound_agent_id !== agent.id) {
    throw errors.numberAttachedElsewhere();
  }
  await setInboundAgent(tx, workspaceId, number.id, agent.id, at);
  return {};
}
