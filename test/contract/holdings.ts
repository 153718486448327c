import { createAgent } from '../helpers/service/scenario.ts';
import type { Service } from '../helpers/service/service.ts';

const CONTACTS = 'Mobile Number,callee_name\n+14155550111,Priya\n+14155550112,Ravi\n';

/** Makes one object of each kind in the workspace; its ids by parameter name, for the dictionaries of schemathesis.toml. */
export async function makeHoldings(service: Service): Promise<Record<string, string>> {
  const ask = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await service.request(method, `/api/v0${path}`, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  };
  const agent = await createAgent(service);
  const { agents } = await ask('GET', `/agent/${agent}`);
  const { voices } = await ask('GET', '/agent/voices?language=en-US');
  const { workspace_numbers: numbers } = await ask('GET', '/workspace/numbers');
  const own = numbers.find((number: { is_test_number: boolean }) => !number.is_test_number);
  const { data: call } = await ask('POST', '/calling/outbound/individual', {
    name: 'Priya',
    mobile_number: '+14155550123',
    agent_id: agent,
    from_number_id: own.id,
  });
  const { kb_id: knowledge } = await ask('POST', '/external/kb', {
    kb_name: 'Prices',
    faqs: [{ question: 'What does it cost?', answer: 'Nothing at all.' }],
  });
  const { test_case: testCase } = await ask('POST', `/agent/${agent}/test-cases`, {
    name: 'Says hello',
    lines: ['Hello.'],
    expectations: [{ type: 'says', any_of: ['Hello'] }],
  });
  const { data: chat } = await ask('POST', `/agent/${agent}/test`, {}).then(
    ({ session_id: id }: { session_id: string }) => ({ data: { chat_id: id } }),
  );
  const { number_pool: pool } = await ask('POST', '/number-pool', { name: 'Pool', from_number_ids: [] });
  const { sub_workspace: child } = await ask('POST', '/workspace/sub', { name: 'Child' });
  return {
    AGENT: agent,
    VERSION: agents.active_agent_version_id,
    VOICE: voices[0].id,
    NUMBER: own.id,
    CALL: call.call_id,
    KNOWLEDGE: knowledge,
    TEST_CASE: testCase.id,
    CHAT: chat.chat_id,
    POOL: pool.id,
    CHILD: child.id,
    CAMPAIGN: await saveCampaign(service, agent),
  };
}

async function saveCampaign(service: Service, agent: string): Promise<string> {
  const form = new FormData();
  form.set('agent_id', agent);
  form.set('campaign_name', 'Spring');
  form.set('country_code', '+1');
  form.set('file', new Blob([CONTACTS], { type: 'text/csv' }), 'contacts.csv');
  const answer = await fetch(`${service.url}/api/v0/campaign/save`, {
    method: 'POST',
    headers: { 'x-api-key': service.key },
    body: form,
  });
  const body = (await answer.json()) as { list_id?: string };
  if (body.list_id === undefined) throw new Error(`POST /campaign/save: ${JSON.stringify(body)}`);
  return body.list_id;
}
