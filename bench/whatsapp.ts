import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLog } from '../src/shared/log.ts';
import { openDatabase } from '../src/store/database.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../src/store/migrate.ts';
import { openWhatsappDesk } from '../test/helpers/whatsapp/whatsapp-api.ts';
import { runChats } from '../test/helpers/whatsapp/whatsapp-load.ts';
import { boundsText, heading, saveResult, table } from './report.ts';

/**
 * WhatsApp chats of many customers at once, with duplicates and disorder: every message is answered once, none twice, and
 * each chat ends with one `chat_completed`. Against the stand-in of the Cloud API, with a model that answers at once.
 */
const { values: args } = parseArgs({
  options: { chats: { type: 'string', default: '1000' }, save: { type: 'boolean', default: false } },
});
const chats = Number(args.chats);

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
try {
  const url = await postgres.start();
  await migrate(url);
  const database = openDatabase(url, { maxConnections: 20, applicationName: 'bench' });
  const desk = await openWhatsappDesk({
    url,
    db: database.kysely,
    pool: database.pool,
    close: () => database.close(),
  });
  const report = await runChats(desk, chats);
  await desk.close();
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const perSecond = report.messages / (report.answeredMs / 1000);
  const isOnce = report.events.every(({ n, chats: of }) => n === chats && of === chats);
  const text = [
    heading(
      'WhatsApp chats',
      `${chats} chats of two messages at once, every webhook twice and in reverse order`,
    ),
    table(
      ['messages', 'turns', 'replies sent', 'all answered after', 'messages per second', 'all ended after'],
      [
        [
          String(report.messages),
          String(report.turns),
          String(report.sent),
          seconds(report.answeredMs),
          perSecond.toFixed(0),
          seconds(report.endedMs),
        ],
      ],
    ),
    boundsText([
      { text: `all ${2 * chats} messages are stored once`, holds: report.messages === 2 * chats },
      {
        text: `every turn is sent once (${report.sent} sent, ${report.twice} twice)`,
        holds: report.sent === report.turns && report.replies === report.sent && report.twice === 0,
      },
      { text: 'no chat ends before its idle timeout', holds: report.open === chats },
      {
        text: 'each chat has one chat_completed and one all_processing_completed',
        holds: isOnce && report.events.length === 3,
      },
    ]),
  ].join('\n');
  console.log(text);
  if (args.save) saveResult('whatsapp', text);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
