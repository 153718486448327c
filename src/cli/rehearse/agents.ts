import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_CALL_CONFIG } from '../../domain/agents/call-config.ts';
import { rehearsedSpec } from '../../dialer/rehearsed-spec.ts';
import type { RehearsedAgent } from '../../rehearsal/play/play-call.ts';
import { FLOW_TEMPLATES } from '../../shared/flow-templates/list.ts';
import type { FlowTemplate } from '../../shared/flow-templates/template.ts';
import { agentCallConfigDocument } from '../../store/json/call-config.ts';
import { versionDocument, type VersionConfig } from '../../store/json/agent-version.ts';
import { joinSections } from '../../shared/prompt-text.ts';
import { buildSections } from '../../voice/prompt/build-prompt.ts';
import { createScriptLlm } from '../../offline/script/brain.ts';
import { listOf, objectOf, Refused, textOf, type Settings } from '../../http/agents/document/document.ts';
import { readFiles } from '../as-code/disk.ts';

/** Finds the agents that scenarios name: folders of agents in files, else the templates that come with the program. */
export class AgentFinder {
  readonly #files: ReadonlyMap<string, Settings>;
  readonly #known: ReadonlyMap<string, Settings>;
  readonly #found = new Map<string, RehearsedAgent>();
  readonly #llm = createScriptLlm();

  /** `folder`: as `callwright pull` writes it; `known`: agents that come before those. Throws Refused for files that cannot be read. */
  constructor(folder: string, known: ReadonlyMap<string, Settings> = new Map()) {
    this.#known = known;
    this.#files = existsSync(join(folder, 'agents')) ? readFiles(folder) : new Map();
  }

  /** Whether files, templates or the agents that were given have one of this name. */
  has(name: string): boolean {
    return this.#settings(name) !== null;
  }

  /** Throws Refused for an unknown name. */
  find(name: string): RehearsedAgent {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const settings = this.#settings(name);
    if (settings === null)
      throw new Refused([`there is no agent ${name}: neither a folder of agents/ nor a template`]);
    const agent = { spec: specOf(name, settings), llm: this.#llm };
    this.#found.set(name, agent);
    return agent;
  }

  #settings(name: string): Settings | null {
    const own = this.#known.get(name) ?? this.#files.get(name);
    if (own !== undefined) return own;
    const template = FLOW_TEMPLATES.find(({ id }) => id === name);
    return template === undefined ? null : settingsOf(template);
  }
}

const settingsOf = ({ name, type, opening, flow, objective, guidelines, task }: FlowTemplate): Settings => ({
  name,
  type,
  language: 'en-US',
  intro_message: opening,
  prompt: buildSections({
    introductionAndObjective: objective,
    responseGuidelines: guidelines,
    task,
    faq: '',
    sampleConversations: '',
  }).map(({ title, content }) => ({ title, content })),
  flow: JSON.parse(JSON.stringify(flow)) as Settings,
});

/** The agent as a call would have it. */
function specOf(name: string, settings: Settings): RehearsedAgent['spec'] {
  return rehearsedSpec(
    { id: name, name: textOf(settings['name']), isInbound: settings['type'] === 'inbound' },
    configOf(settings),
  );
}

function configOf(settings: Settings): VersionConfig {
  const sections = listOf(settings['prompt']).map(objectOf);
  const joined = joinSections(
    sections.map(({ title, content }) => ({ title: textOf(title), content: textOf(content) })),
  );
  const wire = {
    language: settings['language'] ?? 'en-US',
    secondary_language: settings['secondary_language'] ?? null,
    voice_id: settings['voice_id'] ?? '',
    secondary_voice_id: null,
    agent_config: {
      agent_prompt: joined,
      prompt_sections: [],
      intro_message: settings['intro_message'] ?? '',
      custom_variables: settings['custom_variables'] ?? [],
      vocab: settings['vocab'] ?? [],
      voice_speed: settings['voice_speed'] ?? 1,
      vad_settings: settings['vad_settings'] ?? {},
      mute_while_bot_speaking: settings['mute_while_bot_speaking'] ?? false,
      pre_query_response_phrases: settings['pre_query_response_phrases'] ?? [],
      pre_query_phrase_probability: settings['pre_query_phrase_probability'] ?? 0,
      ...(settings['dtmf_settings'] == null ? {} : { dtmf_settings: settings['dtmf_settings'] }),
    },
    call_config: {
      ...agentCallConfigDocument.write(DEFAULT_CALL_CONFIG),
      ...objectOf(settings['call_config']),
    },
    event_subscriptions: [],
    on_call_tools: settings['on_call_tools'] ?? [],
    flow: settings['flow'] ?? null,
    handoffs: settings['handoffs'] ?? [],
  };
  return versionDocument.read(wire as never);
}
