import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import {
  isObject,
  listOf,
  objectOf,
  Refused,
  slugOf,
  textOf,
  type Json,
  type JsonObject,
  type Settings,
} from '../../http/agents/document/document.ts';
import { AGENT_KEYS, TOOL_KEYS } from '../../http/agents/document/settings.ts';

/** The files of one agent: the path in its folder to the text. */
export type AgentFiles = ReadonlyMap<string, string>;

const [AGENT, TOOLS, FLOW, TESTS] = ['agent.yaml', 'tools.yaml', 'flow.yaml', 'tests.yaml'] as const;
/** Whether a path in an agent's folder is a file of the agent. */
export const isAgentFile = (path: string): boolean =>
  [AGENT, TOOLS, FLOW, TESTS].some((name) => name === path) || PROMPT_FILE.test(path);
const PROMPT_FILE = /^prompt\/[^/\\]+\.md$/u;

/** The files of an agent. A file of `before` that says the same stays as it is, with its comments. */
export function toFiles(settings: Settings, before: AgentFiles = new Map()): Map<string, string> {
  const files = new Map<string, string>();
  const put = (name: string, value: Json): void => {
    const old = before.get(name);
    const isKept = old !== undefined && isDeepStrictEqual(parsed(old), value);
    files.set(name, isKept ? old : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }));
  };
  const named = listOf(objectOf(parsed(before.get(AGENT) ?? ''))['prompt']).map(objectOf);
  const sections = listOf(settings['prompt']).map((section, at) => {
    const title = textOf(objectOf(section)['title']);
    const own = textOf(named.find((each) => each['title'] === title)?.['file']);
    const isOwn = PROMPT_FILE.test(own) && !files.has(own);
    const stem = `prompt/${String(at + 1).padStart(2, '0')}-${slugOf(title) || 'text'}`;
    const file = isOwn ? own : `${stem}${files.has(`${stem}.md`) ? '-new' : ''}.md`;
    files.set(file, `${textOf(objectOf(section)['content'])}\n`);
    return { title, file };
  });
  const agent = picked(settings, AGENT_KEYS);
  put(AGENT, settings['prompt'] === undefined ? agent : { ...agent, prompt: sections });
  const tools = picked(settings, TOOL_KEYS);
  if (Object.values(tools).some((list) => listOf(list).length > 0)) put(TOOLS, tools);
  if (settings['flow'] != null) put(FLOW, settings['flow']);
  if (listOf(settings['test_cases']).length > 0) put(TESTS, settings['test_cases'] ?? []);
  return files;
}

const picked = (settings: Settings, keys: readonly string[]): JsonObject =>
  Object.fromEntries(
    keys.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]] as const])),
  );

/** Null for a text that is not YAML. */
function parsed(text: string): Json {
  try {
    return (parse(text) as Json | undefined) ?? null;
  } catch {
    return null;
  }
}

/**
 * The settings that the files of an agent have. Without `tools.yaml`, `flow.yaml` or `tests.yaml` the agent has no tools, no flow
 * and no test cases; a setting that `agent.yaml` leaves out is not managed. Throws Refused.
 */
export function fromFiles(folder: string, files: AgentFiles): Settings {
  const problems: string[] = [];
  const read = (name: string, preset: Json): Json => {
    const text = files.get(name);
    if (text === undefined) return preset;
    try {
      return (parse(text) as Json | undefined) ?? null;
    } catch (error) {
      problems.push(
        `${folder}/${name}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
      );
      return preset;
    }
  };
  const agent = read(AGENT, {});
  const tools = read(TOOLS, {});
  const tests = read(TESTS, []);
  const flow = read(FLOW, null);
  for (const [name, value, keys] of [
    [AGENT, agent, AGENT_KEYS],
    [TOOLS, tools, TOOL_KEYS],
  ] as const) {
    if (!isObject(value)) problems.push(`${folder}/${name}: must be a map of settings`);
    else
      for (const key of Object.keys(value))
        if (!keys.some((known) => known === key))
          problems.push(`${folder}/${name}: ${key} is not a setting; it has ${keys.join(', ')}`);
  }
  if (!Array.isArray(tests)) problems.push(`${folder}/${TESTS}: must be a list of test cases`);
  if (flow !== null && !isObject(flow)) problems.push(`${folder}/${FLOW}: must be a flow, or be deleted`);
  const settings: Settings = {
    ...objectOf(agent),
    ...Object.fromEntries(TOOL_KEYS.map((key) => [key, objectOf(tools)[key] ?? []])),
    flow,
    test_cases: tests,
  };
  if (settings['prompt'] !== undefined)
    settings['prompt'] = listOf(settings['prompt']).map((section) => {
      const { title, file } = objectOf(section);
      const text = typeof file === 'string' && PROMPT_FILE.test(file) ? files.get(file) : undefined;
      if (text === undefined)
        problems.push(
          `${folder}/${AGENT}: prompt names ${textOf(file)}, which is no file of ${folder}/prompt`,
        );
      return { title: title ?? '', content: (text ?? '').replace(/\n$/u, '') };
    });
  if (problems.length > 0) throw new Refused(problems);
  return settings;
}
