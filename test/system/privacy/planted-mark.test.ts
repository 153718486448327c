import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp } from '../../../src/cli/backup/backup.ts';
import { restore } from '../../../src/cli/backup/restore.ts';
import { ACCESS } from '../../../src/domain/access/table.ts';
import { stepErasure } from '../../../src/domain/privacy/erase-numbers.ts';
import { sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { TombstoneFile } from '../../../src/recordings/tombstone-lists.ts';
import { newId } from '../../../src/shared/ids.ts';
import { foldResults } from '../../../src/store/analysis/results.ts';
import { openDatabase, type Db } from '../../../src/store/database.ts';
import { fieldsOf, readShapes, withValue, type Field, type Shape } from '../../helpers/api/api-surface.ts';
import {
  createTenant,
  createTestApi,
  minimalAgent,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { formBody, FORM, kindOf, nameOf, send, wholeRequest } from '../../helpers/api/full-request.ts';
import { createHoldings, type Holdings } from '../../helpers/api/owned-objects.ts';
import { findInDatabase, findInFiles, type Place } from '../../helpers/privacy/find-everywhere.ts';
import { MARK, plantPerson } from '../../helpers/privacy/planted-rows.ts';
import { writeTombstones } from '../../helpers/privacy/tombstones.ts';
import { keptLog } from '../../helpers/service/kept-log.ts';
import { emptyDatabase } from '../../helpers/service/upgrade.ts';

const SECRET_KEY = 'a key for tests, of no use elsewhere';
const PERSON = '+14155551234';
/** A text of a request: a name with the number, so that the log of requests finds it, too. */
const SAID = 'zqx-said';
const TEXT = `${SAID} ${PERSON}`;
const URL = `https://example.com/${SAID}/${PERSON.slice(1)}`;
const MARKS = { row: MARK, said: SAID, number: PERSON.slice(1) };

const STAYS: Readonly<Record<keyof typeof MARKS, readonly Place[]>> = {
  // What the register says stays, with its reason.
  row: [
    // Without its digits.
    'call_attempts.reason',
    'call_findings.false_by',
    'call_follow_ups.done_by',
    'call_listeners.listener',
    'call_listeners.origin',
    'calls.category',
    'campaign_do_not_call.reason',
    'campaign_messages.external_id',
    'chats.taken_by',
    // Receivers of the operator; that of a call is reduced to its host.
    'deliveries.headers',
    'deliveries.target',
    'deliveries.url',
    'do_not_call.reason',
  ],
  // Names and addresses of campaigns, receivers, and names of alerts: they belong to no person, whatever they say.
  said: [
    'campaign_uploads.plan',
    'campaigns.callback',
    'campaigns.name',
    // The receiver of a call until its last event is delivered, which no process of this test does.
    'deliveries.target',
    'deliveries.url',
    'delivery_queue.target',
    'quality_alerts.name',
  ],
  number: [],
};
/** Opt-outs, and texts of the operator with a number. */
const NUMBER_STAYS: readonly Place[] = [
  ...STAYS.said,
  'do_not_call.number',
  'campaign_do_not_call.number',
  'whatsapp_numbers.number',
];

/** Operations that change something and refuse what this test sends, with the reason. The log of requests has each. */
const REFUSED: Readonly<Record<string, string>> = {
  setWorkspaceSettings: 'its only texts are addresses of members, and it refuses them without a mail server',
  discardDraft: 'its agent has no draft; its only texts are ids',
  publishDraft: 'its agent has no draft; its note is a text of the operator',
  startRehearsal: 'its agent has no flow and the sample no scenarios; those are texts of the operator',
  importAgent: 'the mark is no document of an agent; its texts are settings of the operator',
  testTool: 'what it sends and gets is returned and not stored',
  controlCall: 'its call is not live; its text is of the operator and reaches the agent, not the database',
  terminateCalls: 'it finds no queued call of the number',
  startCampaignV2: 'its campaign has started; its only text is a receiver of the operator',
  makeCampaignCalls: 'its campaign has started; its only text is a receiver of the operator',
  sendTestEvent: 'its texts are a receiver of the operator',
  openWebCallSession: 'the lines of the workspace are in use; the register plants its rows',
  openWebCall: 'it takes a page key, and writes the rows of openWebCallSession',
  downloadModel: 'its only text is an id of the catalogue, and it needs an operator',
  saveTrunk: 'its texts are addresses and accounts of carriers, and it needs an operator',
  deleteTrunk: 'its only text is the name of a trunk, and it needs an operator',
  checkTrunk: 'its only text is the name of a trunk, and it needs an operator',
  saveNumber: 'its texts are caller numbers and names of the operator, and it needs an operator',
  removeNumber: 'its only texts are a caller number and an id, and it needs an operator',
  importTrunkNumbers: 'its texts are numbers of the operator at a carrier, and it needs an operator',
  setTrunkWebhook: 'its only text is the name of a trunk, and it needs an operator',
  removeModel: 'its only text is an id of the catalogue, and it needs an operator',
  openWebChat: 'it takes a page key: planted-conversation.test.ts sends it',
};
/**
 * Entrances beside the operations, through which the words of a conversation come. planted-conversation.test.ts speaks
 * through the webhook and the chat of a page; the register plants the rows of calls.
 */
const CONVERSATIONS = [
  'POST /carriers/:trunk_id/answer/:token',
  'POST /carriers/:trunk_id/status',
  'POST /carriers/:trunk_id/status/:attempt_id',
  'POST /carriers/:trunk_id/transfer/:order',
  'POST /carriers/:trunk_id/voice',
  // It sends operations, and stores nothing itself.
  'POST /mcp',
  'POST /whatsapp/webhook/:whatsapp_number_id',
  'WS /carrier',
  'WS /listen',
  'WS /web-call',
  'WS /web-chat',
];

const isText = ({ schema, path }: Field): boolean =>
  (schema.type === 'string' && schema.enum === undefined && schema.const === undefined) ||
  path.at(-1) === '{}';
const isNumber = (field: Field): boolean => /number/.test(nameOf(field));

/** The fields of a request that take a text of any content, a number, or a map of values. */
const planted = (shape: Shape): Field[] =>
  fieldsOf(shape).filter(
    (field) =>
      isText(field) &&
      field.schema.format === undefined &&
      (field.schema.pattern === undefined || isNumber(field)) &&
      kindOf(shape, field) === undefined,
  );

const operationOf = ({ key }: Shape): string => key.split(':')[0] ?? '';
/**
 * Whether the texts of a request are the operator's, which stay: it sets up agents, knowledge, numbers, receivers or the
 * workspace. A chat with an agent has words of a person.
 */
const isSetUp = (shape: Shape): boolean =>
  /^(agents|knowledge|numbers|webhooks|workspace|config|children):write$/.test(
    ACCESS.get(operationOf(shape))?.scope ?? '',
  ) && !/^(testAgent|addDoNotCall)$/.test(operationOf(shape));
const shapes = (await readShapes()).filter((shape) => planted(shape).length > 0);
const kept = keptLog();
let api: TestApi;
let tenant: Tenant;
let own: Holdings;
let root: string;
const accepted = new Set<string>();
let person: { callId: string; chatId: string };
let before: Record<string, Place[]>;

function valueOf(shape: Shape, field: Field): string {
  const name = nameOf(field);
  if (/number/.test(name)) return PERSON;
  if (isSetUp(shape)) return /url|origin/.test(name) ? 'https://example.com/set-up' : `set up ${newId()}`;
  // Events have these labels of the operator, also of an erased call.
  if (/category|campaign_name|agent_name/.test(name)) return 'a label of the operator';
  return /url|origin/.test(name) ? URL : TEXT;
}

/** The request with the person's number in place of any other. */
const ofPerson = (body: Record<string, unknown>): Record<string, unknown> => ({
  ...body,
  ...('mobile_number' in body ? { mobile_number: PERSON } : {}),
  ...('customer_number' in body ? { customer_number: PERSON } : {}),
});

/** The request of an agent with the workspace's values in every field but one. */
const ofAgent = (body: unknown, field: Field): unknown => {
  const [name = ''] = field.path;
  return { ...minimalAgent(), [name]: (body as Record<string, unknown>)[name] };
};

/** Sends a request of the shape with the mark in one field. */
async function plant(shape: Shape, field: Field): Promise<void> {
  const isMap = field.path.at(-1) === '{}';
  const value = valueOf(shape, field);
  const whole = wholeRequest(shape, own, isMap ? null : field, value);
  const planted = isMap ? withValue(whole.body, field.path.slice(0, -1), { pet: value }) : whole.body;
  const filled = operationOf(shape) === 'createAgent' ? ofAgent(planted, field) : planted;
  const ofOne = filled === null ? null : ofPerson(filled as Record<string, unknown>);
  const body = whole.isList ? { variables_map: { callee_name: 'Mobile Number' }, ...ofOne } : ofOne;
  const { status } = await send(api, tenant.key, { ...whole, body });
  if (status < 300) accepted.add(operationOf(shape));
}

/** A contact list with an accepted and a refused row of the person. */
async function plantList(): Promise<void> {
  const csv = `Phone,Name\n${PERSON},${TEXT}\n(415) 555-1234,${TEXT}\n415,Somebody\n`;
  const fields = {
    agent_id: own.agent,
    remove_invalid_rows: 'true',
    variables_map: JSON.stringify({ mobile_number: 'Phone', callee_name: 'Name' }),
  };
  const raw = formBody(fields, ['file', 'list.csv', csv]);
  const { status } = await api.request('POST', '/api/v0/campaign/save', {
    key: tenant.key,
    raw,
    headers: FORM,
  });
  expect(status).toBe(200);
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'callwright-mark-'));
  api = await createTestApi({ requestLog: { kept: 100_000 }, log: kept.log });
  api.clock.advance(Date.now() - api.clock.now());
  const list = join(root, 'tombstones.jsonl');
  await writeTombstones(api, new TombstoneFile(list));
  tenant = await createTenant(api, { unlimited: true });
  own = await createHoldings(api, tenant);
  // Its refused rows are no list.
  await api.db.updateTable('campaign_uploads').set({ has_rejects: false }).execute();
  await plantList();
  // What changes the agents comes after their conversations, and what deletes and archives comes last.
  const place = (shape: Shape): number => (shape.endpoint.method === 'DELETE' ? 2 : Number(isSetUp(shape)));
  const order = shapes.toSorted((a, b) => place(a) - place(b));
  for (const shape of order) for (const field of planted(shape)) await plant(shape, field);
  // Last, because an opt-out refuses further calls.
  person = await plantPerson(api.db, tenant.workspaceId, PERSON, own.caseRun);
  // An erasure waits for lists that are not imported; no process of this test imports them.
  await api.db
    .updateTable('campaign_uploads')
    .set({ state: 'failed' })
    .where('state', 'in', ['receiving', 'received'])
    .execute();
  await foldAll(api.db);
  before = await findInDatabase(api.db, MARKS);
  const installation = { dataDir: root, databaseUrl: api.url, secretKey: SECRET_KEY, s3: null };
  await backUp(installation, '0.1.0', join(root, 'backup'), () => undefined);
}, 300_000);
afterAll(async () => {
  await api?.close();
  await rm(root, { recursive: true, force: true });
});

