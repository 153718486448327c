import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { envelope } from '../src/wire/events/call.ts';
import { conversationKeys } from '../src/wire/events/conversation.ts';
import { WebhookDeliverer } from '../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../src/net/safe-fetch.ts';
import { systemClock } from '../src/shared/clock.ts';
import { newId } from '../src/shared/ids.ts';
import { silentLog } from '../src/shared/log.ts';
import { createSeal } from '../src/shared/seal.ts';
import { openDatabase, type Db } from '../src/store/database.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { insertEvents, type AddressedEvent } from '../src/store/webhooks/events.ts';
import { migrate } from '../src/store/migrate.ts';
import { boundsText, heading, saveResult, table } from './report.ts';
import { timeOf, timeOfFamily } from './webhooks/processor-time.ts';

/**
 * Deliveries per second to ten receivers on loopback, one of which never responds. Reference: a bare undici loop that
 * posts the same bodies to the other nine. Each delivery is leased, signed, sent, and its outcome stored.
 */
const { values: args } = parseArgs({
  options: {
    events: { type: 'string', default: '40000' },
    rounds: { type: 'string', default: '3' },
    save: { type: 'boolean', default: false },
  },
});
const total = Number(args.events);
const rounds = Number(args.rounds);
const LIVE = 9;
/** Deliveries per second that must be reached in every round. */
const MIN_DELIVERIES = 5000;
/** Parallel requests of the bare loop over all receivers; more make it slower. */
const AT_ONCE = 64;
const WARM_UP = 5000;

const transcript = Array.from({ length: 12 }, (_, n) => ({
  role: n % 2 === 0 ? ('agent' as const) : ('caller' as const),
  startedAt: n * 3000,
  text: 'I would like to move my appointment to Thursday afternoon, if there is a place left.',
}));
const workspaces = Array.from({ length: 3 }, () => newId());
const ids = { agent: newId(), version: newId() };

function bodyOf(workspaceId: string, callId: string, eventId: string): Record<string, unknown> {
  const more = conversationKeys({
    calledOn: new Date(),
    durationMs: 61_000,
    transcript,
    audioStartedAt: 0,
    latencies: [{ totalMs: 640 }],
    firstUtteranceMs: 300,
    answeredBy: null,
    hangupBy: 'caller',
    mos: null,
    failure: null,
  });
  const call = {
    workspaceId,
    id: callId,
    campaignId: null,
    agentId: ids.agent,
    agentName: 'Asha',
    versionId: ids.version,
    callType: 'outbound' as const,
    fromNumber: '+14155550100',
    toNumber: '+14155550142',
    args: { callee_name: 'Priya' },
    status: 'completed' as const,
    subStatus: 'USER_LEFT',
    retriesUsed: 0,
    credits: 1,
    sipCallId: null,
  };
  return envelope('call_completed', eventId, call, new Date(), [], more);
}

/** Every tenth event goes to the dead receiver. */
async function fill(db: Db, ports: readonly number[], count: number): Promise<void> {
  for (let begun = 0; begun < count; begun += 500) {
    const events = Array.from({ length: Math.min(500, count - begun) }, (_, n): AddressedEvent => {
      const [callId, eventId] = [newId(), newId()];
      const workspaceId = workspaces[n % workspaces.length] ?? '';
      return {
        event: {
          workspaceId,
          callId,
          eventId,
          eventType: 'call_completed',
          dedup: 'call_completed:1',
          body: bodyOf(workspaceId, callId, eventId),
          at: new Date(),
        },
        targets: [
          {
            url: `http://127.0.0.1:${ports[n % ports.length]}/hook`,
            method: 'POST',
            headers: { 'x-own': 'yes' },
          },
        ],
      };
    });
    await db.transaction().execute((tx) => insertEvents(tx, events));
  }
}

interface Count {
  counts: number[];
  tookMs: number;
}
async function ask(receiver: ChildProcess, question: 'reset' | 'count'): Promise<Count> {
  const answer = once(receiver, 'message');
  receiver.send(question);
  return (await answer)[0] as Count;
}
const sum = ({ counts }: Count): number => counts.reduce((all, each) => all + (each ?? 0), 0);

/** Result of a run: requests per second, and processor time per request in each process, in microseconds. */
interface Found {
  readonly perSecond: number;
  readonly sender: number;
  readonly receivers: number;
  readonly postgres: number;
}

async function measured(receiver: ChildProcess, count: number, run: () => Promise<Count>): Promise<Found> {
  const times = (): number[] => [
    timeOf(process.pid),
    timeOf(receiver.pid ?? 0),
    timeOfFamily(postgres.pid ?? 0),
  ];
  const before = times();
  const done = await run();
  const [sender = 0, receivers = 0, database = 0] = times().map(
    (time, n) => ((time - (before[n] ?? 0)) * 1000) / count,
  );
  return { perSecond: (sum(done) * 1000) / done.tookMs, sender, receivers, postgres: database };
}

