import type { Service } from './client.ts';
import {
  listOf,
  objectOf,
  Refused,
  textOf,
  type JsonObject,
  type Live,
  type LiveAgent,
} from '../../http/agents/document/document.ts';

/** Reads every agent of the workspace with its test cases, and what agents are joined to. Throws ServiceError. */
export async function readLive(api: Service): Promise<Live> {
  const { workspace_info: workspace } = await api.get<{ workspace_info: { id: string } }>('/workspace');
  const { data } = await api.get<{ data: { agents: { id: string }[] } }>('/agent/all');
  const bases = await api.get<{ kb_id: string; kb_name: string }[]>('/external/kb/all');
  const { workspace_numbers: numbers } = await api.get<{
    workspace_numbers: {
      id: string;
      number: string;
      agent: { id: string } | null;
      is_test_number: boolean;
    }[];
  }>('/workspace/numbers');
  const agents: LiveAgent[] = [];
  for (const { id } of data.agents) agents.push(await readAgent(api, id));
  return {
    workspaceId: workspace.id,
    agents,
    bases: bases.map(({ kb_id: id, kb_name: name }) => ({ id, name })),
    numbers: numbers
      .filter((number) => !number.is_test_number)
      .map(({ id, number, agent }) => ({ id, number, agentId: agent?.id ?? null })),
  };
}

export async function readAgent(api: Service, id: string): Promise<LiveAgent> {
  const { body, tag } = await api.tagged(`/agent/${id}`);
  const { version_details: versions, ...record } = objectOf(body['agents']);
  const version = objectOf(objectOf(versions)[textOf(record['active_agent_version_id'])]);
  const { test_cases: cases } = await api.get<JsonObject>(`/agent/${id}/test-cases`);
  return { id, tag, record, version, cases: listOf(cases).map(objectOf) };
}

/** The same workspace with another state of one agent. */
export const withAgent = (live: Live, agent: LiveAgent): Live => ({
  ...live,
  agents: [...live.agents.filter(({ id }) => id !== agent.id), agent],
});

/** Throws Refused for a state of another workspace. */
export function checkWorkspace(stateOf: string, live: Live): void {
  if (stateOf !== live.workspaceId)
    throw new Refused([
      `the state is of the workspace ${stateOf}, and the key is of ${live.workspaceId}: use a folder for each workspace`,
    ]);
}