/** Counts every change of a result, as the analytics do. */
const foldAll = (db: Db): Promise<void> =>
  db.transaction().execute((tx) => foldResults(tx, tenant.workspaceId, 100_000));

/** Where a mark is that should be nowhere. */
const leftIn = (found: Record<string, Place[]>): Record<string, Place[]> =>
  Object.fromEntries(
    Object.entries(found)
      .map(([mark, places]): [string, Place[]] => {
        const stays = mark === 'number' ? NUMBER_STAYS : STAYS[mark as keyof typeof MARKS];
        return [mark, places.filter((place) => !stays.includes(place))];
      })
      .filter(([, places]) => places.length > 0),
  );

describe('a mark that every endpoint took', () => {
  it('was taken by every operation that takes a text and changes something, or has a reason', () => {
    const operations = [...new Set(shapes.map(operationOf))];
    expect(operations.length).toBeGreaterThan(40);
    const writes = new Set(shapes.filter(({ endpoint }) => endpoint.method !== 'GET').map(operationOf));
    expect([...writes].filter((key) => !accepted.has(key) && !(key in REFUSED))).toEqual([]);
    expect(operations.every((name) => ACCESS.has(name))).toBe(true);
    expect(before['row']?.length).toBeGreaterThan(40);
    expect(before['said']?.length).toBeGreaterThan(10);
    expect(before['row']).toContain('result_days.result');
    const others = [...ACCESS.keys()].filter((name) => /^(WS|POST|PATCH|PUT) /.test(name));
    expect(others.toSorted()).toEqual(CONVERSATIONS);
  });

  it('is in no table after the erasure of the person', async () => {
    const erase = (path: string, method: 'POST' | 'DELETE', body?: unknown) =>
      api.request(method, `/api/v0${path}`, { key: tenant.key, body });
    const held = await api.db.selectFrom('web_chats').select('chat_id').execute();
    const tests = await api.db.selectFrom('chats').select('id').where('channel', '=', 'test').execute();
    expect((await erase('/calling/erase', 'POST', { mobile_numbers: [PERSON] })).status).toBe(200);
    for (const id of [own.call, person.callId])
      expect((await erase(`/calling/${id}/data`, 'DELETE')).status).toBe(200);
    const chats = [own.chat, person.chatId, ...held.map((row) => row.chat_id), ...tests.map((row) => row.id)];
    for (const id of chats) expect((await erase(`/chat/${id}/data`, 'DELETE')).status).toBe(200);
    await writeTombstones(api, new TombstoneFile(join(root, 'tombstones.jsonl')));
    await api.db.deleteFrom('recording_files').where('state', '=', 'delete').execute();
    while (await stepErasure(api)) {
      // Until nothing is due.
    }
    // Browser calls that never began are deleted within a day.
    api.clock.advance(2 * 86_400_000);
    await sweepRetention(api);
    await foldAll(api.db);
    expect(leftIn(await findInDatabase(api.db, MARKS))).toEqual({});
  }, 180_000);

  it('is in no line of the log', () => {
    kept.log.info('the end of the requests');
    expect(kept.text()).toContain('the end of the requests');
    expect(Object.values(MARKS).filter((mark) => kept.text().includes(mark))).toEqual([]);
  });

  it('is in no table and no file after a backup from before the erasure is restored', async () => {
    const databaseUrl = await emptyDatabase();
    const to = { dataDir: join(root, 'new'), databaseUrl, secretKey: SECRET_KEY, s3: null };
    const list = join(root, 'tombstones.jsonl');
    await restore(to, join(root, 'backup'), { replace: false, tombstones: [list] }, () => undefined);
    const restored = openDatabase(databaseUrl);
    try {
      await foldAll(restored.kysely);
      expect(leftIn(await findInDatabase(restored.kysely, MARKS))).toEqual({});
    } finally {
      await restored.close();
    }
    expect(await findInFiles(to.dataDir, MARKS)).toEqual({});
  }, 180_000);
});
