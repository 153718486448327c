import { versionDocument, type AgentType } from '../../store/json/agent-version.ts';
import { agentCallConfigDocument } from '../../store/json/call-config.ts';
import type { Agent, AgentDetails, AgentVersion, ListedAgent } from '../../domain/agents/read-agents.ts';
import { isChatAgent } from '../../domain/agents/agent-version.ts';
import { webSessionsOf } from '../../domain/agents/web-sessions.ts';
import { sessionOf, type SessionMinutes } from '../../domain/agents/session-limits.ts';
import { maskHeaders } from '../../domain/agents/masked-headers.ts';
import { showCallConfig } from '../../domain/agents/call-config.ts';
import { isWindowChosen } from '../../domain/call-windows/calling-window.ts';
import { maskTools } from '../../domain/tools/tool-secrets.ts';
import type { SignedLinks } from '../../domain/links/signed-links.ts';
import type { Voice } from '../../domain/agents/voice-catalogue.ts';
import type { ScriptWarning } from '../../domain/agents/script-warnings.ts';
import { iso } from '../common/values.ts';

/** The agent-level fields of the agent record (interface, Agent record). Features that do not exist are null or empty. */
const toAgent = (agent: Agent) => ({
  id: agent.id,
  agent_display_name: agent.displayName,
  agent_type: agent.type,
  orchestration_mode: agent.hasFlow ? 'multi_node' : 'single_node',
  form_fields: [],
  created_at: iso(agent.createdAt),
  updated_at: iso(agent.updatedAt),
  inbound_number_id: agent.inboundNumberId,
  telephony_id: null,
  template_id: null,
  template_name: null,
  template_label: null,
  template_icon: null,
  template_type: null,
  is_ab_live: agent.isAbLive,
  active_agent_version_id: agent.activeVersionId,
  ab_versions: agent.abVersions.map((version) => ({
    version_id: version.versionId,
    version_slug: version.slug,
    call_traffic: version.callTraffic,
    calls: version.calls,
    answered: version.answered,
    completed: version.completed,
    average_duration: version.averageMs === null ? null : Math.round(version.averageMs) / 1000,
    classifications: [...version.classifications],
  })),
  derived_analytics_keys: null,
  classification_labels: [...agent.classificationLabels],
  previous_call_summary: null,
  webcall_public_key: agent.webcallPublicKey,
});

export const toListedAgent = (agent: ListedAgent) => ({
  ...toAgent(agent),
  active_version: {
    version_slug: agent.active.slug,
    language: agent.active.language,
    voice_id: agent.active.voiceId,
    timezone: agent.active.timezone,
    max_call_length: agent.active.maxCallLength,
  },
});

export const toAgentDetails = ({ agent, versions }: AgentDetails) => ({
  ...toAgent(agent),
  version_details: Object.fromEntries(
    versions.map((version) => [version.id, toVersion(agent.type, version)]),
  ),
});

/** One entry of `version_details`. */
export function toVersion(type: AgentType, { config: own, ...version }: AgentVersion) {
  const config = versionDocument.write(own);
  const { llm, stt, s2s } = config.agent_config;
  return {
    version_id: version.id,
    version_slug: version.slug,
    description: version.description,
    call_traffic: version.callTraffic,
    language: config.language,
    secondary_language: config.secondary_language,
    voice: { id: config.voice_id, name: version.voiceName },
    secondary_voice_id: config.secondary_voice_id,
    agent_config: {
      ...config.agent_config,
      mute_during_intro: config.call_config.mute_during_intro,
      dtmf_settings: config.agent_config.dtmf_settings ?? null,
      stt: stt == null ? null : { ...stt, providers: [...stt.providers] },
      s2s: s2s == null ? null : { ...s2s },
      llm:
        llm == null
          ? null
          : {
              ...llm,
              api_key: llm.api_key?.shown ?? null,
              on_model_failure: llm.on_model_failure ?? 'apologise',
            },
    },
    call_config: agentCallConfigDocument.write(showCallConfig(own.callConfig)),
    call_time_source: isWindowChosen(own) ? ('agent' as const) : ('default' as const),
    knowledge_bases: version.knowledgeBases.map(({ id, name }) => ({
      knowledge_base_id: id,
      knowledge_base_name: name,
    })),
    pre_call_tools: maskTools(config.pre_call_tools),
    on_call_tools: maskTools(config.on_call_tools),
    post_call_tools: maskTools(config.post_call_tools),
    client_analysis: config.client_analysis ?? null,
    evaluations: config.evaluations ?? [],
    flow: config.flow ?? null,
    handoffs: config.handoffs ?? [],
    whitelisted_domains: [...version.whitelistedDomains],
    web_sessions: toWebSessions(webSessionsOf(own)),
    chat_settings: isChatAgent(type) ? { whatsapp_session: toSession(sessionOf(own)) } : null,
    event_subscriptions: config.event_subscriptions.map((subscription) => ({
      ...subscription,
      headers: maskHeaders(subscription.headers),
    })),
    created_at: iso(version.createdAt),
    updated_at: iso(version.updatedAt),
  };
}

const toWebSessions = (rules: ReturnType<typeof webSessionsOf>) => ({
  require_session: rules.requireSession,
  page_variables: rules.pageVariables,
});

const toSession = (session: SessionMinutes) => ({
  idle_timeout_minutes: session.idleTimeoutMinutes,
  max_duration_minutes: session.maxDurationMinutes,
});

/** The catalogue is part of the program, so its voices have one date. */
const CATALOGUE_DATE = '2026-01-01T00:00:00.000Z';

/** `workspaceId`: whose vendor's voice it is, so that its media need a token; null: a voice of the installation. */
export function toVoice(voice: Voice, link: SignedLinks, workspaceId: string | null) {
  const base = `${link.publicUrl}/voices/${voice.id}`;
  const token = workspaceId === null ? '' : `?token=${link.issue('voice', { workspaceId, id: voice.id })}`;
  return {
    id: voice.id,
    name: voice.name,
    languages: [...voice.languages],
    voice_previews: Object.fromEntries(
      voice.languages.map((language) => [language, `${base}/preview/${language}.wav${token}`]),
    ),
    image_url: `${base}/image.svg${token}`,
    gender: voice.gender,
    description: voice.description,
    created_at: CATALOGUE_DATE,
    updated_at: CATALOGUE_DATE,
  };
}

/** A field of answers that change an agent, absent where the agent can follow its whole script. */
export const toWarnings = (warnings: readonly ScriptWarning[]) =>
  warnings.length === 0
    ? {}
    : { warnings: warnings.map(({ text, reason, message }) => ({ text, reason, message })) };
