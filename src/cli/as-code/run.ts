import { ServiceError } from '../api-client.ts';
import { applyFiles } from './apply.ts';
import { createService, type Service } from './client.ts';
import { readFiles, readState, writeAgent, writeState } from './disk.ts';
import {
  listOf,
  objectOf,
  Refused,
  textOf,
  type JsonObject,
  type Settings,
  type State,
} from '../../http/agents/document/document.ts';
import { driftOf, planOf, type PlanOptions } from '../../http/agents/document/plan.ts';
import { pull } from './pull.ts';
import { checkWorkspace, readLive } from './service.ts';
import { changeLines, driftLines, planLines } from './show.ts';
import { problemsOf } from './validate.ts';

export interface CodeOptions {
  readonly folder: string;
  readonly url: string;
  readonly key: string | undefined;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const NOTHING_TO_DO = 'The service has what the files have.';

/** Runs a command against the service. Resolves with its exit code: 1 refused, 2 without a key. */
async function withService(
  { url, key }: CodeOptions,
  command: (api: Service) => Promise<number>,
): Promise<number> {
  if (key === undefined || key === '') {
    console.error('No API key: set CALLWRIGHT_API_KEY, or pass --key or --key-file.');
    return 2;
  }
  return orRefused(() => command(createService(url, key)));
}

async function orRefused(command: () => Promise<number> | number): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof Refused) for (const problem of error.problems) console.error(problem);
    else if (error instanceof ServiceError)
      console.error(error.status === 0 ? error.message : `${error.status}: ${error.message}`);
    else throw error;
    return 1;
  }
}

/** Writes the agents of the service as files. Exit code 1: files and service changed the same setting, and nothing was written. */
export const runPull = (options: CodeOptions & { readonly overwrite: boolean }): Promise<number> =>
  withService(options, async (api) => {
    const { folder } = options;
    const live = await readLive(api);
    const state = stateOf(folder, live.workspaceId);
    checkWorkspace(state.workspace_id, live);
    const pulled = pull(readFiles(folder), state, live, options.overwrite);
    if (pulled.conflicts.length > 0) {
      for (const conflict of pulled.conflicts) console.error(`${conflict} changed here and on the service`);
      console.error('Nothing was written. callwright pull --overwrite takes the side of the service.');
      return 1;
    }
    const written = [...pulled.files].flatMap(([name, settings]) => writeAgent(folder, name, settings));
    writeState(folder, pulled.state);
    for (const path of written) console.log(path);
    for (const name of pulled.gone)
      console.log(
        `agents/${name}: the service has its agent no more; delete the folder, or apply creates the agent anew`,
      );
    console.log(`${counted(pulled.files.size, 'agent')}, ${counted(written.length, 'file')} changed`);
    return 0;
  });

/** Checks the files without a service. Exit code 1: they have faults. */
export const runValidate = (folder: string): Promise<number> =>
  orRefused(() => {
    const files = someFiles(folder);
    const problems = problemsOf(files);
    for (const problem of problems) console.error(problem);
    if (problems.length === 0) console.log(`${counted(files.size, 'agent')} without a fault`);
    return problems.length === 0 ? 0 : 1;
  });

/** Prints what an apply would change. Exit code 1: nothing could be applied. */
export const runPlan = (options: CodeOptions & { readonly secrets: boolean }): Promise<number> =>
  withService(options, async (api) => {
    const { files, state, live } = await readAll(api, options.folder);
    const plan = planOf(files, state, live, secretsOf(options));
    for (const agent of plan.agents) for (const line of planLines(agent)) console.log(line);
    for (const problem of plan.problems) console.error(problem);
    for (const drift of driftOf(files, state, live))
      for (const line of driftLines(drift)) console.error(line);
    if (plan.agents.length === 0) console.log(NOTHING_TO_DO);
    return plan.problems.length === 0 ? 0 : 1;
  });

