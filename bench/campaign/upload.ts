import { fork, type ChildProcess } from 'node:child_process';
import { createReadStream, openAsBlob } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createWriteStream } from 'node:fs';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { voices } from '../../src/providers/voices.ts';
import { silentLog } from '../../src/shared/log.ts';
import { EmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../../src/store/migrate.ts';
import { startService, TEST_KEY, type Service } from '../../test/helpers/service/service.ts';
import { heading, table } from '../report.ts';
import { saveSection } from './section.ts';

/**
 * A contact list from the request to the queue: uploaded over HTTP, parsed, validated and queued. Reference: a bare COPY of
 * the same rows into a copy of the table with its indexes. The event-loop delay is measured in the API process.
 */
const { values: args } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    flow: { type: 'string', default: 'upload-csv' },
    save: { type: 'boolean', default: false },
  },
});
const rows = Number(args.rows);
/** Rows of the warm-up list. */
const SHORT = 1000;

interface Loop {
  p50: number;
  p99: number;
  max: number;
  base: number;
  peak: number;
}

/** One row: numbers of several countries, names with accents, quoted values. */
function line(i: number): string {
  const serial = String(i).padStart(7, '0');
  const number =
    i % 10 < 6
      ? `+9198${String(10_000_000 + i).slice(-8)}`
      : i % 10 < 8
        ? `+1${['212', '415', '305', '617'][i % 4]}${2 + ((i + Math.floor(i / 1_000_000)) % 8)}${serial.slice(-6)}`
        : i % 10 === 8
          ? `+447${4 + (i % 5)}${String(10_000_000 + i).slice(-8)}`
          : `+49151${String(10_000_000 + i).slice(-8)}`;
  return `${number},"Priya ${serial}, Müller",ORD-${serial},"Tuesday, ${i % 12} o'clock"\n`;
}

async function writeList(path: string, count: number): Promise<void> {
  const file = await open(path, 'w');
  let text = 'Mobile Number,callee_name,order_id,slot\n';
  for (let i = 0; i < count; i += 1) {
    text += line(i);
    if (text.length < 1_000_000) continue;
    await file.write(text);
    text = '';
  }
  await file.write(text);
  await file.close();
}

async function createAgent(service: Service): Promise<string> {
  const answer = await service.request('POST', '/api/v0/public/agent', {
    agent_name: 'Reminder',
    introduction_and_objective: 'Tell {{callee_name}} that order {{order_id}} comes {{slot}}.',
    response_guidelines: 'Be brief.',
    task: '1. Ask whether the time suits.',
    primary_language: 'en-US',
    voice_id: voices().find((voice) => voice.languages.includes('en-US'))?.id,
    intro_message: 'Hello.',
  });
  if (answer.status !== 200) throw new Error(`no agent: ${JSON.stringify(answer.body)}`);
  return answer.body.data.id;
}

const ask = async (child: ChildProcess, message: string): Promise<unknown> => {
  const answered = once(child, 'message') as Promise<unknown[]>;
  child.send(message);
  const [answer] = await answered;
  return answer;
};

interface Uploaded {
  seconds: number;
  answeredAfter: number;
  campaignId: string;
  status: Record<string, unknown>;
}

async function upload(service: Service, path: string, agentId: string): Promise<Uploaded> {
  const form = new FormData();
  form.set('agent_id', agentId);
  form.set('campaign_name', 'Bench');
  form.set('remove_invalid_rows', 'true');
  form.set('file', await openAsBlob(path), 'contacts.csv');
  const begin = performance.now();
  const response = await fetch(`${service.url}/api/v0/campaign/${args.flow}`, {
    method: 'POST',
    headers: { 'x-api-key': service.key },
    body: form,
  });
  const body = (await response.json()) as Record<string, unknown>;
  const answeredAfter = (performance.now() - begin) / 1000;
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  const campaignId = String(body['bulk_list_id']);
  const until = begin + 600_000;
  for (;;) {
    if (performance.now() > until) throw new Error('the list was not read within ten minutes');
    const { body: status } = await service.request('GET', `/api/v0/campaign/upload-status/${campaignId}`);
    if (status.status === 'failed') throw new Error(JSON.stringify(status));
    if (status.status === 'completed') {
      return { seconds: (performance.now() - begin) / 1000, answeredAfter, campaignId, status };
    }
    await sleep(100);
  }
}

