import { agentEdits, creationOf, updateOf, versionEdits, type PlannedEdit } from './edits.ts';
import {
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
import { settingsOf, toAgentIds, toBaseIds, toSettings } from './names.ts';
import { masksOf, namesToValues, secretNames, type ReadSecret } from './secrets.ts';
import { applied, digestOf, isSame, SETTING_KEYS } from './settings.ts';

/** The settings of each folder. */
export type Files = ReadonlyMap<string, Settings>;

/** A change of one setting, for people. */
export interface PlannedChange {
  readonly key: string;
  readonly before: Json;
  readonly after: Json;
}
/** What an apply does with one agent, in this order. */
export interface AgentPlan {
  readonly folder: string;
  /** The body of POST /public/agent; the rest is planned once the agent exists. Null: it exists. */
  readonly creation: JsonObject | null;
  readonly changes: readonly PlannedChange[];
  /** Of PATCH /public/agent, at once; empty: none. */
  readonly update: JsonObject;
  /** Of the draft. */
  readonly edits: readonly PlannedEdit[];
  /** At once, after the draft is published. */
  readonly agentEdits: readonly PlannedEdit[];
  readonly cases: CasePlan;
  readonly bases: { readonly attach: readonly string[]; readonly remove: readonly string[] };
  readonly numbers: { readonly attach: readonly string[]; readonly remove: readonly string[] };
}
interface CasePlan {
  readonly create: readonly JsonObject[];
  readonly change: readonly { readonly id: string; readonly body: JsonObject }[];
  readonly remove: readonly string[];
}
export interface Plan {
  /** Of the agents that an apply changes. */
  readonly agents: readonly AgentPlan[];
  /** Why nothing may be applied. */
  readonly problems: readonly string[];
}

export interface PlanOptions {
  readonly read: ReadSecret;
  /** Secrets that this machine has are sent again. */
  readonly isResent?: boolean;
}

const NO_FLOW: PlannedEdit = { operation: 'edit_flow', keys: ['flow'], fields: { flow: null } };
const NO_CASES: CasePlan = { create: [], change: [], remove: [] };
const NOTHING = { attach: [], remove: [] };
/** Of a new agent. */
const NEEDED = ['name', 'language', 'voice_id', 'intro_message', 'prompt'];
/** Stands for the id of an agent that the apply creates first. */
const PENDING = '00000000-0000-0000-0000-000000000000';

/** What leads from the service to the files. Pure. */
export function planOf(files: Files, state: State, live: Live, options: PlanOptions): Plan {
  const problems: string[] = [];
  const agents: AgentPlan[] = [];
  const pending = [...files.keys()].map((folder) => [folder, { id: PENDING, settings: {} }] as const);
  const ids = { agents: { ...Object.fromEntries(pending), ...state.agents } };
  for (const [folder, wanted] of files) {
    const id = state.agents[folder]?.id;
    const agent = live.agents.find((each) => each.id === id);
    if (id !== undefined && agent === undefined) {
      problems.push(`${folder}: the service has its agent no more; callwright pull forgets it`);
      continue;
    }
    if (agent === undefined) {
      const lacking = NEEDED.filter((key) => wanted[key] == null);
      if (lacking.length > 0) problems.push(`${folder}: a new agent needs ${lacking.join(', ')}`);
    }
    const found =
      agent === undefined
        ? creation(folder, wanted)
        : planAgent(folder, wanted, agent, { ids, live, options, problems });
    if (found !== null) agents.push(found);
  }
  return { agents, problems };
}

const creation = (folder: string, wanted: Settings): AgentPlan => ({
  folder,
  creation: firstOf(wanted),
  changes: SETTING_KEYS.flatMap((key) =>
    wanted[key] === undefined ? [] : [{ key, before: null, after: wanted[key] }],
  ),
  update: {},
  edits: [],
  agentEdits: [],
  cases: NO_CASES,
  bases: NOTHING,
  numbers: NOTHING,
});

/** A second language with a voice of its own waits for that voice, which the draft brings. */
function firstOf(wanted: Settings): JsonObject {
  const { secondary_language: second, ...first } = creationOf(wanted);
  return second === undefined || wanted['secondary_voice_id'] != null
    ? first
    : { ...first, secondary_language: second };
}

interface Context {
  readonly ids: Pick<State, 'agents'>;
  readonly live: Live;
  readonly options: PlanOptions;
  /** Grows. */
  readonly problems: string[];
}

/** Null: the agent is as the files have it. */
function planAgent(folder: string, wanted: Settings, agent: LiveAgent, context: Context): AgentPlan | null {
  const { ids, live, options } = context;
  const names = secretNames(wanted);
  const now = toSettings(folder, agent, live, ids, names);
  const resent = (key: string): boolean =>
    options.isResent === true &&
    [...names].some(([place, name]) => isWithin(place, key) && options.read(name) !== undefined);
  const changed = new Set(
    SETTING_KEYS.filter(
      (key) => !isSame(key, now[key], wanted[key]) || (wanted[key] !== undefined && resent(key)),
    ),
  );
  if (changed.size === 0) return null;
  const problems: string[] = [];
  const raw = settingsOf(agent, live);
  const whole = Object.fromEntries(
    SETTING_KEYS.flatMap((key) => {
      const value = wanted[key] === undefined ? now[key] : applied(key, now[key], wanted[key]);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  const only = Object.fromEntries(Object.entries(whole).filter(([key]) => isNeeded(key, changed)));
  const want = namesToValues(
    toBaseIds(toAgentIds(only, ids, problems), (name) => baseId(name, live, problems)),
    masksOf(raw),
    options.read,
    problems,
    options.isResent,
  );
  if (changed.has('dtmf_settings') && want['dtmf_settings'] == null)
    problems.push('dtmf_settings cannot be removed; set dtmf_capturing_enabled instead');
  if (changed.has('llm') && wanted['llm'] == null)
    problems.push('llm cannot be removed; set provider: default instead');
  // Tools are refused that the flow of the draft lacks, so that the flow goes first and comes back last.
  const isFlowSetAside = changed.has('flow') && changed.has('on_call_tools') && now['flow'] != null;
  const plan: AgentPlan = {
    folder,
    creation: null,
    changes: [...changed].map((key) => ({ key, before: now[key] ?? null, after: whole[key] ?? null })),
    update: updateOf(want, changed),
    edits: [...(isFlowSetAside ? [NO_FLOW] : []), ...versionEdits(want, changed)],
    agentEdits: agentEdits(want, changed),
    cases: changed.has('test_cases') ? casesOf(listOf(want['test_cases']), agent) : NO_CASES,
    bases: changed.has('knowledge_bases')
      ? moved(now, wanted, 'knowledge_bases', (name) => baseId(name, live, problems))
      : NOTHING,
    numbers: changed.has('numbers')
      ? moved(now, wanted, 'numbers', (name) => numberId(name, live, problems))
      : NOTHING,
  };
  context.problems.push(...problems.map((problem) => `${folder}: ${problem}`));
  return plan;
}

/** A body may need a setting that does not change: the voice needs the language, the labels the analysis. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  language: ['voice_id', 'secondary_voice_id'],
  voice_id: ['secondary_voice_id', 'language'],
  secondary_voice_id: ['voice_id'],
  call_config: ['mute_while_bot_speaking'],
  client_analysis: ['classification_labels'],
  pre_query_response_phrases: ['pre_query_phrase_probability'],
  pre_query_phrase_probability: ['pre_query_response_phrases'],
};
const isNeeded = (key: string, changed: ReadonlySet<string>): boolean =>
  changed.has(key) || (BESIDE[key] ?? []).some((beside) => changed.has(beside));

const isWithin = (place: string, key: string): boolean =>
  place.startsWith(`${key}.`) || place.startsWith(`${key}[`);

/** Cases are the same by name; the n-th of a name is the n-th of the same name. */
function casesOf(wanted: readonly Json[], agent: LiveAgent): CasePlan {
  const left = new Map(agent.cases.map((each) => [textOf(each['id']), each]));
  const create: JsonObject[] = [];
  const change: { id: string; body: JsonObject }[] = [];
  for (const own of wanted) {
    const body = objectOf(own);
    const found = [...left].find(([, each]) => each['name'] === body['name']);
    if (found === undefined) {
      create.push(body);
      continue;
    }
    const [id, now] = found;
    left.delete(id);
    const shown = Object.fromEntries(Object.keys(body).map((key) => [key, now[key] ?? null]));
    if (!isSame('test_cases', [shown], [body])) change.push({ id, body });
  }
  return { create, change, remove: [...left.keys()] };
}

function moved(now: Settings, wanted: Settings, key: string, idOf: (name: string) => string | null) {
  const [before, after] = [now, wanted].map((each) => new Set(listOf(each[key]).map(String)));
  const ids = (names: Iterable<string>, other: ReadonlySet<string> = new Set()): string[] =>
    [...names].flatMap((name) => (other.has(name) ? [] : (idOf(name) ?? [])));
  return { attach: ids(after ?? [], before), remove: ids(before ?? [], after) };
}

function baseId(name: string, { bases }: Live, problems: string[]): string | null {
  const found = bases.filter((base) => base.id === name || base.name === name);
  if (found.length === 1) return found[0]?.id ?? null;
  problems.push(
    found.length === 0
      ? `knowledge_bases: the workspace has no knowledge base "${name}"`
      : `knowledge_bases: the workspace has ${found.length} knowledge bases "${name}": name one by its id`,
  );
  return null;
}

function numberId(name: string, { numbers }: Live, problems: string[]): string | null {
  const found = numbers.find(({ number }) => number === name);
  if (found === undefined) problems.push(`numbers: the workspace has no number ${name}`);
  return found?.id ?? null;
}

/** Changes on the service since the last pull or apply. */
export interface Drift {
  readonly folder: string;
  readonly changes: readonly PlannedChange[];
  /** The whole agent was deleted on the service, or is new there. */
  readonly whole: 'deleted' | 'new' | null;
}

/** What somebody changed on the service since the last pull or apply, unless the files have the same. Pure. */
export function driftOf(files: Files, state: State, live: Live): Drift[] {
  const known = new Set(Object.values(state.agents).map(({ id }) => id));
  const found = Object.entries(state.agents).flatMap(([folder, { id, settings }]): Drift[] => {
    const agent = live.agents.find((each) => each.id === id);
    if (agent === undefined) return [{ folder, changes: [], whole: 'deleted' }];
    const wanted = files.get(folder) ?? {};
    const now = toSettings(folder, agent, live, state, secretNames(wanted));
    const keys = SETTING_KEYS.filter(
      (key) =>
        digestOf(key, now[key]) !== settings[key] &&
        !(wanted[key] !== undefined && isSame(key, now[key], wanted[key])),
    );
    const changes = keys.map((key) => ({ key, before: wanted[key] ?? null, after: now[key] ?? null }));
    return changes.length === 0 ? [] : [{ folder, changes, whole: null }];
  });
  const added = live.agents.filter(({ id }) => !known.has(id));
  return [
    ...found,
    ...added.map(({ record }) => ({
      folder: textOf(record['agent_display_name']),
      changes: [],
      whole: 'new' as const,
    })),
  ];
}
