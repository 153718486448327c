import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyFor, makeOwnerKey } from '../helpers/api/owner-key.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { findInDatabase, findInFiles } from '../helpers/privacy/find-everywhere.ts';
import { createAgent, provisionWith, subscribe, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, TEST_KEY, type Service } from '../helpers/service/service.ts';
import { startToolServer, type ToolServer } from '../helpers/agents/tool-server.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

const PERSON = '+14155551234';
/** Unique values of this person's calls and rows, and the spellings of the number. */
const MARKS = {
  e164: PERSON,
  digits: '14155551234',
  national: '(415) 555-1234',
  dotted: '415.555.1234',
  spoilt: '4.155551234E+9',
  name: 'Zebulon Quixworth',
  value: 'petmark',
  row: 'rowmark',
  tool: 'toolmark',
  answer: 'answermark',
  address: 'addressmark',
};
const OTHERS = { otherName: 'Thelonius Brackwater', otherRow: 'neighbourmark', otherNumber: '+14155559876' };
/** Opt-outs survive an erasure, because deleting them would allow calls again. */
const STAYS = ['campaign_do_not_call.number', 'do_not_call.number'];

let database: TestDatabase;
let server: ToolServer;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startToolServer(() => ({ body: { answer: 'answermark', customer: 'toolmark' } }));
  service = await startService({
    env: { DATABASE_URL: database.url, SAFE_FETCH_ALLOW: LOOPBACK_OPEN },
    provision: provisionWith({}),
  });
  await makeOwnerKey(database.url, service.key);
});
afterAll(async () => {
  await service?.dispose();
  await server?.close();
  await database?.close();
});

