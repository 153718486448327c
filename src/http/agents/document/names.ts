import {
  isObject,
  listOf,
  objectOf,
  textOf,
  type Json,
  type JsonObject,
  type Live,
  type LiveAgent,
  type Settings,
  type State,
} from './document.ts';
import { masksToNames, type Places } from './secrets.ts';

/** The settings of an agent of the service, with names of folders, knowledge bases and numbers instead of ids. */
export function toSettings(
  folder: string,
  agent: LiveAgent,
  live: Live,
  state: Pick<State, 'agents'>,
  known: Places = new Map(),
): Settings {
  const folders = new Map(Object.entries(state.agents).map(([name, { id }]) => [id, name]));
  const named = withAgents(settingsOf(agent, live), (node) => {
    const { agent_id: id, ...rest } = node;
    const name = folders.get(textOf(id));
    return name === undefined ? node : { ...rest, agent: name };
  });
  return masksToNames(
    folder,
    withBases(named, (id) => baseName(id, live)),
    known,
  );
}

/** The settings of an agent of the service with its masks and ids of agents. */
export function settingsOf({ id, record, version, cases }: LiveAgent, live: Live): Settings {
  const own = objectOf(version['agent_config']);
  const { call_time: callTime, ...callConfig } = objectOf(version['call_config']);
  const isTimeChosen = version['call_time_source'] !== 'default';
  const optional = (key: string): JsonObject => (own[key] == null ? {} : { [key]: trimmed(own[key]) });
  return {
    name: record['agent_display_name'] ?? '',
    type: record['agent_type'] ?? '',
    language: version['language'] ?? '',
    secondary_language: version['secondary_language'] ?? null,
    voice_id: objectOf(version['voice'])['id'] ?? '',
    secondary_voice_id: version['secondary_voice_id'] ?? null,
    intro_message: own['intro_message'] ?? '',
    prompt: listOf(own['prompt_sections']).map((section) => ({
      title: objectOf(section)['section_title'] ?? '',
      content: objectOf(section)['section_content'] ?? '',
    })),
    custom_variables: own['custom_variables'] ?? [],
    voice_speed: own['voice_speed'] ?? 1,
    vocab: own['vocab'] ?? [],
    vad_settings: own['vad_settings'] ?? {},
    mute_while_bot_speaking: own['mute_while_bot_speaking'] ?? false,
    pre_query_response_phrases: own['pre_query_response_phrases'] ?? [],
    pre_query_phrase_probability: own['pre_query_phrase_probability'] ?? 0,
    ...optional('dtmf_settings'),
    ...optional('llm'),
    stt: own['stt'] == null ? null : trimmed(own['stt']),
    s2s: own['s2s'] == null ? null : trimmed(own['s2s']),
    call_config: isTimeChosen ? { call_time: callTime ?? {}, ...callConfig } : callConfig,
    knowledge_bases: listOf(version['knowledge_bases']).map((base) =>
      baseName(textOf(objectOf(base)['knowledge_base_id']), live),
    ),
    numbers: live.numbers.filter(({ agentId }) => agentId === id).map(({ number }) => number),
    handoffs: version['handoffs'] ?? [],
    client_analysis: version['client_analysis'] ?? null,
    classification_labels: record['classification_labels'] ?? [],
    evaluations: version['evaluations'] ?? [],
    web_sessions: version['web_sessions'] ?? {},
    whitelisted_domains: version['whitelisted_domains'] ?? [],
    ...(version['chat_settings'] == null ? {} : { chat_settings: version['chat_settings'] }),
    event_subscriptions: version['event_subscriptions'] ?? [],
    pre_call_tools: version['pre_call_tools'] ?? [],
    on_call_tools: version['on_call_tools'] ?? [],
    post_call_tools: version['post_call_tools'] ?? [],
    flow: version['flow'] ?? null,
    test_cases: cases.map(({ name, lines, expectations, ...rest }) => ({
      name: name ?? '',
      custom_args_values: rest['custom_args_values'] ?? {},
      lines: lines ?? [],
      expectations: expectations ?? [],
      tool_results: rest['tool_results'] ?? [],
    })),
  };
}

/** Without the nulls of fields that are not set, also one level down. */
const trimmed = (value: Json | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([key, own]) =>
      own === null ? [] : [[key, isObject(own) ? trimmed(own) : own] as const],
    ),
  );

/** A knowledge base is named by its id where two have its name. */
const baseName = (id: string, { bases }: Live): string => {
  const name = bases.find((base) => base.id === id)?.name;
  return name !== undefined && bases.filter((base) => base.name === name).length === 1 ? name : id;
};

/** The settings with ids of agents instead of the names of their folders. Adds a sentence to `problems` for an unknown one. */
export const toAgentIds = (settings: Settings, state: Pick<State, 'agents'>, problems: string[]): Settings =>
  withAgents(settings, (node) => {
    const { agent, ...rest } = node;
    if (typeof agent !== 'string') return node;
    const id = state.agents[agent]?.id;
    if (id === undefined)
      problems.push(`the agent ${agent}, to which it hands conversations over, has no folder`);
    return { ...rest, agent_id: id ?? agent };
  });

/** The settings with ids of knowledge bases in the steps of their flow instead of names. */
export const toBaseIds = (settings: Settings, idOf: (name: string) => string | null): Settings =>
  withBases(settings, (name) => idOf(name) ?? name);

/** The folders that the settings hand conversations over to. */
export function namedAgents(settings: Settings): string[] {
  const found: string[] = [];
  withAgents(settings, (node) => {
    if (typeof node['agent'] === 'string') found.push(node['agent']);
    return node;
  });
  return found;
}

/** Replaces each place that names another agent: handoffs, and the handoff nodes of a flow. */
function withAgents(settings: Settings, replace: (node: JsonObject) => JsonObject): Settings {
  const { handoffs } = settings;
  return {
    ...withNodes(settings, 'handoff', replace),
    ...(Array.isArray(handoffs)
      ? { handoffs: handoffs.map((each) => (isObject(each) ? replace(each) : each)) }
      : {}),
  };
}

/** Replaces each knowledge base that a step of the flow names. */
const withBases = (settings: Settings, replace: (base: string) => string): Settings =>
  withNodes(settings, 'talk', (node) =>
    Array.isArray(node['knowledge'])
      ? { ...node, knowledge: node['knowledge'].map((base) => replace(textOf(base))) }
      : node,
  );

/** Replaces the nodes of a kind in the flow. */
function withNodes(settings: Settings, kind: string, replace: (node: JsonObject) => JsonObject): Settings {
  const { flow } = settings;
  if (!isObject(flow)) return settings;
  const inList = (list: Json | undefined): Json =>
    listOf(list).map((node) => (isObject(node) && node['type'] === kind ? replace(node) : node));
  const lists = ['nodes', 'global'].filter((key) => Array.isArray(flow[key]));
  return {
    ...settings,
    flow: { ...flow, ...Object.fromEntries(lists.map((key) => [key, inList(flow[key])])) },
  };
}
