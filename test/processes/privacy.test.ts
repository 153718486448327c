import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOwnerKey } from '../helpers/api/owner-key.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { createAgent, place, subscribe, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

/** Unique values, by the place where they enter the program. */
const CANARY = {
  apiKey: 'cw_live_canarykeycanarykeycanarykey1',
  wrongKey: 'cw_live_wrongcanarywrongcanarywrong1',
  calleeName: 'Zebulon Quixworth',
  calleeNumber: '+14155559317',
  callerNumber: '+14155558264',
  argument: 'argcanary-5551',
  prompt: 'Quillfeather',
  introMessage: 'Marmaduke',
  hookHeader: 'Bearer hookcanary77',
  hookToken: 'urlcanary88',
  trunkPassword: 'trunkcanary99',
  ownerPassword: 'ownercanary66',
  ownerEmail: 'canary.owner@example.com',
  badBody: 'bodycanary44',
  secretKey: 'sealcanarysealcanarysealcanaryseal',
  storeKeyId: 'STORECANARY22',
  storeSecret: 'storesecretcanary11',
  toolHeader: 'toolheadcanary21',
  toolQuery: 'toolquerycanary23',
  toolBody: 'toolbodycanary25',
  contactName: 'Thelonius Brackwater',
  contactNumber: '+14155556071',
  contactValue: 'contactcanary27',
  campaignName: 'campaigncanary29',
  campaignCallback: 'cbcanary31',
  erasedNumber: '+14155557392',
  refusedNumber: '(415) 555-6073',
  refusedName: 'Ottoline Grimsdyke',
  ownReceiver: 'owncanary33',
  ownHeader: 'ownheadcanary35',
  mcpHeader: 'mcpheadcanary37',
  mcpQuery: 'mcpquerycanary39',
  transferTo: '+14155558851',
  briefing: 'briefingcanary41',
  embeddingsKey: 'embedcanary43embedcanary43',
  question: 'Do you treat Barnabellas?',
  query: 'askedcanary45',
};

let database: TestDatabase;
let receiver: WebhookReceiver;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  // The first response makes a delivery fail, which is logged.
  receiver = await startWebhookReceiver((n) => (n === 1 ? 500 : 200));
  service = await startService({
    key: CANARY.apiKey,
    env: {
      DATABASE_URL: database.url,
      // An unreachable store: its failures are logged.
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_BUCKET: 'recordings',
      S3_ACCESS_KEY_ID: CANARY.storeKeyId,
      S3_SECRET_ACCESS_KEY: CANARY.storeSecret,
      SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
      LOG_LEVEL: 'trace',
      SECRET_KEY: CANARY.secretKey,
      // Unreachable, too.
      EMBEDDINGS_BASE_URL: 'http://127.0.0.1:9/v1',
      EMBEDDINGS_API_KEY: CANARY.embeddingsKey,
      EMBEDDINGS_MODEL: 'none',
    },
    provision: {
      trunks: [{ name: 'away', uri: 'sip:127.0.0.1:9', username: 'u', password: CANARY.trunkPassword }],
      workspaces: [
        {
          name: 'Test',
          api_key: CANARY.apiKey,
          credits: 1000,
          owner: { email: CANARY.ownerEmail, password: CANARY.ownerPassword },
          numbers: [{ number: CANARY.callerNumber, trunk: 'test' }],
        },
      ],
    },
  });
  await makeOwnerKey(database.url, CANARY.apiKey);
});
afterAll(async () => {
  await service?.dispose();
  await receiver?.close();
  await database?.close();
});

/** A call whose pre-call and on-call tools fail. */
async function withTools(): Promise<void> {
  const agentId = await createAgent(service, { custom_variables: ['pet'] });
  const tool = {
    type: 'API_TOOL',
    name: 'look_up',
    description: 'Looks up.',
    method: 'POST',
    url: 'http://127.0.0.1:9/lookup',
    headers: { authorization: `Bearer ${CANARY.toolHeader}` },
    query: { token: CANARY.toolQuery },
    body: { pet: CANARY.toolBody, number: '{{mobile_number}}' },
  };
  for (const kind of ['pre_call', 'on_call', 'post_call']) {
    const change = { operation: `edit_${kind}_tools`, agent_id: agentId, [`${kind}_tools`]: [tool] };
    const { status, body } = await service.request('PATCH', '/api/v0/agent/v1', change);
    expect([status, body]).toEqual([200, expect.anything()]);
  }
  const tools = [
    tool,
    {
      type: 'MCP_SERVER',
      name: 'crm',
      url: `http://127.0.0.1:9/mcp?token=${CANARY.mcpQuery}`,
      headers: { authorization: `Bearer ${CANARY.mcpHeader}` },
    },
    {
      type: 'CALL_TRANSFER_TOOL',
      name: 'to_desk',
      transfer_to: CANARY.transferTo,
      mode: 'warm',
      briefing: `${CANARY.briefing} {{mobile_number}}`,
    },
  ];
  const change = { operation: 'edit_on_call_tools', agent_id: agentId, on_call_tools: tools };
  const edited = await service.request('PATCH', '/api/v0/agent/v1', change);
  expect([edited.status, edited.body]).toEqual([200, expect.anything()]);
  const { status, body } = await service.request('POST', '/api/v0/calling/v2/outbound/individual', {
    name: CANARY.calleeName,
    mobile_number: CANARY.calleeNumber,
    agent_id: agentId,
    from_number: CANARY.callerNumber,
    custom_args_values: { pet: CANARY.argument },
    callback_url: 'http://127.0.0.1:9/own',
    callback_args: { params: { token: CANARY.ownReceiver }, headers: { 'x-own': CANARY.ownHeader } },
  });
  expect([status, body]).toEqual([200, expect.anything()]);
  await whenOver(service, body.data.call_id);
}