function bare(receiver: ChildProcess, ports: readonly number[], count: number): Promise<Found> {
  return measured(receiver, count, () => postAll(receiver, ports, count));
}

async function postAll(receiver: ChildProcess, ports: readonly number[], count: number): Promise<Count> {
  await ask(receiver, 'reset');
  const agent = new Agent({ connections: AT_ONCE, pipelining: 1 });
  const bodies = Array.from({ length: 100 }, () =>
    JSON.stringify(bodyOf(workspaces[0] ?? '', newId(), newId())),
  );
  let left = count;
  const run = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const answer = await request(`http://127.0.0.1:${ports[left % LIVE]}/hook`, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: bodies[left % bodies.length] ?? '',
      });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  await agent.close();
  return ask(receiver, 'count');
}

async function ours(
  receiver: ChildProcess,
  ports: readonly number[],
  db: Db,
  events: number,
): Promise<Found> {
  await fill(db, ports, events);
  const wanted = Math.floor((events * LIVE) / (LIVE + 1));
  const found = await measured(receiver, wanted, () => deliverAll(receiver, db, wanted));
  const { count } = await db
    .selectFrom('deliveries')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('state', '=', 'delivered')
    .executeTakeFirstOrThrow();
  if (count !== wanted) throw new Error(`${count} of ${wanted} are marked as delivered`);
  return found;
}

async function deliverAll(receiver: ChildProcess, db: Db, wanted: number): Promise<Count> {
  await ask(receiver, 'reset');
  const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
  const deliverer = new WebhookDeliverer({
    db,
    clock: systemClock,
    log: silentLog,
    seal: createSeal('the seal of this bench'),
    fetcher,
  });
  deliverer.start();
  let done = await ask(receiver, 'count');
  while (sum(done) < wanted) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    done = await ask(receiver, 'count');
  }
  await deliverer.stop(500);
  await fetcher.close();
  return done;
}

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
const receiver = fork(join(import.meta.dirname, 'webhooks/receiver.ts'), [String(LIVE)]);
try {
  const [message] = await once(receiver, 'message');
  const ports = message as number[];
  const url = await postgres.start();
  await migrate(url);
  const database = openDatabase(url);
  const clear = (): Promise<unknown> => database.pool.query('truncate events, deliveries, delivery_queue');
  // Warm-up, so that both are measured with optimised code.
  await bare(receiver, ports, WARM_UP);
  await ours(receiver, ports, database.kysely, WARM_UP);
  await clear();
  const rows: string[][] = [];
  const rates: number[] = [];
  const costs: string[][] = [];
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const before = await bare(receiver, ports, total);
    const found = await ours(receiver, ports, database.kysely, total);
    const after = await bare(receiver, ports, total);
    const reference = (before.perSecond + after.perSecond) / 2;
    const ratio = found.perSecond / reference;
    ratios.push(ratio);
    rates.push(found.perSecond);
    rows.push([`${round}`, found.perSecond.toFixed(0), reference.toFixed(0), ratio.toFixed(2)]);
    costs.push(
      [
        round,
        found.sender,
        found.receivers,
        found.postgres,
        (before.sender + after.sender) / 2,
        (before.receivers + after.receivers) / 2,
      ].map((value) => value.toFixed(0)),
    );
    await clear();
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
  const slowest = Math.min(...rates);
  const bounds = [
    {
      text: `at least ${MIN_DELIVERIES} deliveries per second (${slowest.toFixed(0)} in the slowest round)`,
      holds: slowest >= MIN_DELIVERIES,
    },
  ];
  const text = [
    heading(
      'Webhook deliveries',
      `${total} events of ${JSON.stringify(bodyOf('', '', '')).length} bytes to ten receivers on loopback, one of which never responds; sender, receivers and PostgreSQL (with fsync) on this machine`,
    ),
    table(['round', 'deliveries/s', 'bare undici loop/s', 'ratio'], rows),
    'Processor time of one delivery and of one request of the bare loop, in µs:',
    table(['round', 'sender', 'receivers', 'PostgreSQL', 'bare: sender', 'bare: receivers'], costs),
    `Median ratio ${median.toFixed(2)}. The bare loop posts the same bodies to the nine live receivers, ${AT_ONCE} in parallel, and stores nothing. A delivery is leased with its attempt counted, signed, sent to a checked address, and its outcome stored.`,
    '',
    boundsText(bounds),
  ].join('\n');
  console.log(text);
  if (args.save) saveResult('webhooks', text);
  if (bounds.some(({ holds }) => !holds)) process.exitCode = 1;
  await database.close();
} finally {
  receiver.kill('SIGTERM');
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(process.exitCode ?? 0);
