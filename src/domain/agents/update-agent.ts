import type { AgentType, VersionConfig } from '../../store/json/agent-version.ts';
import { checkUnchanged } from './agent-tag.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Language } from '@callwright/language';
import { inboundNumbersOf, lockAgent, updateAgent, updateVersion } from '../../store/agents/agents.ts';
import { campaignsUnderWay } from '../../store/campaigns/campaigns.ts';
import type { Db } from '../../store/database.ts';
import { isChatAgent, makesOutboundCalls, takesInboundCalls } from './agent-version.ts';
import { checkLanguage } from '../providers/check-recognisers.ts';
import { toProviderSettings } from '../providers/provider-settings.ts';
import { findProviders } from '../../store/tenants/providers.ts';
import type { OperatorProviders } from '../../vendors/accounts.ts';
import { withRequiredVariables } from './create-agent.ts';
import type { PromptBook, PromptFields } from './prompt-book.ts';
import { versionToEdit } from './version-choice.ts';
import { scriptWarnings, type ScriptWarning } from './script-warnings.ts';
import { checkVoices, unheardSecondVoice, type VoiceCatalogue } from './voice-catalogue.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** The changes of PATCH /public/agent/{agent_id}; absent keys stay. */
export interface UpdateAgentInput {
  agentName?: string;
  prompt: Partial<PromptFields>;
  primaryLanguage?: Language;
  /** Null removes the secondary language. */
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
  /** What of its script the agent cannot follow. */
  warnings: readonly ScriptWarning[];
}

/**
 * Changes prompt fields, language, voice, first message, type and variables in one transaction (interface, PATCH
 * /public/agent/{agent_id}), in the version that `versionToEdit` chooses. Throws 404, 400, 409 and 422.
 */
export async function updateAgentFields(
  deps: { db: Db; clock: Clock; voices: VoiceCatalogue; prompts: PromptBook; operator: OperatorProviders },
  workspaceId: string,
  change: ChangeEntry | null,
  agentId: string,
  ifMatch: string | null,
  input: UpdateAgentInput,
): Promise<UpdatedAgent> {
  if (!isUuid(agentId)) throw errors.agentNotFound();
  return commitChange(deps.db, change, async (tx) => {
    const agent = await lockAgent(tx, workspaceId, agentId);
    if (agent === undefined) throw errors.agentNotFound();
    await checkUnchanged(tx, workspaceId, agent, ifMatch);
    const version = await versionToEdit(tx, workspaceId, agent, null);
    const type = input.agentType ?? agent.agentType;
    if (isChatAgent(type) !== isChatAgent(agent.agentType)) throw errors.channelIsFixed();
    const stopsInbound = takesInboundCalls(agent.agentType) && !takesInboundCalls(type);
    if (stopsInbound && (await inboundNumbersOf(tx, workspaceId, [agent.id])).size > 0) {
      throw errors.agentHasNumbers();
    }
    if (makesOutboundCalls(agent.agentType) && !makesOutboundCalls(type)) {
      const running = await campaignsUnderWay(tx, workspaceId, { agentId: agent.id });
      if (running.length > 0) throw errors.agentHasCampaigns(running, 'the agent stops making calls');
    }
    const before = version.config;
    const config = changed(deps, before, type, input);
    await checkLanguage(before, config, async () => ({
      operator: deps.operator,
      settings: toProviderSettings(await findProviders(tx, workspaceId)),
    }));
    const at = new Date(deps.clock.now());
    await updateVersion(tx, workspaceId, version.id, config, at);
    await updateAgent(
      tx,
      workspaceId,
      agent.id,
      { type, ...(input.agentName === undefined ? {} : { displayName: input.agentName }) },
      at,
    );
    const warnings = await scriptWarnings(deps, tx, workspaceId, config, type);
    return { id: agent.id, version: version.slug, versionId: version.id, updatedAt: at, warnings };
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
    input.secondaryLanguage === undefined ? config.secondaryLanguage : input.secondaryLanguage;
  const changesVoice = [input.voiceId, input.primaryLanguage, input.secondaryLanguage].some(
    (sent) => sent !== undefined,
  );
  const choice = {
    voiceId: input.voiceId ?? config.voiceId,
    language,
    secondaryLanguage: secondary,
    secondaryVoiceId: config.secondaryVoiceId,
  };
  const { voiceId, secondaryVoiceId } = changesVoice
    ? checkVoices(
        deps.voices,
        isChatAgent(type) ? { ...choice, secondaryVoiceId: unheardSecondVoice(deps.voices, choice) } : choice,
      )
    : { voiceId: config.voiceId, secondaryVoiceId: config.secondaryVoiceId };
  const agent = config.agentConfig;
  const sections = deps.prompts.change(agent.promptSections, input.prompt);
  const isPromptChanged = Object.values(input.prompt).some((field) => field !== undefined);
  return {
    ...config,
    language,
    secondaryLanguage: secondary,
    voiceId: voiceId,
    secondaryVoiceId: secondaryVoiceId,
    agentConfig: {
      ...agent,
      ...(isPromptChanged ? { promptSections: sections, agentPrompt: deps.prompts.join(sections) } : {}),
      introMessage: input.introMessage ?? agent.introMessage,
      customVariables: withRequiredVariables(type, input.customVariables ?? agent.customVariables),
    },
  };
}