const post = async (path: string, body: unknown, key: string): Promise<any> => {
  const response = await fetch(`${service.url}/api/v0${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': keyFor('POST', `/api/v0${path}`, TEST_KEY),
      'idempotency-key': key,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return answer;
};

async function withTools(agentId: string): Promise<void> {
  for (const kind of ['pre_call', 'post_call']) {
    const tool = {
      type: 'API_TOOL',
      name: `${kind}_look_up`,
      method: 'POST',
      url: `${server.origin}/lookup`,
      body: { pet: '{{pet}}', number: '{{mobile_number}}' },
      ...(kind === 'pre_call' ? { result_variables: { pre_call_customer: 'customer' } } : {}),
    };
    const change = { operation: `edit_${kind}_tools`, agent_id: agentId, [`${kind}_tools`]: [tool] };
    const { status, body } = await service.request('PATCH', '/api/v0/agent/v1', change);
    expect([status, body]).toEqual([200, expect.anything()]);
  }
}

/** A complete call: tools, recording in every format, analyses, events to two receivers, a stored response. */
async function callThem(agentId: string): Promise<string> {
  const { data } = await post(
    '/calling/v2/outbound/individual',
    {
      name: MARKS.name,
      mobile_number: PERSON,
      agent_id: agentId,
      from_number: '+14155550100',
      custom_args_values: { pet: MARKS.value },
      callback_url: `${server.origin}/own/${PERSON}`,
      callback_args: { params: { who: MARKS.address } },
    },
    'a call',
  );
  const callId: string = data.call_id;
  const call = await whenOver(service, callId);
  expect([call.call_status, call.call_sub_status]).toEqual(['completed', expect.anything()]);
  await eventually('every event to be delivered', async () => {
    const isSent = server.seen.some(
      ({ body }) => body?.call_id === callId && body.event_type === 'all_processing_completed',
    );
    const log = await service.request('GET', `/api/v0/calling/call-details?id=${callId}`);
    return isSent && log.body.data.tool_call_logs.length === 2 ? true : null;
  });
  for (const form of ['.wav', '.mp3', '.peaks.json']) {
    const response = await fetch(call.recording_url.replace(/\.wav$/, form));
    expect([form, response.status]).toEqual([form, 200]);
    await response.arrayBuffer();
  }
  return callId;
}

const LIST = [
  'Phone,Name,Pet,Customer',
  `415-555-1234,${MARKS.name},${MARKS.value},x`,
  `${MARKS.national},,${MARKS.row},x`,
  `${MARKS.dotted},"Zebulon, again",${MARKS.row},x`,
  `${MARKS.spoilt},"on two\nlines",${MARKS.row},x`,
  `${OTHERS.otherNumber},${OTHERS.otherName},cat,x`,
  `${OTHERS.otherNumber},"twice, ""really""\nso",${OTHERS.otherRow},x`,
  '',
].join('\n');

/** A contact list with accepted and refused rows of the person. */
async function list(agentId: string, flow: 'save' | 'upload-csv', key: string): Promise<any> {
  const form = new FormData();
  form.set('file', new Blob([LIST], { type: 'text/csv' }), 'list.csv');
  form.set('agent_id', agentId);
  form.set('country_code', '+1');
  form.set('remove_invalid_rows', 'true');
  form.set(
    'variables_map',
    JSON.stringify({
      mobile_number: 'Phone',
      callee_name: 'Name',
      pet: 'Pet',
      pre_call_customer: 'Customer',
    }),
  );
  const response = await fetch(`${service.url}/api/v0/campaign/${flow}`, {
    method: 'POST',
    headers: { 'x-api-key': TEST_KEY, 'idempotency-key': key },
    body: form,
  });
  const answer: any = await response.json();
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return eventually('the list to be read', async () => {
    const { body } = await service.request('GET', `/api/v0/campaign/upload-status/${answer.list_id}`);
    return body.status === 'completed' ? body : null;
  });
}

it('no data of a person is left in the database or on disk after the erasure of their number', async () => {
  const agentId = await createAgent(service, {
    intro_message: 'Hello {{callee_name}}, this is Maya about {{pet}} and {{pre_call_customer}}.',
    custom_variables: ['pet', 'pre_call_customer'],
  });
  await subscribe(service, agentId, `${server.origin}/hook`);
  await withTools(agentId);
  const callId = await callThem(agentId);
  const lists = [await list(agentId, 'save', 'a list'), await list(agentId, 'upload-csv', 'a large list')];
  for (const one of lists) expect([one.successful_rows, one.failed_rows]).toEqual([2, 4]);
  const [{ list_id: campaignId }] = lists;
  for (const campaign of [{}, { campaign_id: campaignId }]) {
    await post('/dnc', { mobile_numbers: [PERSON], ...campaign }, `dnc ${Object.keys(campaign).join()}`);
  }

  const before = await findInDatabase(database.db, { ...MARKS, ...OTHERS });
  expect(Object.keys(before).toSorted()).toEqual(Object.keys({ ...MARKS, ...OTHERS }).toSorted());
  expect(await findInFiles(service.dataDir, { callId })).toMatchObject({ callId: expect.any(Array) });

  const { erasure_id: erasure } = await post('/calling/erase', { mobile_numbers: [PERSON] }, 'an erasure');
  await eventually('the erasure to be done', async () => {
    const { body } = await service.request('GET', `/api/v0/calling/erase/${erasure}`);
    return body.status === 'done' ? true : null;
  });
  // The list of tombstones keeps the id, so that a restored backup does not bring the call's words back.
  await eventually('files to be deleted', async () =>
    (await findInFiles(service.dataDir, { callId }))['callId']?.join() === 'tombstones.jsonl' ? true : null,
  );

  const { otherName, otherRow, otherNumber, ...left } = await findInDatabase(database.db, {
    ...MARKS,
    ...OTHERS,
  });
  const numbers = { e164: STAYS, digits: STAYS };
  expect(left).toEqual(numbers);
  expect(await findInFiles(service.dataDir, MARKS)).toEqual({});
  expect({ otherName, otherRow, otherNumber }).toEqual({
    otherName: before['otherName'],
    otherRow: before['otherRow'],
    otherNumber: before['otherNumber'],
  });
  for (const one of lists) {
    const rejects = await fetch(one.invalidated_rows_csv_url).then((response) => response.text());
    expect(rejects.match(/neighbourmark/g)).toHaveLength(1);
    expect(rejects).toContain('"twice, ""really""\nso"');
    const { body } = await service.request('GET', `/api/v0/campaign/upload-status/${one.list_id}`);
    expect(body.invalid_rows.map(({ row }: { row: number }) => row)).toEqual([6]);
  }
}, 600_000);
