import type { OperationInput, OperationName } from '../../../domain/agents/edit/operations.ts';
import type { ImportEdit } from '../../../domain/agents/import-agent.ts';
import { ApiError, type FieldProblem } from '../../../errors/api-error.ts';
import { errors } from '../../../errors.ts';
import { EDITS } from '../edit/edits.ts';
import {
  listOf,
  objectOf,
  type Json,
  type JsonObject,
  type Live,
  type LiveAgent,
  type Settings,
  type State,
} from './document.ts';
import type { PlannedEdit } from './edits.ts';
import { namedAgents, settingsOf, toSettings } from './names.ts';
import { planOf } from './plan.ts';
import { masksOf, secretNames } from './secrets.ts';
import { SETTING_KEYS } from './settings.ts';

/** The names of the agents that a document may hand conversations over to, each to its id. */
export type AgentNames = ReadonlyMap<string, string>;
/** Stands for the agent of the document: no name of an agent has a blank. */
const OWN = ' own';
const NEEDED = ['name', 'language', 'voice_id', 'intro_message', 'prompt'];
/** Of the agent and not of a version, so that a draft does not take them. */
const OF_THE_AGENT = ['name', 'classification_labels', 'test_cases'];

const stateOf = (id: string, names: AgentNames): State => ({
  format: 1,
  workspace_id: '',
  agents: {
    ...Object.fromEntries([...names].map(([name, own]) => [name, { id: own, settings: {} }])),
    [OWN]: { id, settings: {} },
  },
});
const liveOf = (agent: LiveAgent, bases: Live['bases']): Live => ({
  workspaceId: '',
  agents: [agent],
  bases,
  numbers: [],
});

/** The settings of a version as a document has them: names instead of ids, `{secret: NAME}` instead of masks. */
export function exported(
  agent: LiveAgent,
  bases: Live['bases'],
  names: AgentNames,
  prefix: string,
): Settings {
  return toSettings(prefix, agent, liveOf(agent, bases), {
    agents: Object.fromEntries([...names].map(([name, id]) => [name, { id, settings: {} }])),
  });
}

/** Throws 422 for a document that lacks what every agent has. */
export function checkWhole(document: Settings): void {
  const lacking = NEEDED.filter((key) => document[key] == null);
  if (lacking.length > 0)
    throw errors.validationFailed(
      lacking.map((key) => ({ field: `document.${key}`, message: 'is required for a new agent' })),
    );
}

/** What leads from a version of the service to the document. Pure; throws 422. */
export function planImport(
  document: Settings,
  target: {
    readonly agent: LiveAgent;
    readonly bases: Live['bases'];
    readonly names: AgentNames;
    readonly isNew: boolean;
  },
  secrets: Readonly<Record<string, string>>,
): { edits: ImportEdit[]; cases: readonly JsonObject[]; leftOut: string[] } {
  const { agent, bases, names, isNew } = target;
  const live = liveOf(agent, bases);
  const masks = masksOf(settingsOf(agent, live));
  checkNames(
    document,
    names,
    [...secretNames(document)],
    (place, name) => masks.has(place) || name in secrets,
  );
  const { agents, problems } = planOf(new Map([[OWN, document]]), stateOf(agent.id, names), live, {
    read: (name) => (Object.hasOwn(secrets, name) ? secrets[name] : undefined),
    isResent: true,
  });
  if (problems.length > 0) throw errors.validationFailed(problems.map(toProblem));
  const [plan] = agents;
  if (plan === undefined) return { edits: [], cases: [], leftOut: [] };
  if (Object.keys(plan.update).length > 0)
    throw errors.validationFailed(
      plan.changes
        .filter(({ key }) => ['type', 'language', 'secondary_language', 'voice_id'].includes(key))
        .map(({ key, before }) => ({
          field: `document.${key}`,
          message: `must stay ${shown(before)} in a draft; import the document as a new agent`,
        })),
    );
  const ofBases = (operation: string, ids: readonly string[]): PlannedEdit[] =>
    ids.map((kb_id) => ({ operation, keys: ['knowledge_bases'], fields: { kb_id } }));
  const planned = [
    ...ofBases('remove_kb', plan.bases.remove),
    ...ofBases('attach_kb', plan.bases.attach),
    ...plan.edits,
    ...(isNew ? plan.agentEdits : []),
  ];
  return {
    edits: planned.map(toEdit),
    cases: isNew ? listOf(document['test_cases']).map(objectOf) : [],
    leftOut: isNew ? [] : plan.changes.map(({ key }) => key).filter((key) => OF_THE_AGENT.includes(key)),
  };
}

function checkNames(
  document: Settings,
  names: AgentNames,
  secrets: readonly (readonly [place: string, name: string])[],
  isKnown: (place: string, name: string) => boolean,
): void {
  const problems: FieldProblem[] = [
    ...namedAgents(document)
      .filter((name) => !names.has(name))
      .map((name) => ({
        field: 'document.handoffs',
        message: `names the agent ${name.slice(0, 100)}, which the workspace does not have`,
      })),
    ...secrets
      .filter(([place, name]) => !isKnown(place, name))
      .map(([place, name]) => ({
        field: `secrets.${name.slice(0, 200)}`,
        message: `is required: document.${place} has only its name`,
      })),
  ];
  if (problems.length > 0) throw errors.validationFailed(problems);
}

/** A sentence of the plan, such as ` own: knowledge_bases: the workspace has none`. */
function toProblem(sentence: string): FieldProblem {
  const text = sentence.slice(`${OWN}: `.length);
  const key = SETTING_KEYS.find((each) => text.startsWith(each)) ?? '';
  return {
    field: key === '' ? 'document' : `document.${key}`,
    message: text.slice(key.length).replace(/^[: ]+/u, ''),
  };
}

const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

function toEdit(planned: PlannedEdit): ImportEdit {
  const refused = (error: ApiError): ApiError => inDocument(planned, error);
  const edit = EDITS.find(({ wire }) => wire === planned.operation);
  if (edit === undefined) throw errors.invalid('document', `has no operation ${planned.operation}`);
  let input: OperationInput<OperationName>;
  try {
    input = edit.read(planned.fields);
  } catch (error) {
    throw error instanceof ApiError ? refused(error) : error;
  }
  return { name: edit.operation, input, refused };
}

const SECTION = /^agent_prompt\.prompt_sections\[(\d+)\]\.section_(title|content)/u;

/** The error with the fields of the document instead of those of the operation. */
function inDocument({ keys }: PlannedEdit, error: ApiError): ApiError {
  const key = keys[0] ?? '';
  const fields = error.fields.map(({ field, message }) => {
    const own = field.replace(SECTION, 'prompt[$1].$2');
    const isOwn = SETTING_KEYS.some(
      (each) => own === each || own.startsWith(`${each}.`) || own.startsWith(`${each}[`),
    );
    return { field: `document.${isOwn ? own : `${key}.${own}`}`, message };
  });
  if (fields.length > 0) return errors.validationFailed(fields);
  return new ApiError(error.status, error.code, `document.${key}: ${error.message}`, [], error.details);
}
