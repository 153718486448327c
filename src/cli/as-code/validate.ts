import { Type } from 'typebox';
import { ApiError } from '../../errors/api-error.ts';
import { CreateCaseBody } from '../../http/test-cases/schemas.ts';
import { CreateAgentBody } from '../../http/agents/schemas.ts';
import { AGENT_LANGUAGES, EDIT_VOICE_LANGUAGES } from '../../shared/agent-languages.ts';
import { createBodyCheck } from '../../http/server/validation.ts';
import { readFlow } from '../../voice/flow/read-flow.ts';
import { agentEdits, creationOf, faultsOf, versionEdits } from '../../http/agents/document/edits.ts';
import {
  isObject,
  listOf,
  textOf,
  type JsonObject,
  type Settings,
} from '../../http/agents/document/document.ts';
import { namedAgents, toAgentIds, toBaseIds } from '../../http/agents/document/names.ts';
import type { Files } from '../../http/agents/document/plan.ts';
import { masksOf, namesToValues } from '../../http/agents/document/secrets.ts';
import { applied, SETTING_KEYS } from '../../http/agents/document/settings.ts';

/** Stands for ids and secrets that only the service and the environment know. */
const SOME_ID = '00000000-0000-4000-8000-000000000000';
const SOME_SECRET = 'secret';

/** The draft brings the prompt, and languages are more than those of a new agent. */
const ELSEWHERE = ['introduction_and_objective', 'response_guidelines', 'task', 'primary_language'] as const;
const LANGUAGES: readonly string[] = [...new Set([...AGENT_LANGUAGES, ...EDIT_VOICE_LANGUAGES])];
const checkCreation = createBodyCheck(Type.Omit(CreateAgentBody, [...ELSEWHERE]));
const checkCase = createBodyCheck(CreateCaseBody);

/** What the service would refuse of the files, found without it: every rule of a field by the schemas of the API. Pure. */
export function problemsOf(files: Files): string[] {
  const routed = new Map<string, string>();
  return [...files].flatMap(([folder, settings]) => {
    const problems = [...problemsOfAgent(settings), ...foreignAgents(settings, files)];
    for (const number of listOf(settings['numbers']).map(String)) {
      const other = routed.get(number);
      if (other === undefined) routed.set(number, folder);
      else problems.push(`numbers: ${number} is a number of ${other} already`);
    }
    return problems.map((problem) => `${folder}: ${problem}`);
  });
}

const foreignAgents = (settings: Settings, files: Files): string[] =>
  namedAgents(settings)
    .filter((name) => !files.has(name))
    .map((name) => `the agent ${name}, to which it hands conversations over, has no folder`);

function problemsOfAgent(settings: Settings): string[] {
  const keys = new Set(SETTING_KEYS.filter((key) => settings[key] !== undefined && settings[key] !== null));
  const named = namedAgents(settings).map((name) => [name, { id: SOME_ID, settings: {} }] as const);
  const whole = Object.fromEntries([...keys].map((key) => [key, applied(key, undefined, settings[key])]));
  const want = namesToValues(
    toBaseIds(toAgentIds(whole, { agents: Object.fromEntries(named) }, []), () => SOME_ID),
    masksOf({}),
    () => SOME_SECRET,
    [],
  );
  const creation: JsonObject = creationOf(want);
  for (const field of ELSEWHERE) delete creation[field];
  const isSpoken = !keys.has('language') || LANGUAGES.includes(textOf(want['language']));
  const isWhole = ['name', 'language', 'voice_id', 'intro_message'].every((key) => keys.has(key));
  const voiced = new Set([...keys].filter((key) => !key.endsWith('voice_id')));
  return [
    ...(isSpoken ? [] : [`language must be one of ${LANGUAGES.join(', ')}`]),
    ...(isWhole ? sentences(() => checkCreation(creation)) : []),
    ...[...versionEdits(want, voiced), ...agentEdits(want, voiced)].flatMap(faultsOf),
    ...(isObject(want['flow']) ? faultsOfFlow(want['flow']) : []),
    ...listOf(want['test_cases']).flatMap((each) =>
      sentences(() => checkCase(each)).map(
        (sentence) => `test case ${isObject(each) ? textOf(each['name']) : ''}: ${sentence}`,
      ),
    ),
  ];
}

/** The faults of its form; the service checks its graph when an apply sends it. */
function faultsOfFlow(document: JsonObject): string[] {
  const read = readFlow(document);
  return read.flow === null ? read.faults.map(({ message }) => `flow: ${message}`) : [];
}

/** The problems that a check throws. */
function sentences(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.fields.map(({ field, message }) => `${field} ${message}`);
  }
}
