import { checkAgentFlow } from '../../domain/agents/flow/check-agent-flow.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { CheckedFlowAnswer, CheckFlowBody, CheckFlowBodyDocumented } from './flow-schemas.ts';
import { AgentParams } from './schemas.ts';

/** POST /agent/{agent_id}/flow/check. */
export function agentFlowRoutes(app: Server, { db }: Pick<ServerDeps, 'db'>): void {
  app.post(
    '/agent/:agent_id/flow/check',
    {
      config: { rateClass: 'read', documentedBody: CheckFlowBodyDocumented },
      schema: {
        operationId: 'checkFlow',
        summary: 'Check a flow of an agent',
        description:
          'Answers what would be refused of a flow and what to know about it, without a change. Each fault names its node and edge.',
        tags: ['Agents'],
        params: AgentParams,
        body: CheckFlowBody,
        response: answers(CheckedFlowAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body }) => {
      const target = { agentId: params.agent_id, versionId: body.version_id ?? null };
      const { flow, faults, warnings } = await checkAgentFlow(db, caller.workspaceId, target, body.flow);
      return {
        valid: flow !== null,
        errors: faults.map(({ code, field, node, edge, message }) => ({ code, field, node, edge, message })),
        warnings: warnings.map(({ code, node, message }) => ({ code, node, message })),
      };
    },
  );
}
