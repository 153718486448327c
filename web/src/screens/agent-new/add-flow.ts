import type { FlowTemplate } from '../../../../src/shared/flow-templates/template.ts';
import { call } from '../../api/client.ts';

/** Gives a new assistant the flow and the test cases of a template. */
export async function addFlow(agentId: string, { flow, cases }: FlowTemplate): Promise<void> {
  await call('editAgent', { operation: 'edit_flow', agent_id: agentId, flow });
  // In order, so that the list has the order of the template.
  for (const testCase of cases) await call('createTestCase', { agent_id: agentId, ...testCase });
}
