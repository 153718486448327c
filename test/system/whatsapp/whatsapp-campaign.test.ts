import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepCampaigns } from '../../../src/domain/campaigns/keeper.ts';
import { claimMessages } from '../../../src/domain/campaigns/messages/claim-messages.ts';
import { ownIdOf } from '../../../src/domain/campaigns/messages/settle-message.ts';
import { stepErasure } from '../../../src/domain/privacy/erase-numbers.ts';
import { FAKE_BUSINESS_ACCOUNT_ID, FAKE_PHONE_NUMBER_ID } from '@callwright/stand-ins';
import type { Answer } from '../../helpers/api/api.ts';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';
import { eventually } from '../../helpers/service/service.ts';
import { openWhatsappDesk, type WhatsappDesk } from '../../helpers/whatsapp/whatsapp-api.ts';

let desk: WhatsappDesk;
beforeAll(async () => {
  desk = await openWhatsappDesk();
});
afterAll(() => desk?.close());

const ALL_DAY = { call_time: { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' } };
const REMINDER = JSON.stringify({ name: 'appointment_reminder', language: 'en_US' });
const MAP = JSON.stringify({ header_1: 'Day', body_1: 'callee_name', body_2: 'Time' });

const save = (rows: readonly string[], fields: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  uploadList(desk.api, 'save', desk.key, {
    file: ['Mobile Number,callee_name,Day,Time', ...rows, ''].join('\n'),
    fields: {
      agent_id: desk.agentId,
      template: REMINDER,
      variables_map: MAP,
      call_config: JSON.stringify(ALL_DAY),
      ...fields,
    },
  });
const request = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Answer> =>
  desk.api.request(method, `/api/v0${path}`, { key: desk.key, ...(body === undefined ? {} : { body }) });
const start = (id: string, more: object = {}): Promise<Answer> =>
  request('POST', '/campaign/start', {
    agent_id: desk.agentId,
    list_id: id,
    from_numbers: [desk.numberId],
    callback_url: 'https://example.com/hook',
    ...more,
  });
/** Uploads and starts a list; returns the id of the campaign. */
async function started(
  rows: readonly string[],
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const saved = await save(rows, fields);
  expect([saved.status, saved.text]).toEqual([200, expect.anything()]);
  const id = String(saved.body['list_id']);
  const answer = await start(id);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return id;
}
const keep = () =>
  keepCampaigns({
    db: desk.db,
    clock: { now: () => desk.clock.now(), monotonic: () => performance.now() },
    rate: { creditsPerMinute: 1, pulseSeconds: 60 },
    wakeScheduler: () => undefined,
  });
const rowsOf = async (id: string): Promise<Record<string, any>[]> =>
  (await request('GET', `/campaign/${id}/messages?limit=200`)).body['messages'] as Record<string, any>[];
const settled = (id: string): Promise<Record<string, any>[]> =>
  eventually('the messages to end', async () => {
    const rows = await rowsOf(id);
    const isOpen = rows.some(({ status }) => ['registered', 'ongoing', 'retry'].includes(status as string));
    return isOpen ? null : rows;
  });
const campaignOf = async (id: string) => (await request('GET', `/campaign/${id}`)).body['campaign'] as any;
const texts = (to: string) => desk.sentTo(to).map(({ body }) => body['template'] as any);

describe('the templates of a number', () => {
  it('are refused when WhatsApp refuses the token, which a change of the number mends', async () => {
    desk.fake.switches.token = 'a new token';
    const path = `/whatsapp/templates?refresh=true&whatsapp_number_id=${desk.numberId}`;
    const refused = await request('GET', path);
    expect([refused.status, refused.body['code']]).toEqual([409, 'WHATSAPP_REFUSES']);
    const changed = await request('PATCH', `/whatsapp/numbers/${desk.numberId}`, {
      access_token: 'a new token',
    });
    expect(changed.status).toBe(200);
    expect((await request('GET', path)).status).toBe(200);
  });

  it('are listed with the variables that a list must fill', async () => {
    const listed = await request('GET', `/whatsapp/templates?whatsapp_number_id=${desk.numberId}`);
    expect(listed.status).toBe(200);
    const { templates } = listed.body as { templates: any[] };
    const found = templates.find(({ name }) => name === 'appointment_reminder');
    expect(found).toMatchObject({ variables: ['header_1', 'body_1', 'body_2'], is_sendable: true });
    expect(templates.find(({ name }) => name === 'spring_offer')).toMatchObject({
      is_sendable: false,
      reason: expect.stringContaining('PAUSED'),
    });
  });
});

describe('a campaign of a WhatsApp agent', () => {
  it('sends the template to each contact, follows what becomes of it, and goes on in a chat', async () => {
    desk.fake.switches.duplicates = true;
    Object.assign(desk.fake.switches, { refuse: { 919200000003: 131026 }, fail: { 919200000004: 131049 } });
    const saved = await save([
      '+919200000001,Asha,Monday,9:30',
      '+919200000002,Ravi,Tuesday,10:00',
      '+919200000003,Mina,Monday,11:00',
      '+919200000004,Omar,Friday,12:00',
    ]);
    const id = String(saved.body['list_id']);
    await sql`insert into do_not_call (workspace_id, number, reason, created_at)
      values (${desk.workspaceId}, '+919200000002', 'ADDED', now())`.execute(desk.db);
    expect((await start(id)).status).toBe(200);
    const rows = await settled(id);
    expect(rows.map(({ status, sub_status }) => [status, sub_status])).toEqual([
      ['completed', expect.stringMatching(/DELIVERED|READ/)],
      ['failed', 'DND_SKIPPED'],
      ['failed', 'NOT_ABLE_TO_CALL'],
      ['failed', 'FAILED'],
    ]);
    expect(rows[2]).toMatchObject({ error_code: 131026, delivery_status: 'failed', attempts: 1 });
    expect(texts('919200000001')).toEqual([
      {
        name: 'appointment_reminder',
        language: { code: 'en_US' },
        components: [
          { type: 'header', parameters: [{ type: 'text', text: 'Monday' }] },
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Asha' },
              { type: 'text', text: '9:30' },
            ],
          },
        ],
      },
    ]);
    expect(desk.sentTo('919200000002')).toEqual([]);

    // A button of the template opens the chat, which knows the contact.
    const { wamid } = desk.sentTo('919200000001')[0]!;
    desk.fake.say(
      desk.message('919200000001', '', {
        type: 'button',
        content: { payload: 'Yes', text: 'Yes' },
        context: { id: wamid },
      }),
    );
    await desk.answers('919200000001', 2);
    const [chat] = await desk.rows(sql`select * from chats where customer_number = '+919200000001'`);
    expect(chat).toMatchObject({ campaign_id: id, customer_name: 'Asha', args: { body_2: '9:30' } });
    const details = await request('GET', `/chat/details?id=${chat.id}`);
    const { transcript } = details.body['data'] as { transcript: { role: string; text: string }[] };
    expect(transcript[0]).toMatchObject({
      role: 'agent',
      text: 'Appointment on Monday\nHello Asha, we see you at 9:30. Does that suit you?',
    });
    // The agent goes on from the template, without its first message.
    expect(transcript.at(-1)?.text).toBe('You said: Yes.');
    expect((await rowsOf(id))[0]).toMatchObject({ sub_status: 'ANSWERED', chat_id: chat.id });
    const ofCampaign = await request('GET', `/chat/history?bulk_list_id=${id}`);
    expect(ofCampaign.body).toMatchObject({ total: 1, chats: [{ id: chat.id, bulk_list_id: id }] });
    await request('POST', `/chat/${chat.id}/end`);
    const [event] = await desk.rows(
      sql`select body from events where call_id = ${chat.id} and event_type = 'chat_completed'`,
    );
    expect(event.body.bulk_list_id).toBe(id);

    await keep();
    await keep();
    expect(await campaignOf(id)).toMatchObject({
      campaign_status: 'completed',
      channel: 'whatsapp',
      template: { name: 'appointment_reminder', language: 'en_US' },
      from_numbers: [desk.numberId],
      total_count: 4,
      completed_count: 1,
      failed_count: 3,
      sent_count: 1,
      delivered_count: 1,
      read_count: 1,
      answered_count: 1,
      required_credits: 0,
    });
    const reports = await desk.rows(sql`select body from events where event_type = 'campaign_completed'`);
    expect(reports.map(({ body }) => body.counts)).toMatchObject([{ completed_count: 1, answered_count: 1 }]);
    const { text } = await request('GET', `/campaign/${id}/report`);
    expect(text.split('\r\n')[1]).toContain('+919200000001,Asha,');
    expect(text.split('\r\n')[3]).toContain(',failed,NOT_ABLE_TO_CALL,failed,131026,1,');
    Object.assign(desk.fake.switches, { duplicates: false, refuse: {}, fail: {} });
  });

  it('forgets a contact whose number is erased, and cancels what still waits for it', async () => {
    const number = '+919270000001';
    const id = await started([`${number},Zebulon,Secretday,9:30`], {
      campaign_start_time: later(desk.clock.now() + 7 * 86_400_000),
    });
    const asked = await request('POST', '/calling/erase', { mobile_numbers: [number] });
    expect(asked.status).toBe(200);
    desk.clock.ahead += 3_600_000;
    const deps = {
      db: desk.db,
      clock: { now: () => desk.clock.now(), monotonic: () => performance.now() },
    };
    const [row] = await eventually('the erasure', async () => {
      await stepErasure(deps);
      const rows = await desk.rows(sql`select * from campaign_messages where campaign_id = ${id}`);
      return rows[0].to_number === '' ? rows : null;
    });
    expect(row).toMatchObject({ callee_name: '', args: {}, text: null, status: 'cancelled' });
  });

  it('sends again after a temporary error, and once its back-off is used up within its retries', async () => {
    desk.fake.switches.refuse = { 919210000001: 131016 };
    const id = await started(['+919210000001,Asha,Monday,9:30']);
    // An attempt counts from its request; the refusal is stored after WhatsApp's answer.
    await eventually('a refusal', async () => (await rowsOf(id))[0]?.['status'] === 'retry' || null);
    expect((await rowsOf(id))[0]).toMatchObject({ status: 'retry', error_code: 131016, retry_count: 0 });
    for (let pass = 0; pass < 5; pass += 1) {
      desk.clock.ahead += 20_000;
      await eventually('the next try', async () => {
        const [row] = await rowsOf(id);
        return row!['attempts'] > pass + 1 || row!['retry_count'] > 0 || null;
      });
    }
    expect((await rowsOf(id))[0]).toMatchObject({ status: 'retry', retry_count: 1, attempts: 5 });
    desk.fake.switches.refuse = {};
    desk.clock.ahead += 31 * 60_000;
    expect(await settled(id)).toMatchObject([{ status: 'completed', attempts: 6 }]);
    expect(desk.sentTo('919210000001')).toHaveLength(1);
  });

  it('pauses when WhatsApp refuses the template, and sends nothing while it is paused', async () => {
    const id = await started(['+919220000001,Asha,Monday,9:30', '+919220000002,Ravi,Monday,9:40'], {
      campaign_start_time: later(desk.clock.now() + 120_000),
    });
    const template = desk.fake.templates.findIndex(({ name }) => name === 'appointment_reminder');
    const approved = desk.fake.templates[template]!;
    desk.fake.templates[template] = { ...approved, status: 'PAUSED' };
    desk.clock.ahead += 180_000;
    const paused = await eventually('the pause', async () => {
      const campaign = await campaignOf(id);
      return campaign.campaign_status === 'paused' ? campaign : null;
    });
    expect(paused.message).toContain('132015');
    expect(paused.reason).toEqual({ code: 'template_refused', values: { error: 132015 } });
    desk.fake.templates[template] = approved;
    expect(desk.sentTo('919220000001')).toEqual([]);
    expect((await request('PATCH', '/campaign/resume', { campaign_id: id })).status).toBe(200);
    expect((await settled(id)).map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  it('pauses when its numbers are gone', async () => {
    const added = await request('POST', '/whatsapp/numbers', {
      agent_id: desk.agentId,
      phone_number_id: '106540352249999',
      business_account_id: FAKE_BUSINESS_ACCOUNT_ID,
      number: '+15550789999',
      access_token: 'a new token',
      app_secret: 'another secret',
    });
    const saved = await save(['+919260000001,Asha,Monday,9:30'], {
      campaign_start_time: later(desk.clock.now() + 120_000),
    });
    const id = String(saved.body['list_id']);
    expect((await start(id, { from_numbers: [added.body['id']] })).status).toBe(200);
    await desk.api.request('DELETE', `/api/v0/whatsapp/numbers/${String(added.body['id'])}`, {
      key: desk.key,
    });
    desk.clock.ahead += 180_000;
    const paused = await eventually('the pause', async () => {
      const campaign = await campaignOf(id);
      return campaign.campaign_status === 'paused' ? campaign : null;
    });
    expect(paused.message).toContain('none of its WhatsApp numbers');
    await request('PATCH', '/campaign/terminate', { campaign_id: id });
  });

  it('holds messages until the window opens, and cancels them when the campaign is terminated', async () => {
    const now = new Date(desk.clock.now());
    const hour = (hours: number): string =>
      `${String((now.getUTCHours() + hours + 24) % 24).padStart(2, '0')}:00`;
    const closed = { call_start_time: hour(3), call_end_time: hour(5), timezone: 'Etc/UTC' };
    const id = await started(['+919230000001,Asha,Monday,9:30'], {
      call_config: JSON.stringify({ call_time: closed }),
    });
    await eventually('the message to wait', async () => {
      const [row] = await rowsOf(id);
      return row?.['sub_status'] === 'WINDOW_CLOSED' || null;
    });
    const ended = await request('PATCH', '/campaign/terminate', { campaign_id: id });
    expect(ended.body['terminated_count']).toBe(1);
    expect(await rowsOf(id)).toMatchObject([{ status: 'cancelled', sub_status: 'USER_TERMINATED' }]);
    expect(desk.sentTo('919230000001')).toEqual([]);
  });

  it('never sends twice what a killed process may have sent, and believes a late status', async () => {
    const numbers = ['919240000001', '919240000002', '919240000003'];
    const saved = await save(numbers.map((number) => `+${number},Asha,Monday,9:30`));
    const id = String(saved.body['list_id']);
    await sql`update campaigns set state = 'scheduled', whatsapp_number_ids = ${[desk.numberId]}::uuid[]
      where id = ${id}`.execute(desk.db);
    // The process dies after the claim; the requests of the second and third have left.
    const claimed = await claimMessages(
      { db: desk.db, clock: { now: () => desk.clock.now(), monotonic: () => performance.now() } },
      { workspaceId: desk.workspaceId, id },
      () => 3,
    );
    expect(claimed).toHaveLength(3);
    const wamids: string[] = [];
    for (const message of claimed.slice(1)) {
      desk.fake.switches.isSilent = wamids.length === 1;
      const sent = await fetch(`${desk.fake.baseUrl}/${FAKE_PHONE_NUMBER_ID}/messages`, {
        method: 'POST',
        headers: { authorization: 'Bearer a new token', 'content-type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          to: message.toNumber.slice(1),
          ...message.content,
          biz_opaque_callback_data: ownIdOf(message),
        }),
      });
      const { messages } = (await sent.json()) as { messages: { id: string }[] };
      wamids.push(messages[0]!.id);
    }
    await eventually(
      'the status to arrive',
      async () => (await rowsOf(id))[1]!['status'] === 'completed' || null,
    );
    desk.clock.ahead += 25_000;
    await eventually('the crash to be seen', async () => {
      const rows = await desk.rows(
        sql`select state from campaign_messages where campaign_id = ${id} order by contact_row`,
      );
      return rows.map(({ state }) => state).join() === 'unsure,read,unsure' || null;
    });
    desk.clock.ahead += 5_000;
    expect((await settled(id)).map(({ status, sub_status }) => [status, sub_status])).toEqual([
      ['error', 'UNKNOWN_AFTER_CRASH'],
      ['completed', 'READ'],
      ['error', 'UNKNOWN_AFTER_CRASH'],
    ]);
    // The status of the third comes late.
    desk.fake.switches.isSilent = false;
    desk.fake.report(wamids[1]!, numbers[2]!, ownIdOf(claimed[2]!));
    await eventually('the late status', async () => (await rowsOf(id))[2]!['status'] === 'completed' || null);
    expect(numbers.map((number) => desk.sentTo(number).length)).toEqual([0, 1, 1]);
  });

  it('is refused without a template that fits, and with numbers of others', async () => {
    const row = ['+919250000001,Asha,Monday,9:30'];
    const message = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      return [status, body['message']];
    };
    expect(await message(save(row, { template: '' }))).toEqual([
      422,
      expect.stringContaining('template is required'),
    ]);
    const unknown = JSON.stringify({ name: 'nobody', language: 'en_US' });
    expect(await message(save(row, { template: unknown }))).toEqual([
      422,
      expect.stringContaining('nobody (en_US)'),
    ]);
    const held = JSON.stringify({ name: 'spring_offer', language: 'en_US' });
    expect(await message(save(row, { template: held }))).toEqual([422, expect.stringContaining('PAUSED')]);
    expect(await message(save(row, { variables_map: '{}' }))).toEqual([
      422,
      expect.stringContaining('must have a column "header_1", which the template uses'),
    ]);
    const empty = await save(['+919250000001,Asha,,9:30']);
    expect(empty.body['invalid_rows']).toMatchObject([
      { column: 'Day', reason: 'is required by the template' },
    ]);
    const id = String((await save(row)).body['list_id']);
    const strange = '00000000-0000-4000-8000-000000000001';
    expect((await start(id, { from_numbers: [strange] })).body['code']).toBe('NUMBER_NOT_OF_AGENT');
    expect((await request('POST', `/campaign/check-balance/${id}`)).body).toMatchObject({
      required_credits: 0,
    });
  });
});

/** `DD/MM/YYYY, HH:MM` of the minute after `at`. */
function later(at: number): string {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T(\d+:\d+)/.exec(new Date(at).toISOString()) ?? [];
  return `${day}/${month}/${year}, ${time}`;
}
