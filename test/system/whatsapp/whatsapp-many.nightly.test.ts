import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkStoredEvents } from '../../helpers/webhooks/event-schemas.ts';
import { openWhatsappDesk, type WhatsappDesk } from '../../helpers/whatsapp/whatsapp-api.ts';
import { runChats } from '../../helpers/whatsapp/whatsapp-load.ts';

let desk: WhatsappDesk;
beforeAll(async () => {
  desk = await openWhatsappDesk();
});
afterAll(() => desk?.close());

// `npm run bench:whatsapp` holds a thousand.
const CHATS = 150;

it('many chats with duplicates and disorder are answered once, and end with one chat_completed each', async () => {
  const report = await runChats(desk, CHATS);
  // Every reply of a turn left once, and every turn answered at least one message.
  expect(report).toMatchObject({
    messages: 2 * CHATS,
    replies: report.sent,
    turns: report.sent,
    twice: 0,
    open: CHATS,
  });
  const each = { n: CHATS, chats: CHATS };
  expect(report.events).toEqual([
    { type: 'all_processing_completed', ...each },
    { type: 'chat_completed', ...each },
    { type: 'platform_analysis_completed', ...each },
  ]);
  await checkStoredEvents(desk.db);
}, 300_000);
