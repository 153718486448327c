import { createApiClient, ServiceError } from '../api-client.ts';
import { settingsOf } from '../../http/agents/document/names.ts';
import { objectOf, textOf, type JsonObject, type Settings } from '../../http/agents/document/document.ts';

export interface ServiceOptions {
  readonly url: string;
  readonly key: string;
}

/** What `settingsOf` names by their ids without it. */
const NOTHING = { workspaceId: '', agents: [], bases: [], numbers: [] };

/** An agent of the service, by id or name, as a version has it; null: the active one. Throws ServiceError. */
export async function readVersion(
  { url, key }: ServiceOptions,
  wanted: string,
  version: string | null,
): Promise<Settings> {
  const api = createApiClient(url, key);
  const { data } = await api.get<{ data: { agents: { id: string; agent_display_name: string }[] } }>(
    '/agent/all',
  );
  const found = data.agents.find((each) => each.id === wanted || each.agent_display_name === wanted);
  if (found === undefined) throw new ServiceError(404, `this workspace has no agent "${wanted}"`);
  const { agents } = await api.get<{ agents: JsonObject }>(`/agent/${found.id}`);
  const { version_details: versions, ...record } = agents;
  const [, chosen] =
    Object.entries(objectOf(versions)).find(([id, each]) =>
      version === null
        ? id === textOf(record['active_agent_version_id'])
        : id === version || textOf(objectOf(each)['version_slug']) === version,
    ) ?? [];
  if (chosen === undefined) throw new ServiceError(404, `the agent has no version "${version ?? ''}"`);
  return settingsOf({ id: found.id, tag: '', record, version: objectOf(chosen), cases: [] }, NOTHING);
}
