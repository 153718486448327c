import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepErasure } from '../../../src/domain/privacy/erase-numbers.ts';
import { changeRetention, sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { postCallTool } from '../../../src/jobs/run-post-call-tool.ts';
import { newId } from '../../../src/shared/ids.ts';
import { lockChat, noteCustomerMessage } from '../../../src/store/chats/chats.ts';
import { insertMessages } from '../../../src/store/chats/messages.ts';
import { commitTurn, leaseChat } from '../../../src/store/chats/turns.ts';
import { TEST_SEAL } from '../../helpers/api/api.ts';
import { eventProblems } from '../../helpers/webhooks/event-schemas.ts';
import { eventually } from '../../helpers/service/service.ts';
import { openWhatsappDesk, type WhatsappDesk } from '../../helpers/whatsapp/whatsapp-api.ts';

let desk: WhatsappDesk;
beforeAll(async () => {
  desk = await openWhatsappDesk();
});
afterAll(() => desk?.close());

const textOf = (body: Readonly<Record<string, any>>): string =>
  body['text']?.body ?? body['interactive']?.body.text ?? '';

describe('a WhatsApp chat', () => {
  it('begins with the first message of the agent, and follows the customer', async () => {
    desk.fake.say(desk.message('919000000001', 'Hello there', { name: 'Priya' }));
    const [first] = await desk.answers('919000000001', 1);
    expect(textOf(first!.body)).toBe('Welcome.\nYou said: Hello there.');
    // Marked as read, with the sign that an answer is being written.
    await eventually('the mark', () => Promise.resolve(desk.fake.read.length === 1 || null));
    desk.fake.say(desk.message('919000000001', 'Second'));
    expect(textOf((await desk.answers('919000000001', 2))[1]!.body)).toBe('You said: Second.');
    await eventually('the statuses to arrive', async () => {
      const listed = await desk.api.request('GET', '/api/v0/chat/history?customer_number=%2B919000000001', {
        key: desk.key,
      });
      const [chat] = listed.body['chats'] as { id: string; customer_name: string; message_count: number }[];
      expect(chat).toMatchObject({ customer_name: 'Priya', channel: 'whatsapp', message_count: 4 });
      const details = await desk.api.request('GET', `/api/v0/chat/details?id=${chat!.id}`, { key: desk.key });
      const { transcript } = details.body['data'] as { transcript: { role: string; state: string | null }[] };
      const states = transcript.filter(({ role }) => role === 'agent').map(({ state }) => state);
      return states.every((state) => state === 'read') || null;
    });
  });

  it('answers a message that is stored while the end of a turn waits for the chat', async () => {
    const from = '919000000031';
    desk.fake.say(desk.message(from, 'Hello there'));
    await desk.answers(from, 1);
    const chat = await eventually('the chat to be free', async () => {
      const [free] = await desk.rows(
        sql`select id from chats where customer_number = ${`+${from}`} and due_at is null`,
      );
      return free ?? null;
    });
    const at = new Date(desk.clock.now());
    const later = new Date(desk.clock.now() + 600_000);
    const times = { now: at, leaseUntil: later };
    const leased = await leaseChat(desk.db, desk.workspaceId, chat.id, times);
    await sql`update chats set due_at = ${at} where id = ${chat.id}`.execute(desk.db);
    const turn = { answered: [], talk: leased!.talk, toolLog: [], usage: [], endsAt: later, now: at };
    let committed: Promise<boolean> | undefined;
    await desk.db.transaction().execute(async (tx) => {
      const locked = await lockChat(tx, desk.workspaceId, chat.id);
      committed = desk.db.transaction().execute((other) => commitTurn(other, leased!, turn));
      await eventually('the turn to wait', async () => {
        const waiting = await desk.rows(sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return waiting.length > 0 || null;
      });
      const second = { id: newId(), role: 'customer', kind: 'text', text: 'Second', sentAt: at } as const;
      await insertMessages(tx, locked!, [second], at);
      await noteCustomerMessage(tx, locked!, { at, endsAt: later, dueAt: at, name: '' });
    });
    expect(await committed).toBe(true);
    expect(textOf((await desk.answers(from, 2))[1]!.body)).toBe('You said: Second.');
  });

  it('answers a picture without words, and leaves a reaction unanswered', async () => {
    desk.fake.say(
      desk.message('919000000002', '', { type: 'reaction', content: { message_id: 'wamid.x', emoji: '👍' } }),
    );
    desk.fake.say(
      desk.message('919000000002', '', { type: 'image', content: { id: '1', mime_type: 'image/jpeg' } }),
    );
    const [first] = await desk.answers('919000000002', 1);
    expect(textOf(first!.body)).toContain('[picture]');
    expect(await desk.rows(sql`select from chat_messages where kind = 'reaction'`)).toEqual([]);
  });

  it('answers the verification of its address with the challenge, for the right token only', async () => {
    const verify = (token: string) =>
      fetch(`${desk.webhookUrl}?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${token}`);
    const verified = await verify(desk.verifyToken);
    expect([verified.status, await verified.text()]).toEqual([200, '42']);
    expect((await verify('another')).status).toBe(403);
  });

  it('refuses a webhook with a wrong signature, and reads nothing of it', async () => {
    desk.fake.switches.wrongSignature = true;
    desk.fake.say(desk.message('919000000003', 'Forged'));
    await eventually('the webhook to be refused', async () => desk.fake.pending() === 0 || null);
    desk.fake.switches.wrongSignature = false;
    expect(await desk.rows(sql`select from chats where customer_number = '+919000000003'`)).toEqual([]);
  });

  it('sends a message again that was refused for a while, and not one whose answer was lost', async () => {
    Object.assign(desk.fake.switches, { refuseNext: 1 });
    desk.fake.say(desk.message('919000000004', 'Refused once'));
    await desk.answers('919000000004', 1);
    Object.assign(desk.fake.switches, { dropNext: 1 });
    desk.fake.say(desk.message('919000000004', 'Answer lost'));
    await desk.answers('919000000004', 2);
    await eventually('the lost answer to be settled', async () => {
      const open = await desk.rows(
        sql`select from chat_messages where state in ('queued', 'sending', 'unsure')`,
      );
      return open.length === 0 || null;
    });
    expect(desk.sentTo('919000000004')).toHaveLength(2);
  });

  it('stores an opt-out of a single word, for calls and messages', async () => {
    desk.fake.say(desk.message('919000000005', 'STOP'));
    await eventually('the opt-out to be stored', async () => {
      const found = await desk.rows(sql`select from do_not_call where number = '+919000000005'`);
      return found.length === 1 || null;
    });
    const refused = await desk.api.request('POST', '/api/v0/whatsapp/chats', {
      key: desk.key,
      body: {
        whatsapp_number_id: desk.numberId,
        mobile_number: '+919000000005',
        template: { name: 'hello', language: 'en' },
      },
    });
    expect([refused.status, refused.body['code']]).toEqual([400, 'CUSTOMER_OPTED_OUT']);
  });

  it('begins with a template, and goes on from its words', async () => {
    const started = await desk.api.request('POST', '/api/v0/whatsapp/chats', {
      key: desk.key,
      body: {
        whatsapp_number_id: desk.numberId,
        mobile_number: '+919876543210',
        template: {
          name: 'order_update',
          language: 'en_US',
          parameters: ['Asha'],
          text: 'Your order is ready.',
        },
      },
    });
    expect([started.status, started.text]).toEqual([200, expect.anything()]);
    const [template] = await desk.answers('919876543210', 1);
    expect(template!.body['template']).toMatchObject({ name: 'order_update', language: { code: 'en_US' } });
    desk.fake.say(desk.message('919876543210', 'Thanks'));
    expect(textOf((await desk.answers('919876543210', 2))[1]!.body)).toBe('You said: Thanks.');
  });

  it('answers 400 for an event of calls, and for chat settings of a voice agent', async () => {
    const hook = { callback_url: 'https://example.com/hook' };
    const refused = await desk.patch({
      operation: 'edit_event_subscriptions',
      event_subscriptions: [{ ...hook, event_type: ['call_completed'] }],
    });
    expect([refused.status, refused.body['code']]).toEqual([400, 'EVENT_NEVER_SENT']);
    const settings = (session: object) =>
      desk.patch({ operation: 'edit_chat_settings', chat_settings: { whatsapp_session: session } });
    expect((await settings({ idle_timeout_minutes: 60, max_duration_minutes: 30 })).status).toBe(422);
    expect((await settings({ idle_timeout_minutes: 20 })).status).toBe(200);
    const call = await desk.api.request('PATCH', `/api/v0/public/agent/${desk.agentId}`, {
      key: desk.key,
      body: { agent_type: 'outbound' },
    });
    expect(call.body['code']).toBe('CHANNEL_IS_FIXED');
  });

  it('runs the tools after a chat with its transcript, and logs them in the chat', async () => {
    const tool = {
      type: 'API_TOOL',
      name: 'store_chat',
      method: 'POST',
      url: 'https://crm.example.com/chats',
      body: { talk: '{{transcript}}' },
    };
    const edited = await desk.patch({
      operation: 'edit_post_call_tools',
      post_call_tools: [tool],
    });
    expect([edited.status, edited.text]).toEqual([200, expect.anything()]);
    const from = '919000000021';
    desk.fake.say(desk.message(from, 'Store this'));
    await desk.answers(from, 1);
    const [{ id, workspace_id: workspaceId }] = await desk.rows(
      sql`select id, workspace_id from chats where customer_number = ${`+${from}`}`,
    );
    await desk.api.request('POST', `/api/v0/chat/${id}/end`, { key: desk.key });
    const [job] = await desk.rows(sql`select id, payload from jobs where kind = 'post_call_tool'`);
    const sent: { url: string; body: string | null }[] = [];
    const handler = postCallTool({
      db: desk.db,
      clock: { now: () => desk.clock.now(), monotonic: () => performance.now() },
      seal: TEST_SEAL,
      fetcher: {
        of: () => ({
          fetch: ({ url, body }) => {
            sent.push({ url, body });
            return Promise.resolve({ ok: true, status: 200, headers: {}, body: Buffer.from('{}') } as never);
          },
        }),
      },
    });
    await handler.run({ id: job.id, workspaceId, payload: job.payload } as never);
    expect(sent[0]?.url).toBe('https://crm.example.com/chats');
    expect(sent[0]?.body).toContain('user: Store this');
    const { body } = await desk.api.request('GET', `/api/v0/chat/details?id=${id}`, { key: desk.key });
    const { tool_call_logs: log } = body['data'] as { tool_call_logs: object[] };
    expect(log).toMatchObject([{ name: 'store_chat', phase: 'post_call', ok: true }]);
    await desk.patch({ operation: 'edit_post_call_tools', post_call_tools: [] });
  });

  it('has samples of its events for a receiver', async () => {
    const receiver = { callback_url: 'https://example.com/hook' };
    await desk.patch({
      operation: 'edit_event_subscriptions',
      event_subscriptions: [{ ...receiver, event_type: ['chat_completed', 'all_processing_completed'] }],
    });
    for (const event_type of ['chat_completed', 'all_processing_completed']) {
      const sample = await desk.api.request('POST', '/api/v0/webhooks/test', {
        key: desk.key,
        body: { event_type, agent_id: desk.agentId },
      });
      expect([sample.status, sample.text]).toEqual([200, expect.anything()]);
      const [{ body }] = await desk.rows(
        sql`select body from events where event_type = ${event_type} and body ->> 'test' = 'true'`,
      );
      const { test: isTest, ...event } = body;
      expect(isTest).toBe(true);
      expect(event).toMatchObject({ call_type: 'chat', channel: 'whatsapp', agent_id: desk.agentId });
      expect(eventProblems(event)).toEqual([]);
    }
  });

  it('is judged by the criteria of its agent once it has ended', async () => {
    const edited = await desk.api.request('PATCH', '/api/v0/agent/v1', {
      key: desk.key,
      body: {
        operation: 'edit_evaluations',
        agent_id: desk.agentId,
        evaluations: [{ name: 'greets', criterion: 'The agent says "welcome"' }],
      },
    });
    expect(edited.status).toBe(200);
    desk.fake.say(desk.message('919000000031', 'Hello'));
    await desk.answers('919000000031', 1);
    const [{ id }] = await desk.rows(sql`select id from chats where customer_number = '+919000000031'`);
    await desk.api.request('POST', `/api/v0/chat/${id}/end`, { key: desk.key });
    const evaluations = await eventually('the analysis of the chat', async () => {
      const [row] = await desk.rows(
        sql`select evaluations from chats where customer_number = '+919000000031' and processed_at is not null`,
      );
      return row?.evaluations ?? null;
    });
    expect(evaluations).toEqual([
      { name: 'greets', result: 'passed', reason: expect.stringContaining('Welcome') },
    ]);
  });

  it('is erased with everything of its number, and its messages go after the retention period', async () => {
    const { db, clock, key } = desk;
    const deps = { db, clock: { now: () => clock.now(), monotonic: () => performance.now() } };
    desk.fake.say(desk.message('919000000011', 'Erase my secretmark', { name: 'Zebulon' }));
    desk.fake.say(desk.message('919000000012', 'Keep for a while'));
    await desk.answers('919000000011', 1);
    await desk.answers('919000000012', 1);
    const asked = await desk.api.request('POST', '/api/v0/calling/erase', {
      key,
      body: { mobile_numbers: ['+919000000011'] },
    });
    expect(asked.status).toBe(200);
    clock.ahead += 60 * 60_000;
    await eventually('the erasure to be done', async () => {
      await stepErasure(deps);
      const left = await desk.rows(sql`select from chats where customer_number = '+919000000011'`);
      return left.length === 0 || null;
    });
    expect(await desk.rows(sql`select from chat_messages where text like '%secretmark%'`)).toEqual([]);
    expect(
      await desk.rows(sql`select from events where body::text ~ 'secretmark|Zebulon|919000000011'`),
    ).toEqual([]);
    expect(
      await desk.rows(sql`select from chats where chats::text ~ 'secretmark|Zebulon|919000000011'`),
    ).toEqual([]);

    await eventually('the other chat to end', async () => {
      const ended = await desk.rows(
        sql`select from chats where customer_number = '+919000000012' and processed_at is not null`,
      );
      return ended.length === 1 || null;
    });
    clock.ahead += 3 * 86_400_000;
    await changeRetention(
      deps,
      (await desk.rows(sql`select workspace_id as id from chats limit 1`))[0].id,
      null,
      {
        transcriptDays: 1,
      },
    );
    await sweepRetention(deps);
    expect(await desk.rows(sql`select from chat_messages where text like '%Keep for a while%'`)).toEqual([]);
  });
});