/** Knowledge whose embedding fails, and a question about it. */
async function withKnowledge(): Promise<void> {
  const faqs = [{ question: CANARY.question, answer: 'Yes.' }];
  const made = await service.request('POST', '/api/v0/external/kb', { kb_name: 'Prices', faqs });
  expect([made.status, made.body]).toEqual([200, expect.anything()]);
  const query = { query: CANARY.query };
  const answer = await service.request('POST', `/api/v0/external/kb/${made.body.kb_id}/query`, query);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  await eventually('embedding to fail', async () => {
    const { body } = await service.request('GET', `/api/v0/external/kb/${made.body.kb_id}`);
    return JSON.stringify(body).includes('"failed"') ? true : null;
  });
}

/** A campaign of one contact with its own receiver. */
async function withCampaign(agentId: string): Promise<void> {
  const form = new FormData();
  const list = `Mobile Number,Name,pet\n${CANARY.contactNumber},${CANARY.contactName},${CANARY.contactValue}\n${CANARY.refusedNumber},${CANARY.refusedName},x\n`;
  form.set('remove_invalid_rows', 'true');
  form.set('file', new Blob([list], { type: 'text/csv' }), 'list.csv');
  form.set('agent_id', agentId);
  form.set('campaign_name', CANARY.campaignName);
  form.set(
    'variables_map',
    JSON.stringify({ mobile_number: 'Mobile Number', callee_name: 'Name', pet: 'pet' }),
  );
  const saved = await fetch(`${service.url}/api/v0/campaign/save`, {
    method: 'POST',
    headers: { 'x-api-key': CANARY.apiKey },
    body: form,
  });
  const { list_id: listId } = (await saved.json()) as { list_id: string };
  expect(saved.status).toBe(200);
  const numbers = await service.request('GET', '/api/v0/workspace/numbers');
  const { status } = await service.request('POST', '/api/v0/campaign/start', {
    agent_id: agentId,
    list_id: listId,
    from_numbers: [numbers.body.workspace_numbers[0].id],
    callback_url: `${receiver.url}?token=${CANARY.campaignCallback}`,
  });
  expect(status).toBe(200);
  await eventually(
    'the contact to be called',
    async () => {
      const { body } = await service.request('GET', `/api/v0/calling/history?bulk_list_id=${listId}`);
      return body.calls[0]?.call_status === 'completed' ? true : null;
    },
    90_000,
  );
}

it('the log contains no personal data and no secret, even at level trace', async () => {
  const agentId = await createAgent(service, {
    introduction_and_objective: `You are ${CANARY.prompt} of Riverside Dental.`,
    intro_message: `Hello, this is ${CANARY.introMessage}.`,
    task: '1. Ask "Can you make it, {{pet}}?"\n2. Say goodbye.',
    custom_variables: ['pet'],
  });
  await subscribe(service, agentId, `${receiver.url}?token=${CANARY.hookToken}`, {
    authorization: CANARY.hookHeader,
  });
  const callId = await place(service, agentId, CANARY.calleeNumber, {
    name: CANARY.calleeName,
    from_number: CANARY.callerNumber,
    custom_args_values: { pet: CANARY.argument },
  });
  await whenCall(service, callId, 'answered', (call) => call.answered_at !== null);
  await whenOver(service, callId);
  await eventually('events', async () =>
    receiver.received.some((e) => e.body?.event_type === 'call_ringing') ? true : null,
  );
  // Errors are logged as well: a wrong key, a malformed body, an invalid number, a busy callee.
  const raw = (headers: Record<string, string>, body: string): Promise<Response> =>
    fetch(`${service.url}/api/v0/calling/outbound/individual`, { method: 'POST', headers, body });
  expect((await raw({ 'x-api-key': CANARY.wrongKey }, '')).status).toBe(401);
  const json = { 'x-api-key': CANARY.apiKey, 'content-type': 'application/json' };
  expect((await raw(json, `{"name": "${CANARY.badBody}`)).status).toBe(400);
  expect((await raw(json, JSON.stringify({ mobile_number: CANARY.badBody }))).status).toBe(422);
  await whenOver(
    service,
    await place(service, agentId, '+14155550002', {
      name: CANARY.calleeName,
      from_number: CANARY.callerNumber,
      custom_args_values: { pet: CANARY.argument },
      call_config: { call_retry_config: { retry_count: 0 } },
    }),
  );
  await Promise.all([withTools(), withCampaign(agentId), withKnowledge()]);
  const number = { mobile_numbers: [CANARY.erasedNumber] };
  expect((await service.request('POST', '/api/v0/calling/erase', number)).status).toBe(200);
  await eventually('a log line about the unreachable store', async () =>
    service.output().includes('work on a recording failed') ? true : null,
  );
  expect(await service.end()).toBe(0);

  const output = service.output();
  expect(output).toContain('Callwright is ready.');
  const { password } = new URL(database.url);
  expect(password.length).toBeGreaterThan(8);
  const found = Object.entries({ ...CANARY, databasePassword: password }).filter(([, value]) =>
    output.includes(value.replace(/^\+|^Bearer /, '')),
  );
  expect(found).toEqual([]);
}, 600_000);
