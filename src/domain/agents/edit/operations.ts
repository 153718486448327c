import type { PromptSection, VadSettings } from '../../../store/json/agent-version.ts';
import { errors } from '../../../errors.ts';
import { makesOutboundCalls, REQUIRED_VARIABLES } from '../agent-version.ts';
import { mergeCallConfig, type AgentCallConfigChange } from '../call-config.ts';
import { checkZone } from '../create-agent.ts';
import { editChatSettings } from './edit-chat-settings.ts';
import { editClientAnalysis } from './edit-client-analysis.ts';
import { editDtmfSettings } from './edit-dtmf-settings.ts';
import { editEvaluations } from './edit-evaluations.ts';
import { editEventSubscriptions } from './edit-event-subscriptions.ts';
import { editFlow } from './edit-flow.ts';
import { editHandoffs } from './edit-handoffs.ts';
import { attachInboundNumber, removeInboundNumber } from './edit-inbound-number.ts';
import { attachKb, removeKb } from './edit-knowledge.ts';
import { editLlm } from './edit-llm.ts';
import { editOnCallTools, editPostCallTools, editPreCallTools } from './edit-tools.ts';
import { editS2s } from './edit-s2s.ts';
import { editStt } from './edit-stt.ts';
import { activateVersion, createVersion, setAbTest } from './edit-versions.ts';
import { editVoice } from './edit-voice.ts';
import { editWebSessions } from './edit-web-sessions.ts';
import { editWhitelistedDomains } from './edit-whitelisted-domains.ts';
import { agentSetting, operation, withAgentConfig } from './operation.ts';

const MAX_VOCAB_WORDS = 100;

/** Every operation of PATCH /agent/v1; the API has a wire name and a schema for each (http/agents/edit/edits). */
export const EDIT_OPERATIONS = {
  /** The prompt as one text, or as sections. */
  editPrompt: operation<{ agentPrompt: string | { promptSections: PromptSection[] } }>(
    ({ config, prompts }, { agentPrompt: sent }) =>
      typeof sent === 'string'
        ? withAgentConfig(config, { agentPrompt: sent, promptSections: prompts.parse(sent) })
        : withAgentConfig(config, {
            agentPrompt: prompts.join(sent.promptSections),
            promptSections: sent.promptSections,
          }),
  ),
  editCallConfig: operation<{ callConfig: AgentCallConfigChange }>(
    // Rules that span keys hold for the merged configuration.
    ({ config }, input) => ({
      config: {
        ...config,
        callConfig: mergeCallConfig(config.callConfig, input.callConfig),
        ...(input.callConfig.callTime === undefined ? {} : { callTimeChosen: true }),
      },
    }),
    (input) => checkZone(input.callConfig),
  ),
  editAgentDisplayName: operation<{ agentDisplayName: string }>((_context, input) => ({
    displayName: input.agentDisplayName,
  })),
  editIntroMessage: agentSetting(['introMessage']),
  editVoice,
  editVoiceSpeed: agentSetting(['voiceSpeed']),
  editNoiseSettings: operation<{ muteDuringIntro: boolean; muteWhileBotSpeaking: boolean }>(
    ({ config }, { muteDuringIntro, muteWhileBotSpeaking }) =>
      withAgentConfig(
        { ...config, callConfig: { ...config.callConfig, muteDuringIntro } },
        { muteWhileBotSpeaking },
      ),
  ),
  editVocab: operation<{ vocab: string[] }>(({ config }, { vocab }) => {
    const words = vocab.reduce((sum, entry) => sum + entry.trim().split(/\s+/).length, 0);
    if (words > MAX_VOCAB_WORDS) {
      throw errors.invalid(
        'vocab',
        `must hold at most ${MAX_VOCAB_WORDS} words in total (${words} were sent)`,
      );
    }
    return withAgentConfig(config, { vocab });
  }),
  editQueryPhrases: agentSetting(['preQueryResponsePhrases'], ['preQueryPhraseProbability']),
  editVadSettings: operation<{ vadSettings: VadSettings }>(({ config }, { vadSettings: sent }) =>
    withAgentConfig(config, {
      vadSettings: { interruptionSensitivity: sent.interruptionSensitivity ?? 'default' },
    }),
  ),
  editCustomVars: operation<{ customVariables: string[] }>(({ agent, config }, input) => {
    const kept = new Set(input.customVariables);
    const missing = REQUIRED_VARIABLES.filter((name) => !kept.has(name));
    if (makesOutboundCalls(agent.agentType) && missing.length > 0) throw errors.requiredVariables(missing);
    return withAgentConfig(config, { customVariables: [...kept] });
  }),
  editEventSubscriptions,
  attachInboundNumber,
  removeInboundNumber,
  attachKb,
  removeKb,
  editAgentWhitelistedDomains: editWhitelistedDomains,
  editWebSessions,
  editChatSettings,
  editDtmfSettings,
  editClientAnalysis,
  editEvaluations,
  editFlow,
  editHandoffs,
  createVersion,
  activateVersion,
  setAbTest,
  editPreCallTools,
  editOnCallTools,
  editPostCallTools,
  editLlm,
  editStt,
  editS2s,
};

export type OperationName = keyof typeof EDIT_OPERATIONS;
export type OperationInput<O extends OperationName> = Parameters<(typeof EDIT_OPERATIONS)[O]['apply']>[1];
