import { sql } from 'kysely';
import { eventually } from '../service/service.ts';
import type { WhatsappDesk } from './whatsapp-api.ts';

export interface LoadReport {
  /** Of the customers. */
  readonly messages: number;
  /** Stored replies, messages that left, and messages that left twice. */
  readonly replies: number;
  readonly sent: number;
  readonly twice: number;
  /** Turns that answered at least one message. */
  readonly turns: number;
  /** Chats that were open before their idle timeout. */
  readonly open: number;
  /** Events of the ended chats by type: how many, and of how many chats. */
  readonly events: readonly { readonly type: string; readonly n: number; readonly chats: number }[];
  /** Until every message was answered, and until every ended chat was processed. */
  readonly answeredMs: number;
  readonly endedMs: number;
}

const WAIT_MS = 300_000;

/**
 * Chats of many customers at once, who write two messages each, with duplicates and disorder. All end by their idle
 * timeout.
 */
export async function runChats(desk: WhatsappDesk, chats: number): Promise<LoadReport> {
  await desk.patch({
    operation: 'edit_event_subscriptions',
    event_subscriptions: [
      {
        event_type: ['chat_completed', 'all_processing_completed'],
        callback_url: 'https://example.com/hook',
      },
    ],
  });
  Object.assign(desk.fake.switches, { duplicates: true, reorder: true, batch: 7, skipDelivered: true });
  const before = desk.fake.accepted.length;
  const numbers = Array.from({ length: chats }, (_, at) => `9198${String(at).padStart(8, '0')}`);
  const at = Math.floor(desk.clock.now() / 1000);
  const from = performance.now();
  desk.fake.say(
    ...numbers.map((number) => desk.message(number, 'one', { timestamp: at - 2 })),
    ...numbers.map((number) => desk.message(number, 'two', { timestamp: at - 1 })),
  );
  const isTheirs = sql`c.customer_number like '+9198%' and length(c.customer_number) = 13`;
  await eventually(
    'every message to be answered and sent',
    async () => {
      const [found] = await desk.rows(sql`
        select count(*) filter (where m.role = 'customer' and m.turn is not null)::int as answered,
          count(*) filter (where m.state in ('queued', 'sending', 'unsure'))::int as waiting
        from chat_messages m join chats c on c.id = m.chat_id where ${isTheirs}`);
      return (found.answered === 2 * chats && found.waiting === 0) || null;
    },
    WAIT_MS,
  );
  const answeredMs = performance.now() - from;
  const sent = desk.fake.accepted.slice(before).map(({ body }) => body['biz_opaque_callback_data']);
  const [stored] = await desk.rows(sql`
    select count(*) filter (where m.role = 'agent')::int as replies,
      count(distinct (m.chat_id, m.turn)) filter (where m.role = 'customer')::int as turns,
      count(*) filter (where m.role = 'customer')::int as messages
    from chat_messages m join chats c on c.id = m.chat_id where ${isTheirs}`);
  const [{ open }] = await desk.rows(
    sql`select count(*)::int as open from chats c where ${isTheirs} and state = 'open'`,
  );

  const endedAt = performance.now();
  desk.clock.ahead += 31 * 60_000;
  await eventually(
    'every chat to end and to be processed',
    async () => {
      const [done] = await desk.rows(
        sql`select count(*)::int as n from chats c where ${isTheirs} and processed_at is not null`,
      );
      return done.n === chats || null;
    },
    WAIT_MS,
  );
  const events = await desk.rows(sql`
    select e.event_type as type, count(*)::int as n, count(distinct e.call_id)::int as chats
    from events e join chats c on c.workspace_id = e.workspace_id and c.id = e.call_id where ${isTheirs}
    group by 1 order by 1`);
  return {
    ...stored,
    sent: sent.length,
    twice: sent.length - new Set(sent).size,
    open,
    events,
    answeredMs,
    endedMs: performance.now() - endedAt,
  };
}
