import { createAgent, type CreatedWithWarnings } from '../../domain/agents/create-agent.ts';
import { editAgent } from '../../domain/agents/edit/edit-agent.ts';
import { voiceIdsIn } from '../../domain/agents/flow/known-agent.ts';
import { readAgent, readAgents } from '../../domain/agents/read-agents.ts';
import { defaultWarning } from '../../domain/call-windows/calling-window.ts';
import { toWindow } from '../../wire/calling-window.ts';
import { idempotent } from '../server/idempotent.ts';
import { EDITS } from './edit/edits.ts';
import { EditAgentBody, EditAgentBodyDocumented, EditedAgent } from './edit-schemas.ts';
import {
  AgentList,
  AgentParams,
  AgentRecord,
  CreateAgentBody,
  CreatedAgent,
  GetAgentQuery,
  ListAgentsQuery,
} from './schemas.ts';
import { toAgentDetails, toListedAgent, toWarnings } from './wire.ts';
import { toCreateInput } from './create-input.ts';
import { answers, IdempotencyHeader, IfMatchHeader } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { withVoices } from '../voices/with-voices.ts';

export type AgentsRouteDeps = Pick<
  ServerDeps,
  'db' | 'clock' | 'voices' | 'prompts' | 'link' | 'operator' | 'guard' | 'seal'
>;

/** POST /public/agent, GET /agent/all, GET /agent/{agent_id}, PATCH /agent/v1. */
export function agentRoutes(app: Server, deps: AgentsRouteDeps): void {
  app.post(
    '/public/agent',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'createAgent',
        summary: 'Create a single-prompt agent',
        description:
          'An agent needs its prompt texts, a language, a voice that speaks it and a first message; everything else has a default that PATCH /agent/v1 changes. The answer says when it calls people, and warns of what it cannot follow.',
        tags: ['Agents'],
        headers: IdempotencyHeader,
        body: CreateAgentBody,
        response: answers(CreatedAgent, 400, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const body = request.body;
        const toAnswer = (agent: CreatedWithWarnings) => ({
          success: true,
          data: {
            id: agent.id,
            version: agent.version,
            version_id: agent.versionId,
            created_at: agent.createdAt.toISOString(),
            calling_window: agent.window === null ? null : toWindow(agent.window),
            warnings: agent.window?.source === 'default' ? [defaultWarning()] : [],
          },
          message: 'Agent created successfully',
          ...toWarnings(agent.warnings),
        });
        const created = await createAgent(
          await withVoices(deps, request.caller.workspaceId, [body.voice_id]),
          request.caller.workspaceId,
          request.changeEntry,
          toCreateInput(body),
          (tx, agent) => store(tx, toAnswer(agent)),
        );
        return toAnswer(created);
      }),
  );

  app.get(
    '/agent/all',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listAgents',
        summary: 'List agents, newest first',
        description: 'With the active version of each. Archived agents are left out.',
        tags: ['Agents'],
        querystring: ListAgentsQuery,
        response: answers(AgentList, 422),
      },
    },
    async ({ caller, query }) => {
      const { limit = null, offset = 0 } = query;
      const { agents, total } = await readAgents(deps, caller.workspaceId, { limit, offset });
      return {
        status: 'success',
        data: { agents: agents.map(toListedAgent), total, limit: limit ?? total, offset },
      };
    },
  );

  app.get(
    '/agent/:agent_id',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getAgent',
        summary: 'One agent with its versions',
        description:
          'The header ETag names this state of the agent: send it as If-Match with a change, which then answers 412 if somebody changed the agent meanwhile.',
        tags: ['Agents'],
        params: AgentParams,
        querystring: GetAgentQuery,
        response: answers(AgentRecord, 400, 404, 422),
      },
    },
    async ({ caller, params, query }, reply) => {
      const isInbound = query.type === 'inbound';
      const withNames = await withVoices(deps, caller.workspaceId, []);
      const found = await readAgent(withNames, caller.workspaceId, params.agent_id, isInbound);
      void reply.header('etag', found.tag);
      return { agents: toAgentDetails(found) };
    },
  );

  editRoute(app, deps);
}

/** The voices that `edit_voice` and `edit_flow` name. */
const voiceIdsOf = (input: object): string[] => [
  ...['voiceId', 'secondaryVoiceId'].flatMap((field) => {
    const id: unknown = Reflect.get(input, field);
    return typeof id === 'string' && id !== '' ? [id] : [];
  }),
  ...voiceIdsIn(Reflect.get(input, 'flow')),
];

function editRoute(app: Server, deps: AgentsRouteDeps): void {
  const edits = new Map(EDITS.map((edit) => [edit.wire, edit]));

  app.patch(
    '/agent/v1',
    {
      config: {
        rateClass: 'write',
        failure: 'editFailed',
        documentedBody: EditAgentBodyDocumented,
      },
      schema: {
        operationId: 'editAgent',
        summary: 'Change one setting of an agent',
        tags: ['Agents'],
        description:
          'Changes the named version, else the active one, at once. With If-Match, only if the agent is still as it was read. The version_id of a draft changes the draft, and If-Match is then its tag: 409 with the difference if it has moved.',
        headers: IfMatchHeader,
        body: EditAgentBody,
        response: answers(EditedAgent, 400, 403, 404, 409, 412, 413, 415, 422),
      },
    },
    async (request) => {
      const { operation: wire, agent_id: agentId, version_id: versionId } = request.body;
      const { workspaceId } = request.caller;
      const { operation, read } = edits.get(wire)!;
      const input = read(request.body);
      const {
        agentId: edited,
        createdVersionId,
        warnings,
      } = await editAgent(
        operation === 'editVoice' || operation === 'editFlow'
          ? await withVoices(deps, workspaceId, voiceIdsOf(input))
          : deps,
        workspaceId,
        request.changeEntry,
        { agentId, versionId: versionId ?? null, ifMatch: request.headers['if-match'] ?? null },
        operation,
        input,
      );
      return {
        message: 'Agent updated successfully',
        agent_id: edited,
        ...(createdVersionId === null ? {} : { version_id: createdVersionId }),
        ...toWarnings(warnings),
      };
    },
  );
}
