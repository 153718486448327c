import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../../../shared/ids.ts';
import { isObject, listOf, objectOf, withoutNulls, type Json, type Settings } from './document.ts';

/** Settings of `agent.yaml`, in the order in which a pull writes them. */
export const AGENT_KEYS = [
  'name',
  'type',
  'language',
  'secondary_language',
  'voice_id',
  'secondary_voice_id',
  'intro_message',
  'prompt',
  'custom_variables',
  'voice_speed',
  'vocab',
  'vad_settings',
  'mute_while_bot_speaking',
  'pre_query_response_phrases',
  'pre_query_phrase_probability',
  'dtmf_settings',
  'llm',
  'stt',
  's2s',
  'call_config',
  'knowledge_bases',
  'numbers',
  'handoffs',
  'client_analysis',
  'classification_labels',
  'evaluations',
  'web_sessions',
  'whitelisted_domains',
  'chat_settings',
  'event_subscriptions',
] as const;
/** Settings of `tools.yaml`. */
export const TOOL_KEYS = ['pre_call_tools', 'on_call_tools', 'post_call_tools'] as const;
/** `flow` is the document of `flow.yaml`, `test_cases` the list of `tests.yaml`. */
export const SETTING_KEYS: readonly string[] = [...AGENT_KEYS, ...TOOL_KEYS, 'flow', 'test_cases'];

/** Objects of which a file may have a part: an absent key keeps its value. */
const MERGED: ReadonlySet<string> = new Set(['call_config', 'web_sessions', 'chat_settings']);

const DIGEST = 16;

/** The value with the defaults of the API, so that two ways to write one setting are equal. */
function normal(key: string, value: Json | undefined): Json {
  if (value === undefined || value === null) return null;
  switch (key) {
    case 'knowledge_bases':
    case 'numbers':
      return listOf(value).map(String).toSorted();
    case 'llm':
      return { on_model_failure: 'apologise', ...withoutNulls(objectOf(value)) };
    case 'stt':
    case 's2s':
      return withoutNulls(objectOf(value));
    case 'dtmf_settings': {
      const { dtmf_input: input, ...rest } = objectOf(value);
      return { ...rest, dtmf_input: withoutNulls(objectOf(input)) };
    }
    case 'vad_settings':
      return { interruption_sensitivity: 'default', ...objectOf(value) };
    case 'client_analysis': {
      const analysis = objectOf(value);
      if (Object.keys(objectOf(analysis['keys'])).length === 0) return null;
      return { context: '', goal_key: null, ...analysis };
    }
    case 'event_subscriptions':
      return listOf(value).map((each) => {
        const { event_type: events, ...rest } = objectOf(each);
        return {
          method_type: 'POST',
          headers: {},
          ...rest,
          event_type: Array.isArray(events) ? events : [events ?? null],
        };
      });
    case 'test_cases':
      // The service lists cases by age, a file in any order.
      return listOf(value)
        .map((each) => ({ custom_args_values: {}, tool_results: [], ...objectOf(each) }))
        .map((each) => [JSON.stringify([objectOf(each)['name'] ?? '', sorted(each)]), each] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))
        .map(([, each]) => each);
    default:
      return value;
  }
}

/** A part laid over a whole, objects key by key. */
function laidOver(whole: Json, part: Json): Json {
  if (!isObject(whole) || !isObject(part)) return part;
  return {
    ...whole,
    ...Object.fromEntries(Object.entries(part).map(([key, own]) => [key, laidOver(whole[key] ?? null, own)])),
  };
}

/** The value that an apply of the file's `value` leads to, over what the service has. */
export const applied = (key: string, live: Json | undefined, value: Json | undefined): Json =>
  normal(key, MERGED.has(key) ? laidOver(live ?? null, value ?? null) : value);

/** Whether the file asks for nothing that the service does not have. An absent setting is not managed. */
export const isSame = (key: string, live: Json | undefined, value: Json | undefined): boolean =>
  value === undefined || isDeepStrictEqual(applied(key, live, value), normal(key, live));

/** Names the content of a setting; the order of the keys in it does not matter. */
export const digestOf = (key: string, value: Json | undefined): string =>
  sha256(JSON.stringify(sorted(normal(key, value)))).slice(0, DIGEST);

export const digestsOf = (settings: Settings): Record<string, string> =>
  Object.fromEntries(SETTING_KEYS.map((key) => [key, digestOf(key, settings[key])]));

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  // A secret that has another name is the same secret.
  if (keys.length === 1 && typeof value['secret'] === 'string') return '***';
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]));
}
