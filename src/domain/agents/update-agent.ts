import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Language } from '../../shared/languages.ts';
import { inboundNumbersOf, lockAgent, updateAgent, updateVersion } from '../../store/agents.ts';
import { campaignsUnderWay } from '../../store/campaigns.ts';
import type { Db } from '../../store/database.ts';
import {
  makesOutboundCalls,
  takesInboundCalls,
  type AgentType,
  type VersionConfig,
} from './agent-version.ts';
import { withRequiredVariables } from './create-agent.ts';
import type { PromptBook, PromptFields } from './prompt-book.ts';
import { versionToEdit } from './version-choice.ts';
import { checkVoices, type VoiceCatalogue } from './voice-catalogue.ts';

/** What PATCH /public/agent/{agent_id} may change; absent keys stay. */
export interface UpdateAgentInput {
  agentName?: string;
  prompt: Partial<PromptFields>;
  primaryLanguage?: Language;
  /** Null removes it. */
  secondaryLanguage?: Language | null;
  voiceId?: string;
  introMessage?: string;
  agentType?: AgentType;
  customVariables?: readonly string[];
}
export interface UpdatedAgent {
  id: string;
  version: string;
  versionId: string;
  updatedAt: Date;
}

/**
 * Changes prompt fields, language, voice, first message, type and variables of an agent in one go (interface,
 * PATCH /public/agent/{agent_id}); edits the version that PATCH /agent/v1 would. Throws 404, 400, 409 and 422.
 */
export async function updateAgentFields(
  deps: { db: Db; clock: Clock; voices: VoiceCatalogue; prompts: PromptBook },
  workspaceId: string,
  agentId: string,
  input: UpdateAgentInput,
): Promise<UpdatedAgent> {
  if (!isUuid(agentId)) throw errors.agentNotFound();
  return deps.db.transaction().execute(async (tx) => {
    const agent = await lockAgent(tx, workspaceId, agentId);
    if (agent === undefined) throw errors.agentNotFound();
    const version = await versionToEdit(tx, workspaceId, agent, null);
    const type = input.agentType ?? agent.agent_type;
    const stopsInbound = takesInboundCalls(agent.agent_type) && !takesInboundCalls(type);
    if (stopsInbound && (await inboundNumbersOf(tx, workspaceId, [agent.id])).size > 0) {
      throw errors.agentHasNumbers();
    }
    if (makesOutboundCalls(agent.agent_type) && !makesOutboundCalls(type)) {
      const running = await campaignsUnderWay(tx, workspaceId, { agent_id: agent.id });
      if (running.length > 0) throw errors.agentHasCampaigns(running, 'the agent stops making calls');
    }
    const config = changed(deps, version.config as unknown as VersionConfig, type, input);
    const at = new Date(deps.clock.now());
    await updateVersion(tx, workspaceId, version.id, config, at);
    await updateAgent(
      tx,
      workspaceId,
      agent.id,
      { type, ...(input.agentName === undefined ? {} : { displayName: input.agentName }) },
      at,
    );
    return { id: agent.id, version: version.slug, versionId: version.id, updatedAt: at };
  });
}

function changed(
  deps: { voices: VoiceCatalogue; prompts: PromptBook },
  config: VersionConfig,
  type: AgentType,
  input: UpdateAgentInput,
): VersionConfig {
  const language = input.primaryLanguage ?? config.language;
  const secondary =
    input.secondaryLanguage === undefined ? config.secondary_language : input.secondaryLanguage;
  const asksVoice = [input.voiceId, input.primaryLanguage, input.secondaryLanguage].some(
    (sent) => sent !== undefined,
  );
  const { voiceId, secondaryVoiceId } = asksVoice
    ? checkVoices(deps.voices, {
        voiceId: input.voiceId ?? config.voice_id,
        language,
        secondaryLanguage: secondary,
        secondaryVoiceId: config.secondary_voice_id,
      })
    : { voiceId: config.voice_id, secondaryVoiceId: config.secondary_voice_id };
  const agent = config.agent_config;
  const sections = deps.prompts.change(agent.prompt_sections, input.prompt);
  const isPromptChanged = Object.values(input.prompt).some((field) => field !== undefined);
  return {
    ...config,
    language,
    secondary_language: secondary,
    voice_id: voiceId,
    secondary_voice_id: secondaryVoiceId,
    agent_config: {
      ...agent,
      ...(isPromptChanged ? { prompt_sections: sections, agent_prompt: deps.prompts.join(sections) } : {}),
      intro_message: input.introMessage ?? agent.intro_message,
      custom_variables: withRequiredVariables(type, input.customVariables ?? agent.custom_variables),
    },
  };
}
