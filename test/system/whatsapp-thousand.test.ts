import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkStoredEvents } from '../helpers/event-schemas.ts';
import { eventually } from '../helpers/service.ts';
import { openWhatsappDesk, type WhatsappDesk } from '../helpers/whatsapp-desk.ts';

let desk: WhatsappDesk;
beforeAll(async () => {
  desk = await openWhatsappDesk();
});
afterAll(() => desk?.close());

describe('a thousand chats with duplicates and disorder', () => {
  const CHATS = 1_000;

  it(
    'answers every message once, and ends each chat with one chat_completed',
    { timeout: 600_000 },
    async () => {
      const subscribed = await desk.patch({
        operation: 'edit_event_subscriptions',
        event_subscriptions: [
          {
            event_type: ['chat_completed', 'all_processing_completed'],
            callback_url: 'https://example.com/hook',
          },
        ],
      });
      expect(subscribed.status).toBe(200);
      Object.assign(desk.fake.switches, { duplicates: true, reorder: true, batch: 7, skipDelivered: true });
      const before = desk.fake.accepted.length;
      const numbers = Array.from({ length: CHATS }, (_, at) => `9198${String(at).padStart(8, '0')}`);
      const at = Math.floor(desk.clock.now() / 1000);
      desk.fake.say(
        ...numbers.map((from) => desk.message(from, 'one', { timestamp: at - 2 })),
        ...numbers.map((from) => desk.message(from, 'two', { timestamp: at - 1 })),
      );
      const isTheirs = sql`c.customer_number like '+9198%' and length(c.customer_number) = 13`;
      await eventually(
        'every message to be answered and sent',
        async () => {
          const [open] = await desk.rows(sql`
          select count(*) filter (where m.role = 'customer' and m.turn is not null)::int as answered,
            count(*) filter (where m.state in ('queued', 'sending', 'unsure'))::int as waiting
          from chat_messages m join chats c on c.id = m.chat_id where ${isTheirs}`);
          return (open.answered === 2 * CHATS && open.waiting === 0) || null;
        },
        200_000,
      );
      // Every reply of a turn left once, and every turn answered at least one message.
      const sent = desk.fake.accepted.slice(before).map(({ body }) => body['biz_opaque_callback_data']);
      expect(new Set(sent).size).toBe(sent.length);
      const [stored] = await desk.rows(sql`
      select count(*) filter (where m.role = 'agent')::int as replies,
        count(distinct (m.chat_id, m.turn)) filter (where m.role = 'customer')::int as turns,
        count(*) filter (where m.role = 'customer')::int as messages
      from chat_messages m join chats c on c.id = m.chat_id where ${isTheirs}`);
      expect(stored).toMatchObject({ replies: sent.length, turns: sent.length, messages: 2 * CHATS });
      const open = await desk.rows(
        sql`select count(*)::int as n from chats c where ${isTheirs} and state = 'open'`,
      );
      expect(open).toEqual([{ n: CHATS }]);

      desk.clock.ahead += 31 * 60_000;
      await eventually(
        'every chat to end and to be processed',
        async () => {
          const [done] = await desk.rows(
            sql`select count(*)::int as n from chats c where ${isTheirs} and processed_at is not null`,
          );
          return done.n === CHATS || null;
        },
        300_000,
      );
      const events = await desk.rows(sql`
      select e.event_type as type, count(*)::int as n, count(distinct e.call_id)::int as chats
      from events e join chats c on c.workspace_id = e.workspace_id and c.id = e.call_id where ${isTheirs}
      group by 1 order by 1`);
      const each = { n: CHATS, chats: CHATS };
      expect(events).toEqual([
        { type: 'all_processing_completed', ...each },
        { type: 'chat_completed', ...each },
        { type: 'platform_analysis_completed', ...each },
      ]);
      await checkStoredEvents(desk.db);
    },
  );
});
