import { ApiError } from '../../../errors/api-error.ts';
import { EDITS } from '../edit/edits.ts';
import { EDIT_VOICE_LANGUAGES } from '../../../shared/agent-languages.ts';
import { joinSections } from '../../../shared/prompt-text.ts';
import { listOf, objectOf, textOf, type Json, type JsonObject, type Settings } from './document.ts';

/** One operation of PATCH /agent/v1 and the settings that it writes. */
interface Edit {
  readonly operation: string;
  readonly keys: readonly string[];
  /** `want` has the settings that change, and those beside them. */
  readonly body: (want: Settings) => JsonObject;
}

/** An operation that takes one setting under its own name. */
const plain = (operation: string, key: string, field = key): Edit => ({
  operation,
  keys: [key],
  body: (want) => ({ [field]: want[key] ?? null }),
});

/** Edits of a version, which a draft takes. Tools come before the flow that uses them. */
const VERSION_EDITS: readonly Edit[] = [
  {
    operation: 'edit_prompt',
    keys: ['prompt'],
    body: (want) => ({ agent_prompt: promptOf(want['prompt']) }),
  },
  plain('edit_intro_message', 'intro_message'),
  {
    operation: 'edit_voice',
    keys: ['voice_id', 'secondary_voice_id'],
    body: (want) => ({
      voice_id: want['voice_id'] ?? '',
      language: want['language'] ?? '',
      secondary_voice_id: want['secondary_voice_id'] ?? '',
    }),
  },
  plain('edit_voice_speed', 'voice_speed'),
  {
    operation: 'edit_noise_settings',
    keys: ['mute_while_bot_speaking'],
    body: (want) => ({
      mute_during_intro: objectOf(want['call_config'])['mute_during_intro'] ?? true,
      mute_while_bot_speaking: want['mute_while_bot_speaking'] ?? false,
    }),
  },
  plain('edit_vocab', 'vocab'),
  {
    operation: 'edit_query_phrases',
    keys: ['pre_query_response_phrases', 'pre_query_phrase_probability'],
    body: (want) => ({
      pre_query_response_phrases: want['pre_query_response_phrases'] ?? [],
      pre_query_phrase_probability: want['pre_query_phrase_probability'] ?? 0,
    }),
  },
  plain('edit_vad_settings', 'vad_settings'),
  plain('edit_custom_vars', 'custom_variables'),
  plain('edit_dtmf_settings', 'dtmf_settings'),
  plain('edit_llm', 'llm'),
  plain('edit_stt', 'stt'),
  plain('edit_s2s', 's2s'),
  plain('edit_call_config', 'call_config'),
  plain('edit_event_subscriptions', 'event_subscriptions'),
  plain('edit_agent_whitelisted_domains', 'whitelisted_domains'),
  plain('edit_web_sessions', 'web_sessions'),
  plain('edit_chat_settings', 'chat_settings'),
  {
    operation: 'edit_client_analysis',
    keys: ['client_analysis'],
    body: (want) => analysisOf(want['client_analysis']),
  },
  plain('edit_evaluations', 'evaluations'),
  plain('edit_handoffs', 'handoffs'),
  plain('edit_pre_call_tools', 'pre_call_tools'),
  plain('edit_on_call_tools', 'on_call_tools'),
  plain('edit_post_call_tools', 'post_call_tools'),
  plain('edit_flow', 'flow'),
];

/** Edits of the agent itself, which no draft holds. */
const AGENT_EDITS: readonly Edit[] = [
  plain('edit_agent_display_name', 'name', 'agent_display_name'),
  {
    operation: 'edit_client_analysis',
    keys: ['classification_labels'],
    body: (want) => ({
      ...analysisOf(want['client_analysis']),
      classification_labels: want['classification_labels'] ?? [],
    }),
  },
];

/** A body of PATCH /agent/v1 without the ids. */
export interface PlannedEdit {
  readonly operation: string;
  readonly keys: readonly string[];
  readonly fields: JsonObject;
}

const bodies = (edits: readonly Edit[], want: Settings, changed: ReadonlySet<string>): PlannedEdit[] =>
  edits.flatMap(({ operation, keys, body }) => {
    const own = keys.filter((key) => changed.has(key));
    return own.length === 0 ? [] : [{ operation, keys: own, fields: body(want) }];
  });

export const versionEdits = (want: Settings, changed: ReadonlySet<string>): PlannedEdit[] =>
  bodies(VERSION_EDITS, want, changed);
export const agentEdits = (want: Settings, changed: ReadonlySet<string>): PlannedEdit[] =>
  bodies(AGENT_EDITS, want, changed);

/**
 * The body of PATCH /public/agent for settings that neither of the edits takes: type and languages, and the voice with a language that
 * `edit_voice` does not have. Empty: none changes.
 */
export function updateOf(want: Settings, changed: ReadonlySet<string>): JsonObject {
  const isSpoken = EDIT_VOICE_LANGUAGES.some((language) => language === want['language']);
  const withVoice = changed.has('language') || (changed.has('voice_id') && !isSpoken);
  return {
    ...(changed.has('type') ? { agent_type: want['type'] ?? '' } : {}),
    ...(changed.has('language') ? { primary_language: want['language'] ?? '' } : {}),
    ...(changed.has('secondary_language') ? { secondary_language: want['secondary_language'] ?? null } : {}),
    ...(withVoice ? { voice_id: want['voice_id'] ?? '' } : {}),
  };
}

/** Sections, or one text where a section has no title. */
function promptOf(prompt: Json | undefined): Json {
  const sections = listOf(prompt).map((section) => ({
    title: textOf(objectOf(section)['title']),
    content: textOf(objectOf(section)['content']),
  }));
  if (sections.some(({ title }) => title === '')) return joinSections(sections);
  return {
    prompt_sections: sections.map(({ title, content }) => ({
      section_title: title,
      section_content: content,
    })),
  };
}

function analysisOf(analysis: Json | undefined): JsonObject {
  const { context, goal_key: goal, keys } = objectOf(analysis);
  return { context: context ?? '', keys: keys ?? {}, ...(goal == null ? {} : { goal_key: goal }) };
}

/** The body of POST /public/agent: what every agent needs. The draft that follows has everything. */
export function creationOf(want: Settings): JsonObject {
  const content = (at: number, most: number): string =>
    textOf(objectOf(listOf(want['prompt'])[at])['content']).slice(0, most) || textOf(want['name']);
  return {
    agent_name: want['name'] ?? '',
    agent_type: want['type'] ?? 'outbound',
    introduction_and_objective: content(0, 2000),
    response_guidelines: content(1, 3000),
    task: content(2, 1500),
    primary_language: want['language'] ?? '',
    ...(want['secondary_language'] == null ? {} : { secondary_language: want['secondary_language'] }),
    voice_id: want['voice_id'] ?? '',
    intro_message: want['intro_message'] ?? '',
  };
}

/** What an import makes an agent of: a second language needs the voice that speaks it from the first. */
export function importedCreation(want: Settings): JsonObject {
  const second = want['secondary_voice_id'];
  return { ...creationOf(want), ...(second == null || second === '' ? {} : { secondary_voice_id: second }) };
}

const BY_NAME = new Map(EDITS.map((edit) => [edit.wire, edit]));

/** Sentences for the fields that break the rules of the API, which the same schemas check here and there. */
export function faultsOf({ operation, fields }: PlannedEdit): string[] {
  try {
    BY_NAME.get(operation)?.read(fields);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.fields.map(({ field, message }) => `${field} ${message}`);
  }
}
