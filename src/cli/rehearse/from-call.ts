import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readLog } from '@callwright/turns';
import { stringify } from 'yaml';
import { storyOf } from '../../rehearsal/detect/story.ts';
import { scenarioOf, type ScenarioFacts } from '../../rehearsal/scenario/from-story.ts';
import { createApiClient, ServiceError } from '../api-client.ts';

export interface FromCallOptions {
  readonly agent: string | undefined;
  readonly url: string;
  readonly key: string | undefined;
}

/** A saved log, by its name. */
const LOG = /\.jsonl$/;

/**
 * Prints a scenario from a call of the service, or from a saved log: its caller says again what the person said. Resolves with the exit
 * code: 1 when the call has no event log, 2 without a key.
 */
export async function runFromCall(call: string, options: FromCallOptions): Promise<number> {
  const { agent, url, key } = options;
  try {
    if (LOG.test(call))
      return print(await readFile(call, 'utf8'), { name: basename(call, '.jsonl'), ...agentOf(agent) });
    if (key === undefined || key === '') {
      console.error('No API key: set CALLWRIGHT_API_KEY, or pass --key or --key-file.');
      return 2;
    }
    const api = createApiClient(url, key);
    const id = encodeURIComponent(call);
    const { data: details } = await api.get<{
      data: { agent_name: string; custom_args_values: Record<string, string> | null };
    }>(`/calling/call-details?id=${id}`);
    const { data } = await api.get<{ data: { log: string } }>(`/calling/replay?id=${id}&send_log=true`);
    const variables = details.custom_args_values ?? {};
    return print(data.log, { name: `Call ${call}`, ...agentOf(agent ?? details.agent_name), variables });
  } catch (error) {
    const status = error instanceof ServiceError && error.status !== 0 ? `${error.status}: ` : '';
    console.error(`${status}${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

const agentOf = (agent: string | undefined): Pick<ScenarioFacts, 'agent'> =>
  agent === undefined ? {} : { agent };

function print(text: string, facts: ScenarioFacts): number {
  const { settings, entries } = readLog(text);
  const story = storyOf(
    settings,
    entries.map(({ event }) => event),
  );
  console.log(stringify([scenarioOf(story, facts)], { lineWidth: 0 }).trimEnd());
  return 0;
}
