import { checkAgentVariables } from '../../domain/agents/check-variables.ts';
import { errors } from '../../errors.ts';
import { AgentParams } from './schemas.ts';
import { TestAgentAnswer, TestAgentBody, TestToolAnswer, TestToolBody } from '../chats/schemas.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { toTestRun } from '../chats/wire.ts';

type AgentsTestRouteDeps = Pick<ServerDeps, 'db' | 'chats'>;

/** POST /agent/{agent_id}/test, POST /agent/{agent_id}/tools/test. */
export function agentTestRoutes(app: Server, deps: AgentsTestRouteDeps): void {
  const tags = ['Agents'];

  app.post(
    '/agent/:agent_id/test',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'testAgent',
        summary: 'Talk to an agent by text',
        description:
          'Runs a version of the agent with its prompt, knowledge, tools and opt-out rules, without a phone call. A test run is in no history and sends no event.',
        tags,
        params: AgentParams,
        body: TestAgentBody,
        response: answers(TestAgentAnswer, 400, 402, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => {
      if (body.message !== undefined && body.messages !== undefined)
        throw errors.invalid('messages', 'cannot be sent beside message');
      const args = body.custom_args_values ?? {};
      const agent = { agentId: params.agent_id, versionId: body.version_id ?? null };
      // A continued run has the values of its beginning.
      const warnings =
        body.session_id === undefined ? await checkAgentVariables(deps.db, caller, agent, args) : [];
      const run = await deps.chats.testAgent(caller.workspaceId, changeEntry, {
        agentId: params.agent_id,
        versionId: body.version_id ?? null,
        sessionId: body.session_id ?? null,
        messages: body.messages ?? (body.message === undefined ? [] : [body.message]),
        args,
        runsTools: body.run_tools ?? false,
        onModelFailure: body.on_model_failure ?? 'error',
      });
      return { ...toTestRun(run), warnings };
    },
  );

  app.post(
    '/agent/:agent_id/tools/test',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'testTool',
        summary: 'Send the request of one tool',
        description: 'Sends the real request with the given arguments and variables, and shows the answer.',
        tags,
        params: AgentParams,
        body: TestToolBody,
        response: answers(TestToolAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body }) => {
      const { ok, result, variables, ms } = await deps.chats.testTool(caller.workspaceId, {
        agentId: params.agent_id,
        versionId: body.version_id ?? null,
        tool: body.tool,
        args: body.arguments ?? {},
        variables: body.custom_args_values ?? {},
      });
      return { ok, result, variables: { ...variables }, ms };
    },
  );
}
