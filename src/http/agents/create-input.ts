import type { Language } from '@callwright/language';
import type { Static } from 'typebox';
import type { CreateAgentInput } from '../../domain/agents/create-agent.ts';
import { toAgentCallConfig } from './call-config-schemas.ts';
import type { CreateAgentBody } from './schemas.ts';

/** What POST /public/agent asks for; an import may bring every language of an agent. */
type Creation = Omit<Static<typeof CreateAgentBody>, 'primary_language'> & { primary_language: Language };

export const toCreateInput = (body: Creation): CreateAgentInput => ({
  agentName: body.agent_name,
  introductionAndObjective: body.introduction_and_objective,
  responseGuidelines: body.response_guidelines,
  task: body.task,
  faq: body.faq ?? '',
  sampleConversations: body.sample_conversations ?? '',
  primaryLanguage: body.primary_language,
  secondaryLanguage: body.secondary_language ?? null,
  voiceId: body.voice_id,
  introMessage: body.intro_message,
  agentType: body.agent_type ?? 'outbound',
  customVariables: body.custom_variables ?? [],
  callConfig: toAgentCallConfig(body.call_config ?? {}),
});
