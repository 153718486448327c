import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { traceExport } from '../src/app/trace-export.ts';
import { readTrace } from '../src/domain/calls/trace.ts';
import { newId } from '../src/shared/ids.ts';
import { silentLog } from '../src/shared/log.ts';
import { openDatabase } from '../src/store/database.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../src/store/migrate.ts';
import { boundsText, heading, saveResult, table } from './report.ts';
import { timeOfFamily } from './webhooks/processor-time.ts';

/**
 * What the trace of a call costs: reading its record, making its spans and sending them to a receiver in another process, as
 * a share of the processor time of a call of a minute. Nothing of it runs while the call does.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000' },
    // Of a core, of a call of 60 s: `npm run bench:conversation`.
    share: { type: 'string', default: '0.26' },
    save: { type: 'boolean', default: false },
  },
});

if (process.send !== undefined) {
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  process.send((server.address() as AddressInfo).port);
  await once(process, 'disconnect');
  process.exit(0);
}

const calls = Number(args.calls);
const SECONDS = 60;
const TURNS = 8;
const BOUND = 3;
const callMs = (Number(args.share) / 100) * SECONDS * 1000;

/** The record of a call of a minute: eight turns of speech, model and voice, and a tool. */
function recordOf(from: number) {
  const at = (turn: number): number => from + 2_000 + turn * 7_000;
  const turns = Array.from({ length: TURNS }, (_, turn) => turn);
  return {
    transcript: turns.flatMap((turn) => [
      line('caller', 'Can I move my appointment to Thursday afternoon, please?', at(turn), 2_000),
      line('agent', 'Of course. Thursday at three is free. Shall I book it?', at(turn) + 2_800, 2_500),
    ]),
    latency: turns.map((turn) => ({
      turn,
      endpointingMs: 300,
      recognitionMs: 120,
      modelMs: 250,
      voiceMs: 130,
      prepared: false,
      firstAudioMs: null,
      cachedTokens: 0,
      heardCharacters: 55,
      totalMs: 800,
      lines: [at(turn) + 2_800],
      stt: { vendor: 'deepgram', model: 'nova-3' },
      llm: { vendor: 'openai', model: 'gpt-5-mini' },
      tts: { vendor: 'cartesia', model: 'sonic-3' },
      inputTokens: 900,
      outputTokens: 30,
      characters: 55,
    })),
    tools: [{ name: 'book', args: { day: 'Thursday' }, result: 'ok', at: at(3) + 2_500, ms: 90, ok: true }],
  };
}
const line = (role: 'agent' | 'caller', text: string, startedAt: number, ms: number) => ({
  role,
  text,
  startedAt,
  endedAt: startedAt + ms,
  interrupted: false,
  by: 'speech',
});

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
const receiver = fork(import.meta.filename);
try {
  const [[port], url] = await Promise.all([once(receiver, 'message') as Promise<[number]>, postgres.start()]);
  await migrate(url);
  const from = Date.now() - 3_600_000;
  const { transcript, latency, tools } = recordOf(from);
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const workspaceId = newId();
  await client.query(
    `insert into workspaces (id, name, created_at, updated_at) values ($1, 'Bench', now(), now())`,
    [workspaceId],
  );
  const { rows } = await client.query<{ id: string }>(
    `insert into calls (workspace_id, id, agent_id, version_id, call_type, to_number, status, sub_status, attempt, created_at,
       updated_at, dialed_at, answered_at, ended_at)
     select $1, uuidv7(), $1, $1, 'outbound', '+14155551234', 'completed', 'USER_LEFT', 1, $2, $2, $2, $2,
       $2::timestamptz + interval '60 s'
     from generate_series(1, $3::int) returning id`,
    [workspaceId, new Date(from), calls],
  );
  await client.query(
    `insert into call_records (workspace_id, call_id, attempt, transcript, latency, tool_log, updated_at)
     select workspace_id, id, 1, $1, $2, $3, now() from calls`,
    [JSON.stringify(transcript), JSON.stringify(latency), JSON.stringify(tools)],
  );
  await client.end();
  const database = openDatabase(url, { maxConnections: 1 });
  const traces = traceExport({
    endpoint: `http://127.0.0.1:${port}`,
    headers: {},
    serviceName: 'bench',
    hasContent: false,
  });
  let spans = 0;
  const send = async (callId: string): Promise<void> => {
    const of = { workspaceId, callId, attempt: 1 };
    const made = await readTrace(database.kysely, of, { hasContent: false });
    if (made === null) throw new Error('a call has no trace');
    spans = made.length;
    await traces.send(of, made);
  };
  // The first traces load the libraries and are compiled.
  const warm = Math.ceil(calls / 5);
  for (const { id } of rows.slice(0, warm)) await send(id);
  const before = process.cpuUsage();
  const serverBefore = timeOfFamily(postgres.pid ?? 0);
  for (const { id } of rows.slice(warm)) await send(id);
  const used = process.cpuUsage(before);
  const measured = rows.length - warm;
  const ours = (used.user + used.system) / 1000 / measured;
  const theirs = (timeOfFamily(postgres.pid ?? 0) - serverBefore) / measured;
  await traces.close();
  await database.close();
  const percent = ((ours + theirs) / callMs) * 100;
  const text = [
    heading(
      'Traces',
      `processor time of the trace of a call of ${SECONDS} s with ${TURNS} turns and ${spans} spans, mean of ${measured}; the call itself takes ${args.share} % of a core, ${callMs.toFixed(0)} ms (bench:conversation)`,
    ),
    table(
      ['', 'ms'],
      [
        ['reading, spans, sending', ours.toFixed(2)],
        ['the database', theirs.toFixed(2)],
        ['without a receiver', '0: no job is queued, and the libraries are not loaded'],
      ],
    ),
    boundsText([
      {
        text: `a trace takes at most ${BOUND} % of its call (${percent.toFixed(2)} %)`,
        holds: percent <= BOUND,
      },
    ]),
  ].join('\n');
  console.log(text);
  if (args.save) saveResult('traces', text);
} finally {
  receiver.disconnect();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
