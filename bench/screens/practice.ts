import { APPOINTMENT_REMINDER } from '../../src/shared/flow-templates/appointment-reminder.ts';
import type { Service } from '../../test/helpers/service/service.ts';

/** Of the test carrier: people who answer, busy, no answer, voicemail, silence, and some who hang up. */
const PEOPLE = [
  ['Alice Moore', '+14155550123'],
  ['Pat O’Neil', '+14155550002'],
  ['Dan Wu', '+14155550004'],
  ['Bob Stone', '+14155550003'],
  ['Eva Lind', '+14155550005'],
  ['Ivo Quist', '+14155550141'],
  ['Pia Khan', '+14155550142'],
] as const;
/** They are on the phone while the pictures of live calls are taken. */
const TALKERS = ['Hana Jones', 'Jade Novak', 'Leo Brandt', 'Mira Sato'] as const;
const ENDED_LIMIT_MS = 120_000;
/** Callers and assistants have said their first lines this long after the answer. */
const TALKED_MS = 9_000;
const ALWAYS = { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' };

/** What a small practice has after its first day, so that the pictures show screens in use. */
export interface Practice {
  readonly agentId: string;
  /** An assistant with a flow. */
  readonly flowId: string;
  readonly campaignId: string;
  /** A call that was answered. */
  readonly callId: string;
  /** Resolves once some calls are being talked. */
  ring(): Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function openPractice(service: Service): Promise<Practice> {
  const key = await service.ownKey();
  const send = async (
    method: string,
    path: string,
    body?: string | FormData,
    type?: string,
  ): Promise<any> => {
    const response = await fetch(`${service.url}/api/v0${path}`, {
      method,
      headers: { 'x-api-key': key, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  const get = (path: string): Promise<any> => send('GET', path);
  const post = (path: string, body: object, method = 'POST'): Promise<any> =>
    send(method, path, JSON.stringify(body), 'application/json');

  const agentId: string = (await get('/agent/all')).data.agents[0].id;
  const numberId: string = (await get('/workspace/numbers')).workspace_numbers[0].id;
  const call = async (name: string, number: string): Promise<string> =>
    (
      await post('/calling/outbound/individual', {
        name,
        mobile_number: number,
        agent_id: agentId,
        from_number_id: numberId,
      })
    ).data.call_id;
  const count = async (status: string): Promise<number> =>
    (await get(`/calling/history?status=${status}`)).total;
  /** A list of people with every value that the assistant speaks of. */
  const campaign = async (): Promise<string> => {
    const { agents } = await get(`/agent/${agentId}`);
    const { custom_variables: variables = [] } =
      agents.version_details[agents.active_agent_version_id].agent_config;
    const own: string[] = variables.filter((one: string) => one !== 'callee_name' && one !== 'mobile_number');
    const rows = PEOPLE.map(([name, number]) => [number, name, ...own.map(() => 'Tuesday at ten')].join(','));
    const form = new FormData();
    form.append('agent_id', agentId);
    form.append('campaign_name', 'Spring recall');
    form.append(
      'variables_map',
      JSON.stringify({
        mobile_number: 'Phone',
        callee_name: 'Name',
        ...Object.fromEntries(own.map((one) => [one, one])),
      }),
    );
    form.append('call_config', JSON.stringify({ call_time: ALWAYS, call_retry_config: { retry_count: 1 } }));
    const list = [['Phone', 'Name', ...own].join(','), ...rows].join('\n');
    form.append('file', new Blob([list], { type: 'text/csv' }), 'recall.csv');
    const { list_id: id } = await send('POST', '/campaign/save', form);
    await post('/campaign/start', { agent_id: agentId, list_id: id, from_numbers: [numberId] });
    return id;
  };

  const { voices } = await get('/agent/voices?language=en-US');
  const flowId = await flowAssistant(post, voices[0].id);
  const placed: string[] = [];
  for (const [name, number] of PEOPLE) placed.push(await call(name, number));
  const campaignId = await campaign();
  const until = Date.now() + ENDED_LIMIT_MS;
  while (Date.now() < until && (await count('ongoing')) + (await count('registered')) > 0) await pause(1_000);
  return {
    agentId,
    flowId,
    campaignId,
    callId: placed.at(-1) ?? '',
    async ring() {
      for (const [index, name] of TALKERS.entries()) await call(name, `+1415555015${index}`);
      const limit = Date.now() + ENDED_LIMIT_MS;
      while (Date.now() < limit && (await count('ongoing')) < TALKERS.length) await pause(500);
      await pause(TALKED_MS);
    },
  };
}

/** The assistant of a template, with its flow. */
async function flowAssistant(
  post: (path: string, body: object, method?: string) => Promise<any>,
  voiceId: string,
): Promise<string> {
  const { opening, objective, guidelines, task, flow, type } = APPOINTMENT_REMINDER;
  const made = await post('/public/agent', {
    agent_name: 'Rita, reminders',
    agent_type: type,
    introduction_and_objective: objective,
    response_guidelines: guidelines,
    task,
    primary_language: 'en-US',
    voice_id: voiceId,
    intro_message: opening,
    custom_variables: ['callee_name', 'mobile_number', 'visit_day', 'visit_time'],
  });
  const { id } = made.data;
  await post('/agent/v1', { operation: 'edit_flow', agent_id: id, flow }, 'PATCH');
  return id;
}
