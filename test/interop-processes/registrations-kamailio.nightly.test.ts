import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { createAgent, transcriptOf, whenCall } from '../helpers/service/scenario.ts';
import { startService, TEST_KEY, type Service } from '../helpers/service/service.ts';
import { startKamailio, type Kamailio } from '../helpers/sip/kamailio.ts';
import { until } from '../helpers/sip/peer-process.ts';
import { attachNumber, inboundCalls, newInbound } from '../helpers/sip/phone-service.ts';
import { callService, startSipPeer, type SipPeer, type Talk } from '../helpers/sip/sip-peer.ts';

/** `desk` is registered by one process. The accounts of `pair` share a user, so that each process can register one of them. */
const NUMBERS = { desk: '+14155550100', pair: '+14155550101' } as const;
const THEIRS = '+14155550123';
const INTRO = 'Hello, this is Maya.';

/** One of the service's processes on the database. */
interface Process {
  readonly service: Service;
  readonly nodeId: string;
}

let database: TestDatabase;
let carrier: SipPeer;
let kamailio: Kamailio;
let provision: Record<string, unknown>;
const running: Process[] = [];

async function start(): Promise<Process> {
  const service = await startService({ env: { DATABASE_URL: database.url }, provision });
  const known = new Set(running.map(({ nodeId }) => nodeId));
  const nodes = await database.db.selectFrom('nodes').select('id').execute();
  const nodeId = nodes.find(({ id }) => !known.has(id))?.id ?? '';
  const process = { service, nodeId };
  running.push(process);
  return process;
}

beforeAll(async () => {
  database = await createTestDatabase();
  carrier = await startSipPeer();
  kamailio = await startKamailio({
    calleePort: 9,
    trustedPort: carrier.port,
    accounts: { [NUMBERS.desk]: 'desk', [NUMBERS.pair]: 'pair' },
    maxContacts: 10,
  });
  carrier.target(kamailio.port);
  const account = (name: string, username: string): Record<string, unknown> => ({
    name,
    uri: `sip:127.0.0.1:${kamailio.port}`,
    username,
    password: 's3cret',
    register: true,
  });
  provision = {
    trunks: [account('desk', 'desk'), account('left', 'pair'), account('right', 'pair')],
    workspaces: [
      {
        name: 'Test',
        api_key: TEST_KEY,
        credits: 1_000,
        call_limit: 20,
        numbers: [
          { number: NUMBERS.desk, trunk: 'desk' },
          { number: NUMBERS.pair, trunk: 'left' },
        ],
      },
    ],
  };
  const { service } = await start();
  const agentId = await createAgent(service, {
    intro_message: INTRO,
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 300 },
  });
  for (const number of Object.values(NUMBERS)) await attachNumber(service, agentId, number);
  await start();
});
const talks: Talk[] = [];
afterEach(() => {
  for (const { leg } of talks.splice(0)) leg.hangup('normal');
});
afterAll(async () => {
  for (const { service } of running) await service.dispose();
  await kamailio?.stop();
  await carrier?.stop();
  await database?.close();
});

/** User, host and port of the Contact; its `line` is that of the account. */
const contactOf = (user: string, { service }: Process): string => `sip:${user}@127.0.0.1:${service.sipPort}`;
const bindingsOf = async (user: string): Promise<string[]> =>
  (await kamailio.bindings(user)).map((uri) => uri.replace(/;line=[0-9a-f]{16}$/, ''));
/** One account of the user is registered by each of these processes, which may be the same. */
const whenBound = (user: string, ...processes: readonly Process[]): Promise<void> => {
  const wanted = processes.map((process) => contactOf(user, process)).toSorted();
  const isWanted = async (): Promise<boolean> => (await bindingsOf(user)).toSorted().join() === wanted.join();
  return until(isWanted, `${user} is registered at ${wanted.join(', ')}`);
};
/** The two processes that run, the first of which registers the account of the desk. */
const pair = (): [Process, Process] => {
  const [first, second] = running.filter(({ service }) => service.child.exitCode === null).slice(-2);
  if (first === undefined || second === undefined) throw new Error('two processes run');
  return [first, second];
};

interface Taken {
  readonly talk: Talk;
  readonly callId: string;
  readonly nodeId: string;
}
/** Calls the number; the agent of one process greets the caller. `by` is asked about the call. */
async function call(number: string, by: Process): Promise<Taken> {
  const before = await inboundCalls(by.service);
  const talk = await callService(carrier, THEIRS, number);
  talks.push(talk);
  const callId = await newInbound(by.service, before);
  await until(() => talk.soundFrames() > 20 && talk.quietMs() > 500, 'the caller has heard the greeting');
  const { node_id } = await database.db
    .selectFrom('call_attempts')
    .select('node_id')
    .where('call_id', '=', callId)
    .executeTakeFirstOrThrow();
  return { talk, callId, nodeId: node_id };
}

async function expectEndsWell({ talk, callId }: Taken, by: Process): Promise<void> {
  talk.leg.hangup('normal');
  const over = await whenCall(
    by.service,
    callId,
    'over, with its transcript',
    (shown) => shown.call_status === 'completed' && shown.transcription_url !== null,
  );
  expect(over).toMatchObject({ call_type: 'inbound', hangup_by: 'caller' });
  expect(transcriptOf(over)[0]?.bot).toBe(INTRO);
}

test('a call that Kamailio forks to the registrations of two processes has one conversation, in one of them', async () => {
  const [first, second] = pair();
  // As after a hang of the first one: the account is the second one's.
  await sql`
    update trunk_registrations set node_id = ${second.nodeId}
    where trunk_id = (select id from trunks where name = 'right')`.execute(database.db);
  await whenBound('pair', first, second);
  const takers = new Set<string>();
  for (let n = 0; n < 5; n += 1) {
    const before = await inboundCalls(first.service);
    const taken = await call(NUMBERS.pair, first);
    takers.add(taken.nodeId);
    await expectEndsWell(taken, first);
    expect((await inboundCalls(first.service)).length).toBe(before.length + 1);
  }
  console.log(`5 forked calls went to ${takers.size} of 2 processes`);
});

test('a process that drains un-registers first: its call goes on, and new ones reach the next process', async () => {
  const [first, second] = pair();
  await whenBound('desk', first);
  const held = await call(NUMBERS.desk, first);
  expect(held.nodeId).toBe(first.nodeId);
  const ended = first.service.end('SIGTERM');
  await until(
    async () => !(await bindingsOf('desk')).includes(contactOf('desk', first)),
    'the registration of the process that drains is gone',
  );
  await whenBound('desk', second);
  await whenBound('pair', second, second);
  for (let n = 0; n < 3; n += 1) {
    const next = await call(NUMBERS.desk, second);
    expect(next.nodeId).toBe(second.nodeId);
    await expectEndsWell(next, second);
  }
  expect(first.service.child.exitCode).toBe(null);
  await expectEndsWell(held, second);
  expect(await ended).toBe(0);
});

test('the account of a process that dies is registered by another, whose REGISTER replaces the dead Contact', async () => {
  const survivor = await start();
  const [first] = pair();
  await whenBound('desk', first);
  first.service.child.kill('SIGKILL');
  const killedAt = performance.now();
  await whenBound('desk', survivor);
  console.log(
    `registered by another process ${((performance.now() - killedAt) / 1000).toFixed(1)} s after SIGKILL`,
  );
  const next = await call(NUMBERS.desk, survivor);
  expect(next.nodeId).toBe(survivor.nodeId);
  await expectEndsWell(next, survivor);
});