/** Names what somebody changed on the service since the last pull or apply. Exit code 1: something. */
export const runAudit = (options: CodeOptions): Promise<number> =>
  withService(options, async (api) => {
    const { files, state, live } = await readAll(api, options.folder);
    const drifts = driftOf(files, state, live);
    for (const drift of drifts) for (const line of driftLines(drift)) console.log(line);
    if (drifts.length === 0) console.log(`${counted(Object.keys(state.agents).length, 'agent')}, no drift`);
    return drifts.length === 0 ? 0 : 1;
  });

/** Changes the service into what the files have. Exit code 1: refused, and the printed agents are applied. */
export const runApply = (
  options: CodeOptions & { readonly secrets: boolean; readonly note: string },
): Promise<number> =>
  withService(options, async (api) => {
    const { folder, note } = options;
    const { files, state, live } = await readAll(api, folder);
    const problems = problemsOf(files);
    if (problems.length > 0) throw new Refused(problems);
    const drifts = driftOf(files, state, live).filter(({ whole }) => whole !== 'new');
    if (drifts.length > 0) {
      for (const drift of drifts) for (const line of driftLines(drift)) console.error(line);
      console.error('Nothing was applied. callwright pull takes these changes over.');
      return 1;
    }
    const plan = planOf(files, state, live, secretsOf(options));
    if (plan.agents.length === 0 && plan.problems.length === 0) {
      console.log(NOTHING_TO_DO);
      return 0;
    }
    await applyFiles(
      api,
      files,
      { state, live },
      {
        ...secretsOf(options),
        note,
        save: (next) => writeState(folder, next),
        print: (line) => console.log(line),
      },
    );
    const left = planOf(files, stateOf(folder, live.workspaceId), await readLive(api), {
      read: secretsOf(options).read,
    });
    for (const agent of left.agents) {
      console.error(`${agent.folder}: the service has stored this in another form; callwright pull shows it`);
      for (const line of agent.changes.flatMap(changeLines)) console.error(line);
    }
    console.log('Applied.');
    return 0;
  });

/** Goes back to an earlier version of an agent, by its folder, name or id. */
export const runRollback = (
  agent: string,
  version: string,
  options: CodeOptions & { readonly note: string | undefined },
): Promise<number> =>
  withService(options, async (api) => {
    const { data } = await api.get<{ data: { agents: JsonObject[] } }>('/agent/all');
    const id =
      readState(options.folder)?.agents[agent]?.id ??
      textOf(
        data.agents.find((each) => each['id'] === agent || each['agent_display_name'] === agent)?.['id'],
      );
    if (id === '') throw new Refused([`this workspace has no agent "${agent}"`]);
    const { versions } = await api.get<JsonObject>(`/agent/${id}/versions?limit=200`);
    const found = listOf(versions)
      .map(objectOf)
      .find((each) => each['version_id'] === version || each['version_slug'] === version);
    if (found === undefined) throw new Refused([`the agent has no version "${version}"`]);
    const { note } = options;
    const made = await api.send('POST', `/agent/${id}/rollback`, {
      version_id: found['version_id'] ?? '',
      ...(note === undefined ? {} : { note }),
    });
    console.log(`${agent} is back to ${textOf(found['version_slug'])}, as ${textOf(made['version_slug'])}.`);
    console.log('callwright pull takes it over into the files.');
    return 0;
  });

/** Everything that a plan needs. */
async function readAll(api: Service, folder: string) {
  const files = someFiles(folder);
  const live = await readLive(api);
  const state = stateOf(folder, live.workspaceId);
  checkWorkspace(state.workspace_id, live);
  return { files, state, live };
}

/** Throws Refused for a folder without agents, so that a mistyped folder is not taken for one without a fault. */
function someFiles(folder: string): Map<string, Settings> {
  const files = readFiles(folder);
  if (files.size === 0)
    throw new Refused([
      `${folder} has no agents/NAME/agent.yaml: set --folder, or run callwright pull first`,
    ]);
  return files;
}

const stateOf = (folder: string, workspaceId: string): State =>
  readState(folder) ?? { format: 1, workspace_id: workspaceId, agents: {} };

const secretsOf = ({ secrets }: { readonly secrets: boolean }): PlanOptions => ({
  read: (name) => process.env[name],
  isResent: secrets,
});
