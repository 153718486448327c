import { errors } from '../../../errors.ts';
import { isUuid } from '../../../shared/ids.ts';
import { lockNumber, setInboundAgent } from '../../../store/numbers/numbers.ts';
import { takesInboundCalls } from '../agent-version.ts';
import { operation, type EditContext } from './operation.ts';

interface NumberChoice {
  readonly numberId: string;
}

/** Routes the number's inbound calls to this agent. A number of another agent must be removed from that agent first. */
export const attachInboundNumber = operation<NumberChoice>(async (context, input) => {
  const { tx, workspaceId, agent, at } = context;
  const number = await lockedNumber(context, input.numberId);
  if (number.isTestNumber) throw errors.testNumber();
  if (!takesInboundCalls(agent.agentType)) throw errors.agentNotInbound();
  if (number.inboundAgentId !== null && number.inboundAgentId !== agent.id) {
    throw errors.numberAttachedElsewhere();
  }
  await setInboundAgent(tx, workspaceId, number.id, agent.id, at);
  return {};
});

/** Leaves the number without an agent: the service rejects calls to it. */
export const removeInboundNumber = operation<NumberChoice>(async (context, input) => {
  const { tx, workspaceId, agent, at } = context;
  const number = await lockedNumber(context, input.numberId);
  if (number.inboundAgentId !== agent.id) throw errors.numberNotAttached();
  await setInboundAgent(tx, workspaceId, number.id, null, at);
  return {};
});

async function lockedNumber({ tx, workspaceId }: EditContext, id: string) {
  const number = isUuid(id) ? await lockNumber(tx, workspaceId, id) : undefined;
  if (number === undefined) throw errors.numberNotInWorkspace('number_id');
  return number;
}
