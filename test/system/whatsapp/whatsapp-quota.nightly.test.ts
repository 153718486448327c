import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';
import { eventually } from '../../helpers/service/service.ts';
import { openWhatsappDesk, type WhatsappDesk } from '../../helpers/whatsapp/whatsapp-api.ts';

let desk: WhatsappDesk;
beforeAll(async () => {
  desk = await openWhatsappDesk();
});
afterAll(() => desk?.close());

const setFull = (kinds: string) =>
  desk.rows(sql`insert into storage_use (workspace_id, due_at, full_kinds, quotas)
    values (${desk.workspaceId}, 'infinity', ${kinds}::text[], '{"chats": 1}')
    on conflict (workspace_id) do update set full_kinds = excluded.full_kinds`);
const linesOf = async (from: string): Promise<string[]> => {
  const rows = await desk.rows(sql`select m.text from chat_messages m
    join chats c on c.workspace_id = m.workspace_id and c.id = m.chat_id
    where c.customer_number = ${`+${from}`} and m.role = 'customer' order by m.seq`);
  return rows.map(({ text }) => text as string);
};
const post = (path: string, body: object) =>
  desk.api.request('POST', `/api/v0${path}`, { key: desk.key, body });

it('a workspace at its quota of chats goes on with its chats, begins none, and obeys opt-outs', async () => {
  const [known, stranger, leaver] = ['919300000001', '919300000002', '919300000003'];
  desk.fake.say(desk.message(known, 'Hello'));
  await desk.answers(known, 1);
  await setFull('{chats}');

  desk.fake.say(desk.message(stranger, 'Hello'));
  desk.fake.say(desk.message(leaver, 'STOP'));
  desk.fake.say(desk.message(known, 'Second'));
  await desk.answers(known, 2);
  await eventually('the opt-out to be stored', async () => {
    const rows = await desk.rows(sql`select from do_not_call where number = ${`+${leaver}`}`);
    return rows.length > 0 || null;
  });
  const template = { name: 'appointment_reminder', language: 'en_US' };
  const begun = await post('/whatsapp/chats', {
    whatsapp_number_id: desk.numberId,
    mobile_number: `+${stranger}`,
    template,
  });
  expect([begun.status, begun.body['code']]).toEqual([429, 'STORAGE_QUOTA_REACHED']);
  const numbers = await desk.rows(sql`select customer_number from chats`);
  expect(numbers).toEqual([{ customer_number: `+${known}` }]);

  await setFull('{}');
  desk.fake.say(desk.message(stranger, 'Again'));
  await desk.answers(stranger, 1);
  expect(await linesOf(stranger)).toEqual(['Again']);
});

it("an answer to a campaign's message begins a chat, even at the quota of chats", async () => {
  const contact = '919300000004';
  const saved = await uploadList(desk.api, 'save', desk.key, {
    file: `Mobile Number,callee_name,Day,Time\n+${contact},Asha,Monday,9:30\n`,
    fields: {
      agent_id: desk.agentId,
      template: JSON.stringify({ name: 'appointment_reminder', language: 'en_US' }),
      variables_map: JSON.stringify({ header_1: 'Day', body_1: 'callee_name', body_2: 'Time' }),
      call_config: JSON.stringify({
        call_time: { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' },
      }),
    },
  });
  await setFull('{chats}');
  const started = await post('/campaign/start', {
    agent_id: desk.agentId,
    list_id: saved.body['list_id'],
    from_numbers: [desk.numberId],
    callback_url: 'https://example.com/hook',
  });
  expect([started.status, started.text]).toEqual([200, expect.anything()]);
  await desk.answers(contact, 1);
  desk.fake.say(desk.message(contact, 'That suits me'));
  await desk.answers(contact, 2);
  expect(await linesOf(contact)).toEqual(['That suits me']);
});
