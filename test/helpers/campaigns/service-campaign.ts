import type { Service } from '../service/service.ts';

/** Uploads a list with the given numbers and starts it from the workspace's first number, unless `settings` of the start or `fields` of the form say otherwise. Returns its id. */
export async function startCampaign(
  service: Pick<Service, 'request' | 'url' | 'key'>,
  agentId: string,
  numbers: readonly string[],
  settings: Record<string, unknown> = {},
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const form = new FormData();
  form.set('agent_id', agentId);
  const rows = numbers.map((number) => `${number},Sam\r\n`);
  form.set('file', new Blob([`Mobile Number,callee_name\r\n${rows.join('')}`]), 'contacts.csv');
  form.set('call_config', JSON.stringify({ call_retry_config: { retry_count: 0 } }));
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const saved = await fetch(`${service.url}/api/v0/campaign/save`, {
    method: 'POST',
    headers: { 'x-api-key': service.key },
    body: form,
  });
  const { list_id: listId }: { list_id: string } = JSON.parse(await saved.text());
  const own = await service.request('GET', '/api/v0/workspace/numbers');
  const { status, body } = await service.request('POST', '/api/v0/campaign/start', {
    agent_id: agentId,
    list_id: listId,
    from_numbers: [own.body.workspace_numbers[0].id],
    ...settings,
  });
  if (status !== 200) throw new Error(`campaign not started: ${status} ${JSON.stringify(body)}`);
  return listId;
}

export const campaignOf = async (service: Pick<Service, 'request'>, id: string): Promise<any> =>
  (await service.request('GET', `/api/v0/campaign/${id}`)).body.campaign;
