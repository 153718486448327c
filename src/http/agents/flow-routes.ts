import { checkAgentFlow } from '../../domain/agents/flow/check-agent-flow.ts';
import { voiceIdsIn } from '../../domain/agents/flow/known-agent.ts';
import { readFlowCounts } from '../../domain/calls/flow-counts.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import {
  CheckedFlowAnswer,
  CheckFlowBody,
  CheckFlowBodyDocumented,
  FlowCountsAnswer,
  FlowCountsQuery,
} from './flow-schemas.ts';
import { AgentParams } from './schemas.ts';

const DAYS = 30;
type FlowRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'voices' | 'vendorVoices' | 'judgesMeaning'>;

/** POST /agent/{agent_id}/flow/check, GET /agent/{agent_id}/flow/counts. */
export function agentFlowRoutes(
  app: Server,
  { db, clock, voices, vendorVoices, judgesMeaning }: FlowRouteDeps,
): void {
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
      const { workspaceId } = caller;
      const isOffline = voiceIdsIn(body.flow).every((id) => voices.byId(id) !== undefined);
      const known = isOffline ? voices : ((await vendorVoices?.list(workspaceId)) ?? voices);
      const { flow, faults, warnings } = await checkAgentFlow(db, workspaceId, target, body.flow, {
        voices: known,
        judges: judgesMeaning ?? (() => false),
      });
      return {
        valid: flow !== null,
        errors: faults.map(({ code, field, node, edge, message }) => ({ code, field, node, edge, message })),
        warnings: warnings.map(({ code, node, message }) => ({ code, node, message })),
      };
    },
  );

  app.get(
    '/agent/:agent_id/flow/counts',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getFlowCounts',
        summary: 'Count the ways of calls through a flow',
        description:
          'How often the newest calls of a version took each edge of its flow, and where they ended. Without version_id: of the active version.',
        tags: ['Agents'],
        params: AgentParams,
        querystring: FlowCountsQuery,
        response: answers(FlowCountsAnswer, 404, 422),
      },
    },
    async ({ caller, params, query }) => {
      const target = {
        agentId: params.agent_id,
        versionId: query.version_id ?? null,
        days: query.days ?? DAYS,
      };
      const { versionId, calls, edges, ends } = await readFlowCounts(
        { db, clock },
        caller.workspaceId,
        target,
      );
      return { version_id: versionId, calls, edges: [...edges], ends: [...ends] };
    },
  );
}
