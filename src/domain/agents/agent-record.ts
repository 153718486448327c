import type { AbResult } from '../../store/agent-versions.ts';
import type { AgentRow, VersionRow } from '../../store/agents.ts';
import type { VersionConfig } from './agent-version.ts';
import { showTools } from '../tools/tool-secrets.ts';
import { showCallConfig } from './call-config.ts';
import { showLlm } from './edit/edit-llm.ts';
import { maskHeaders } from './masked-headers.ts';
import type { VoiceCatalogue } from './voice-catalogue.ts';

/** Agent-level fields of the agent record (interface, Agent record). Parts this version has not are null or empty. */
export function toAgentSummary(
  agent: AgentRow,
  inboundNumberId: string | null,
  abResults: readonly AbResult[],
) {
  return {
    id: agent.id,
    agent_display_name: agent.display_name,
    agent_type: agent.agent_type,
    orchestration_mode: 'single_node',
    form_fields: [],
    created_at: agent.created_at.toISOString(),
    updated_at: agent.updated_at.toISOString(),
    inbound_number_id: inboundNumberId,
    telephony_id: null,
    template_id: null,
    template_name: null,
    template_label: null,
    template_icon: null,
    template_type: null,
    is_ab_live: agent.ab_started_at !== null,
    active_agent_version_id: agent.active_version_id,
    ab_versions: abResults.filter((result) => result.agentId === agent.id).map(toAbVersion),
    derived_analytics_keys: null,
    classification_labels: [...agent.classification_labels],
    previous_call_summary: null,
    webcall_public_key: agent.webcall_public_key,
  };
}

/** A version of a running A/B test and what it did since the test began; average talk time in seconds. */
const toAbVersion = (result: AbResult) => ({
  version_id: result.versionId,
  version_slug: result.slug,
  call_traffic: result.callTraffic,
  calls: result.calls,
  answered: result.answered,
  average_duration: result.averageMs === null ? null : Math.round(result.averageMs) / 1000,
});

/** One entry of `version_details`. */
export function toVersionDetails(
  version: VersionRow,
  kbNames: ReadonlyMap<string, string>,
  voices: VoiceCatalogue,
  publicUrl: string,
) {
  const config = version.config as unknown as VersionConfig;
  return {
    version_id: version.id,
    version_slug: version.slug,
    description: version.description,
    call_traffic: version.call_traffic,
    language: config.language,
    secondary_language: config.secondary_language,
    voice: { id: config.voice_id, name: voices.byId(config.voice_id)?.name ?? null },
    secondary_voice_id: config.secondary_voice_id,
    agent_config: {
      ...config.agent_config,
      mute_during_intro: config.call_config.mute_during_intro,
      dtmf_settings: config.agent_config.dtmf_settings ?? null,
      llm: showLlm(config.agent_config.llm),
    },
    call_config: showCallConfig(config.call_config),
    knowledge_bases: (config.knowledge_base_ids ?? []).flatMap((id) => {
      const name = kbNames.get(id);
      return name === undefined ? [] : [{ knowledge_base_id: id, knowledge_base_name: name }];
    }),
    pre_call_tools: showTools(config.pre_call_tools),
    on_call_tools: showTools(config.on_call_tools),
    post_call_tools: showTools(config.post_call_tools),
    client_analysis: config.client_analysis ?? null,
    whitelisted_domains: config.whitelisted_domains ?? [new URL(publicUrl).origin],
    chat_settings: null,
    event_subscriptions: config.event_subscriptions.map((s) => ({ ...s, headers: maskHeaders(s.headers) })),
    created_at: version.created_at.toISOString(),
    updated_at: version.updated_at.toISOString(),
  };
}
