import type { FlowTemplate } from '../../../../src/shared/flow-templates/template.ts';
import { call } from '../../api/client.ts';

/** Gives a new assistant the flow of a template, the question that is the result of its calls, and its test cases. */
export async function addFlow(agentId: string, { flow, goal, cases }: FlowTemplate): Promise<void> {
  await call('editAgent', { operation: 'edit_flow', agent_id: agentId, flow });
  if (goal !== undefined)
    await call('editAgent', {
      operation: 'edit_client_analysis',
      agent_id: agentId,
      goal_key: goal.name,
      keys: { [goal.name]: goal.key },
    });
  // In order, so that the list has the order of the template.
  for (const testCase of cases) await call('createTestCase', { agent_id: agentId, ...testCase });
}
