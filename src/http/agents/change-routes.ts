import { deleteAgent } from '../../domain/termination/delete-agent.ts';
import { restoreAgent } from '../../domain/agents/restore-agent.ts';
import { updateAgentFields } from '../../domain/agents/update-agent.ts';
import { errors } from '../../errors.ts';
import {
  AgentParams,
  DeletedAgent,
  RestoredAgent,
  UPDATABLE_FIELDS,
  UpdateAgentBody,
  UpdatedAgent,
} from './schemas.ts';
import { answers, IfMatchHeader } from '../common/schemas.ts';
import { toWarnings } from './wire.ts';
import { withVoices } from '../voices/with-voices.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type AgentsChangeRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'voices' | 'prompts' | 'operator'>;

/** PATCH /public/agent/{agent_id}, DELETE /agent/{agent_id}, POST /agent/{agent_id}/restore. */
export function agentChangeRoutes(app: Server, deps: AgentsChangeRouteDeps): void {
  const tags = ['Agents'];

  app.patch(
    '/public/agent/:agent_id',
    {
      config: { rateClass: 'write', failure: 'editFailed' },
      schema: {
        operationId: 'updateAgent',
        summary: 'Change prompt fields, language, voice, first message, type and variables',
        description:
          'Each prompt field replaces its own section. Changes the active version; while an A/B test runs, the live version that was changed last.',
        tags,
        params: AgentParams,
        headers: IfMatchHeader,
        body: UpdateAgentBody,
        response: answers(UpdatedAgent, 400, 404, 409, 412, 413, 415, 422),
      },
    },
    async (request) => {
      const body = request.body;
      if ('call_config' in body) {
        throw errors.invalid('call_config', 'is not changed here; use PATCH /agent/v1 with edit_call_config');
      }
      if (!UPDATABLE_FIELDS.some((field) => field in body)) {
        throw errors.invalid('body', `must have at least one of ${UPDATABLE_FIELDS.join(', ')}`);
      }
      const { workspaceId } = request.caller;
      const ids = body.voice_id === undefined ? [] : [body.voice_id];
      const updated = await updateAgentFields(
        await withVoices(deps, workspaceId, ids),
        workspaceId,
        request.changeEntry,
        request.params.agent_id,
        request.headers['if-match'] ?? null,
        {
          ...given('agentName', body.agent_name),
          prompt: {
            ...given('introductionAndObjective', body.introduction_and_objective),
            ...given('responseGuidelines', body.response_guidelines),
            ...given('task', body.task),
            ...given('faq', body.faq),
            ...given('sampleConversations', body.sample_conversations),
          },
          ...given('primaryLanguage', body.primary_language),
          ...given('secondaryLanguage', body.secondary_language),
          ...given('voiceId', body.voice_id),
          ...given('introMessage', body.intro_message),
          ...given('agentType', body.agent_type),
          ...given('customVariables', body.custom_variables),
        },
      );
      return {
        success: true,
        data: {
          id: updated.id,
          version: updated.version,
          version_id: updated.versionId,
          updated_at: updated.updatedAt.toISOString(),
        },
        message: 'Agent updated successfully',
        ...toWarnings(updated.warnings),
      };
    },
  );

  app.delete(
    '/agent/:agent_id',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'deleteAgent',
        summary: 'Archive an agent; its calls remain readable',
        description: 'Cancels its queued calls and detaches its inbound numbers.',
        tags,
        params: AgentParams,
        response: answers(DeletedAgent, 404, 409),
      },
    },
    async (request) => {
      const { agentId, cancelled } = await deleteAgent(
        deps,
        request.caller.workspaceId,
        request.changeEntry,
        request.params.agent_id,
      );
      return { message: 'Agent deleted successfully', agent_id: agentId, cancelled_count: cancelled };
    },
  );

  app.post(
    '/agent/:agent_id/restore',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'restoreAgent',
        summary: 'Take an archived agent back',
        description: 'Its cancelled calls stay cancelled, and its numbers stay detached.',
        tags,
        params: AgentParams,
        response: answers(RestoredAgent, 404, 409),
      },
    },
    async (request) => {
      const agentId = await restoreAgent(
        deps,
        request.caller.workspaceId,
        request.changeEntry,
        request.params.agent_id,
      );
      return { message: 'Agent restored successfully', agent_id: agentId };
    },
  );
}

/** An object with the key, or without it for undefined. */
const given = <const K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
