import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stepErasure } from '../../../src/domain/privacy/erase-numbers.ts';
import { WebChatter } from '../../helpers/browser/web-chatter.ts';
import { findInDatabase } from '../../helpers/privacy/find-everywhere.ts';
import { writeTombstones } from '../../helpers/privacy/tombstones.ts';
import { keptLog } from '../../helpers/service/kept-log.ts';
import { eventually } from '../../helpers/service/service.ts';
import { openWhatsappDesk, type WhatsappDesk } from '../../helpers/whatsapp/whatsapp-api.ts';

const PAGE = 'https://www.example.com';
const NUMBER = '919000000041';
/** What a person of WhatsApp and one of a web page say, and what both are called. */
const MARKS = {
  number: NUMBER,
  written: 'zqx-written',
  typed: 'zqx-typed',
  value: 'zqx-value',
  name: 'Zebulon Quixworth',
};

const kept = keptLog();
let desk: WhatsappDesk;
let chatId: string;
let page: WebChatter;
beforeAll(async () => {
  desk = await openWhatsappDesk(undefined, [], kept.log);
  const allowed = await desk.patch({
    operation: 'edit_agent_whitelisted_domains',
    whitelisted_domains: ['http://callwright.test', PAGE],
  });
  if (allowed.status !== 200) throw new Error(`the page was not allowed: ${allowed.text}`);
  desk.fake.say(desk.message(NUMBER, `My address is ${MARKS.written}`, { name: MARKS.name }));
  await desk.answers(NUMBER, 1);
  const agent = await desk.api.request('GET', `/api/v0/agent/${desk.agentId}`, { key: desk.key });
  const opened = await desk.api.request('POST', '/api/v0/chat/web', {
    key: (agent.body['agents'] as { webcall_public_key: string }).webcall_public_key,
    headers: { origin: PAGE },
    body: {
      agent_id: desk.agentId,
      custom_args_values: { callee_name: MARKS.name, pet: MARKS.value },
    },
  });
  if (opened.status !== 200) throw new Error(`the chat was not opened: ${opened.text}`);
  chatId = String(opened.body['chat_id']);
  const socket = `${desk.url.replace('http:', 'ws:')}/web-chat`;
  page = await WebChatter.connect(socket, String(opened.body['token']), PAGE);
  page.send({ type: 'text', id: 'first', text: `I am ${MARKS.typed}` });
  await page.line(`You said: I am ${MARKS.typed}.`);
});
afterAll(() => desk?.close());

const quiet = (): Promise<unknown> =>
  eventually('the turns to end', async () => {
    const due = await desk.rows(sql`select from chats where due_at is not null and state <> 'closed'`);
    return due.length === 0 || null;
  });
const erased = async (method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<void> => {
  const answer = await desk.api.request(method, `/api/v0${path}`, { key: desk.key, body });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
};

it('words that come through a webhook of WhatsApp and the WebSocket of a page are stored', async () => {
  const found = await findInDatabase(desk.db, MARKS);
  expect(found['written']).toContain('chat_messages.text');
  expect(found['typed']).toContain('chat_messages.text');
  expect(found['value']?.length).toBeGreaterThan(0);
  expect(found['name']).toContain('chats.customer_name');
  expect(found['number']).toContain('chats.customer_number');
});

it('a web chat, which has no number, is erased by its id, also while its page is connected', async () => {
  await quiet();
  await erased('DELETE', `/chat/${chatId}/data`);
  const left = await findInDatabase(desk.db, MARKS);
  expect([left['typed'], left['value']]).toEqual([undefined, undefined]);
  // The other person's chat stays.
  expect(left['written']).toContain('chat_messages.text');
  expect(left['name']).toContain('chats.customer_name');
  await eventually('the page to be closed', () => Promise.resolve(page.closed !== null || null));
});

it('both persons are nowhere after the erasure of the number, and the log never named them', async () => {
  await erased('POST', '/calling/erase', { mobile_numbers: [`+${NUMBER}`] });
  const deps = { db: desk.db, clock: { now: () => desk.clock.now(), monotonic: () => performance.now() } };
  await writeTombstones(deps);
  await eventually('the erasure to be done', async () => {
    desk.clock.ahead += 10_000;
    while (await stepErasure(deps));
    const due = await desk.rows(sql`select from erasures where state <> 'done'`);
    return due.length === 0 || null;
  });
  expect(await findInDatabase(desk.db, MARKS)).toEqual({});
  kept.log.info('the end of the conversations');
  const text = kept.text();
  expect(text).toContain('the end of the conversations');
  expect(Object.entries(MARKS).filter(([, mark]) => text.includes(mark))).toEqual([]);
});
