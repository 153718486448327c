import { errors } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { isUuid } from '../../../shared/ids.ts';
import type { Seal } from '../../../shared/seal.ts';
import { lockAgent, updateAgent, updateVersion } from '../../../store/agents.ts';
import type { Db } from '../../../store/database.ts';
import type { VersionConfig } from '../agent-version.ts';
import { checkZone } from '../create-agent.ts';
import type { PromptBook } from '../prompt-book.ts';
import { versionToEdit } from '../version-choice.ts';
import type { VoiceCatalogue } from '../voice-catalogue.ts';
import { activateVersion, type ActivateVersion } from './activate-version.ts';
import { attachInboundNumber, type AttachInboundNumber } from './attach-inbound-number.ts';
import { attachKb, removeKb, type KnowledgeBaseChoice } from './attach-kb.ts';
import { createVersion, type CreateVersion } from './create-version.ts';
import { editAgentDisplayName, type EditAgentDisplayName } from './edit-agent-display-name.ts';
import { editCallConfig, type EditCallConfig } from './edit-call-config.ts';
import { editChatSettings, type EditChatSettings } from './edit-chat-settings.ts';
import { editClientAnalysis, type EditClientAnalysis } from './edit-client-analysis.ts';
import type { EditChange, EditContext } from './edit-context.ts';
import { editCustomVars, type EditCustomVars } from './edit-custom-vars.ts';
import { editDtmfSettings, type EditDtmfSettings } from './edit-dtmf-settings.ts';
import { editEventSubscriptions, type EditEventSubscriptions } from './edit-event-subscriptions.ts';
import { editIntroMessage, type EditIntroMessage } from './edit-intro-message.ts';
import { editLlm, type EditLlm } from './edit-llm.ts';
import { editNoiseSettings, type EditNoiseSettings } from './edit-noise-settings.ts';
import { editPrompt, type EditPrompt } from './edit-prompt.ts';
import { editQueryPhrases, type EditQueryPhrases } from './edit-query-phrases.ts';
import {
  editOnCallTools,
  editPostCallTools,
  editPreCallTools,
  type EditOnCallTools,
  type EditPostCallTools,
  type EditPreCallTools,
} from './edit-tools.ts';
import { editVadSettings, type EditVadSettings } from './edit-vad-settings.ts';
import { editVocab, type EditVocab } from './edit-vocab.ts';
import { editVoice, type EditVoice } from './edit-voice.ts';
import { editVoiceSpeed, type EditVoiceSpeed } from './edit-voice-speed.ts';
import { editWhitelistedDomains, type EditWhitelistedDomains } from './edit-whitelisted-domains.ts';
import { removeInboundNumber, type RemoveInboundNumber } from './remove-inbound-number.ts';
import { setAbTest, type SetAbTest } from './set-ab-test.ts';

/** Fields of every operation of PATCH /agent/v1, by its wire name. */
export interface EditInputs {
  edit_prompt: EditPrompt;
  edit_call_config: EditCallConfig;
  edit_agent_display_name: EditAgentDisplayName;
  edit_intro_message: EditIntroMessage;
  edit_voice: EditVoice;
  edit_voice_speed: EditVoiceSpeed;
  edit_noise_settings: EditNoiseSettings;
  edit_vocab: EditVocab;
  edit_query_phrases: EditQueryPhrases;
  edit_vad_settings: EditVadSettings;
  edit_custom_vars: EditCustomVars;
  edit_event_subscriptions: EditEventSubscriptions;
  attach_inbound_number: AttachInboundNumber;
  remove_inbound_number: RemoveInboundNumber;
  attach_kb: KnowledgeBaseChoice;
  remove_kb: KnowledgeBaseChoice;
  edit_agent_whitelisted_domains: EditWhitelistedDomains;
  edit_chat_settings: EditChatSettings;
  edit_dtmf_settings: EditDtmfSettings;
  edit_client_analysis: EditClientAnalysis;
  create_version: CreateVersion;
  activate_version: ActivateVersion;
  set_ab_test: SetAbTest;
  edit_llm: EditLlm;
  edit_pre_call_tools: EditPreCallTools;
  edit_on_call_tools: EditOnCallTools;
  edit_post_call_tools: EditPostCallTools;
}
export type EditOperation = keyof EditInputs;

type Operation<I> = (context: EditContext, input: I) => EditChange | Promise<EditChange>;
const OPERATIONS: { [O in EditOperation]: Operation<EditInputs[O]> } = {
  edit_prompt: editPrompt,
  edit_call_config: editCallConfig,
  edit_agent_display_name: editAgentDisplayName,
  edit_intro_message: editIntroMessage,
  edit_voice: editVoice,
  edit_voice_speed: editVoiceSpeed,
  edit_noise_settings: editNoiseSettings,
  edit_vocab: editVocab,
  edit_query_phrases: editQueryPhrases,
  edit_vad_settings: editVadSettings,
  edit_custom_vars: editCustomVars,
  edit_event_subscriptions: editEventSubscriptions,
  attach_inbound_number: attachInboundNumber,
  remove_inbound_number: removeInboundNumber,
  attach_kb: attachKb,
  remove_kb: removeKb,
  edit_agent_whitelisted_domains: editWhitelistedDomains,
  edit_chat_settings: editChatSettings,
  edit_dtmf_settings: editDtmfSettings,
  edit_client_analysis: editClientAnalysis,
  create_version: createVersion,
  activate_version: activateVersion,
  set_ab_test: setAbTest,
  edit_llm: editLlm,
  edit_pre_call_tools: editPreCallTools,
  edit_on_call_tools: editOnCallTools,
  edit_post_call_tools: editPostCallTools,
};

export interface EditAgentDeps {
  db: Db;
  clock: Clock;
  voices: VoiceCatalogue;
  prompts: PromptBook;
  link: { publicUrl: string };
  seal: Seal;
}

/**
 * Changes one setting of an agent (interface, PATCH /agent/v1): of the version named, or the one `versionToEdit` finds.
 * Throws 404 for an unknown agent or version and whatever the operation refuses; nothing is changed then.
 */
export async function editAgent<O extends EditOperation>(
  deps: EditAgentDeps,
  workspaceId: string,
  target: { agentId: string; versionId: string | null },
  operation: O,
  input: EditInputs[O],
): Promise<{ agentId: string; createdVersionId: string | null }> {
  if ('call_config' in input) checkZone(input.call_config);
  if (!isUuid(target.agentId)) throw errors.agentNotFound();
  return deps.db.transaction().execute(async (tx) => {
    const agent = await lockAgent(tx, workspaceId, target.agentId);
    if (agent === undefined) throw errors.agentNotFound();
    const version = await versionToEdit(tx, workspaceId, agent, target.versionId);
    const at = new Date(deps.clock.now());
    const change = await OPERATIONS[operation](
      {
        tx,
        workspaceId,
        agent,
        version,
        config: version.config as unknown as VersionConfig,
        voices: deps.voices,
        prompts: deps.prompts,
        publicUrl: deps.link.publicUrl,
        seal: deps.seal,
        at,
      },
      input,
    );
    if (change.config !== undefined) await updateVersion(tx, workspaceId, version.id, change.config, at);
    await updateAgent(
      tx,
      workspaceId,
      agent.id,
      {
        ...(change.displayName === undefined ? {} : { displayName: change.displayName }),
        ...(change.classificationLabels === undefined
          ? {}
          : { classificationLabels: change.classificationLabels }),
      },
      at,
    );
    return { agentId: agent.id, createdVersionId: change.createdVersionId ?? null };
  });
}