const COLUMNS = `workspace_id, campaign_id, agent_id, version_id, call_type, status, sub_status, next_attempt_at,
  created_at, updated_at, id, contact_row, to_number, callee_name, args`;

/** Seconds that a COPY of the campaign's rows into a table of the same shape takes. */
async function bareCopy(url: string, campaignId: string, path: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await pipeline(
      client.query(
        copyTo(`copy (select ${COLUMNS} from calls where campaign_id = '${campaignId}') to stdout`),
      ),
      createWriteStream(path),
    );
    await client.query('create table bare (like calls including all)');
    await client.query('checkpoint');
    const begin = performance.now();
    await pipeline(
      createReadStream(path, { highWaterMark: 262_144 }),
      client.query(copyFrom(`copy bare (${COLUMNS}) from stdin`)),
    );
    const seconds = (performance.now() - begin) / 1000;
    const { rows: counted } = await client.query<{ count: string }>('select count(*) from bare');
    if (Number(counted[0]?.count) !== rows) throw new Error(`bare COPY wrote ${counted[0]?.count} rows`);
    return seconds;
  } finally {
    await client.end();
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
let service: Service | null = null;
try {
  const list = join(dataDir, 'contacts.csv');
  await writeList(list, rows);
  const short = join(dataDir, 'short.csv');
  await writeList(short, SHORT);
  const bytes = (await stat(list)).size;
  const url = await postgres.start();
  await migrate(url);
  service = await startService({
    program: 'bench/campaign/upload/service.ts',
    env: { DATABASE_URL: url, ROLES: 'api,jobs', LOG_LEVEL: 'warn' },
    provision: {
      trunks: [{ name: 'carrier', uri: 'sip:127.0.0.1:5099' }],
      workspaces: [
        {
          name: 'Bench',
          api_key: TEST_KEY,
          credits: 'unlimited',
          numbers: [{ number: '+14155550100', trunk: 'carrier' }],
        },
      ],
    },
  });
  const agentId = await createAgent(service);
  await sleep(1000);
  const idle = fork(join(import.meta.dirname, 'upload/idle.ts'));
  await ask(idle, 'begin');
  // The short list first: memory that the process keeps after any list is not part of the measurement.
  await ask(service.child, 'begin');
  await upload(service, short, agentId);
  const { base: atRest, peak: ofShort } = (await ask(service.child, 'end')) as Loop;
  await ask(service.child, 'begin');
  const done = await upload(service, list, agentId);
  const loop = (await ask(service.child, 'end')) as Loop;
  const { p99: idleP99 } = (await ask(idle, 'end')) as { p99: number };
  if (done.status['successful_rows'] !== rows) throw new Error(JSON.stringify(done.status));
  await service.dispose();
  service = null;
  const bare = await bareCopy(url, done.campaignId, join(dataDir, 'rows.copy'));
  const rate = (seconds: number): string => Math.round(rows / seconds).toLocaleString('en-US');
  const mb = (size: number): string => (size / 1_048_576).toFixed(0);
  const text = [
    heading(
      'Campaigns: upload',
      `${rows.toLocaleString('en-US')} rows, ${mb(bytes)} MB, POST /campaign/${args.flow}; client, server and PostgreSQL (with fsync) on this machine`,
    ),
    table(
      ['', 'seconds', 'rows/s', 'of bare COPY'],
      [
        ['upload and response', done.answeredAfter.toFixed(1), '', ''],
        [
          'uploaded, parsed, validated, queued',
          done.seconds.toFixed(1),
          rate(done.seconds),
          (bare / done.seconds).toFixed(2),
        ],
        ['bare COPY of the same rows, same indexes', bare.toFixed(1), rate(bare), '1'],
      ],
    ),
    `API process during the import (sampled every 10 ms, the floor): event-loop delay p50 ${loop.p50.toFixed(1)} ms, p99 ${loop.p99.toFixed(1)} ms, max ${loop.max.toFixed(1)} ms (an idle process: p99 ${idleP99.toFixed(1)} ms); memory ${mb(atRest)} MB at rest, ${mb(ofShort)} MB peak with a list of ${SHORT} rows, ${mb(loop.peak)} MB with this one (+${mb(loop.peak - atRest)} MB over rest, +${mb(loop.peak - ofShort)} MB over the short list).`,
  ].join('\n');
  console.log(text);
  if (args.save) saveSection(text);
} finally {
  await service?.dispose();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
