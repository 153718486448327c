import { createApiClient, ServiceError, type ApiClient } from './api-client.ts';
import { colours, noColours, type Ink } from './live-view.ts';

export interface TestOptions {
  url: string;
  key: string | undefined;
  /** Ids or names of cases; none: all. */
  case: string[];
  /** Id or name of a version. */
  agentVersion: string | undefined;
  runTools: boolean;
  /** Replies of another engine than the agent's first model are not judged as passed. */
  strict: boolean;
  json: boolean;
}
interface Run {
  run_id: string;
  state: 'running' | 'ended';
  result: 'passed' | 'failed' | 'not_judged' | 'error' | null;
  version_slug: string;
  counts: Record<string, number>;
  results: readonly CaseResult[];
}
interface Fault {
  message: string;
}
interface Turn {
  engine: 'model' | 'script' | 'apology' | null;
  is_fallback: boolean;
  vendor_faults: readonly Fault[];
}
interface CaseResult {
  turns: readonly Turn[];
  name: string;
  state: string;
  error: string | null;
  verdicts: readonly { result: 'held' | 'not_held' | 'not_judged'; reason: string }[];
}
interface Agent {
  id: string;
  agent_display_name: string;
}

const WAIT_SECONDS = 25;

const FAILED = 1;
const UNDECIDED = 3;

/**
 * Runs test cases of an agent and shows what did not hold. Resolves with the exit code: 0 every expectation held, 1 a case
 * failed or the service refused, 2 the command is incomplete, 3 nothing is decided: a case could not be played or judged.
 */
export async function runTestAgent(agent: string, options: TestOptions): Promise<number> {
  if (options.key === undefined || options.key === '') {
    console.error('No API key: set CALLWRIGHT_API_KEY, or pass --key or --key-file.');
    return 2;
  }
  const api = createApiClient(options.url, options.key);
  try {
    const run = await runToEnd(api, agent, options);
    if (options.json) console.log(JSON.stringify(run));
    else show(run, process.stdout.isTTY ? colours : noColours);
    return exitCodeOf(run, options.strict);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    console.error(error.status === 0 ? error.message : `${error.status}: ${error.message}`);
    return 1;
  }
}

/** A failed case outweighs an undecided one: it says something about the agent. */
function exitCodeOf({ result, results }: Run, isStrict: boolean): number {
  if (results.some(({ state }) => state === 'failed')) return FAILED;
  if (result !== 'passed') return UNDECIDED;
  return isStrict && results.some(hasFallback) ? UNDECIDED : 0;
}

const hasFallback = ({ turns }: CaseResult): boolean => turns.some((turn) => turn.is_fallback);

async function runToEnd(api: ApiClient, wanted: string, options: TestOptions): Promise<Run> {
  const { id } = await findAgent(api, wanted);
  const body = {
    run_tools: options.runTools,
    ...(options.case.length === 0 ? {} : { case_ids: await findCases(api, id, options.case) }),
    ...(options.agentVersion === undefined
      ? {}
      : { version_id: await findVersion(api, id, options.agentVersion) }),
  };
  let { test_run: run } = await api.post<{ test_run: Run }>(`/agent/${id}/test-cases/run`, body);
  while (run.state === 'running') {
    const path = `/agent/${id}/test-runs/${run.run_id}?wait_seconds=${WAIT_SECONDS}`;
    ({ test_run: run } = await api.get<{ test_run: Run }>(path));
  }
  return run;
}

async function findAgent(api: ApiClient, wanted: string): Promise<Agent> {
  const { data } = await api.get<{ data: { agents: Agent[] } }>('/agent/all');
  const found = data.agents.find((each) => each.id === wanted || each.agent_display_name === wanted);
  if (found === undefined) throw new ServiceError(404, `this workspace has no agent "${wanted}"`);
  return found;
}

async function findCases(api: ApiClient, agentId: string, wanted: readonly string[]): Promise<string[]> {
  const { test_cases: cases } = await api.get<{ test_cases: { id: string; name: string }[] }>(
    `/agent/${agentId}/test-cases`,
  );
  return wanted.map((each) => {
    const found = cases.find(({ id, name }) => id === each || name === each);
    if (found === undefined) throw new ServiceError(404, `the agent has no test case "${each}"`);
    return found.id;
  });
}

async function findVersion(api: ApiClient, agentId: string, wanted: string): Promise<string> {
  const { agents } = await api.get<{
    agents: { version_details: Record<string, { version_id: string; version_slug: string }> };
  }>(`/agent/${agentId}`);
  const found = Object.values(agents.version_details).find(
    (each) => each.version_id === wanted || each.version_slug === wanted,
  );
  if (found === undefined) throw new ServiceError(404, `the agent has no version "${wanted}"`);
  return found.version_id;
}

function show(run: Run, ink: Ink): void {
  for (const result of run.results) {
    const { name, state, error, verdicts, turns } = result;
    console.log(`${ink.bold(state.padEnd(10))}  ${name}`);
    if (error !== null) console.log(`            ${error}`);
    for (const { result: held, reason } of verdicts)
      if (held !== 'held')
        console.log(`            ${held === 'not_held' ? 'not held' : 'not judged'}: ${reason}`);
    if (hasFallback(result)) console.log(`            ${fallbackOf(turns)}`);
  }
  const counts = Object.entries(run.counts).map(([state, count]) => `${count} ${state}`);
  console.log(ink.dim(`version ${run.version_slug}: ${counts.join(', ')}`));
}

function fallbackOf(turns: readonly Turn[]): string {
  const faults = turns.flatMap(({ vendor_faults: all }) => all.map(({ message }) => message));
  const why = faults[0] === undefined ? '' : `: ${faults[0]}`;
  return `another engine than the agent's first model replied${why}`;
}
