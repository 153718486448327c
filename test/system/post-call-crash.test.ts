import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analysisRunner } from '../../src/app/analyses.ts';
import { ANALYSIS_JOB } from '../../src/domain/analysis/queue-analysis.ts';
import { POST_CALL_JOB } from '../../src/domain/tools/post-call.ts';
import { startFakeOpenAiServer, type FakeOpenAiServer } from '../../src/providers/fake/openai-server.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import type { Fate } from '../chaos/fates.ts';
import { live, type Life } from '../chaos/program.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/scenario.ts';
import { eventually, startService } from '../helpers/service.ts';
import { startToolServer, type ToolServer } from '../helpers/tool-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts';

// Calls are carried to their end by a process that is then killed. What is to be done after them is begun by
// processes that die of it one by one, and finished by a last one.

const FINDINGS = {
  summary: 'They left in the middle.',
  classification: 'incomplete',
  key_points: [],
  action_items: [],
  sentiment: 'neutral',
  callback_requested: false,
  callback_requested_time: null,
};
const TOLD = ['platform_analysis_completed', 'all_processing_completed'];
/** The callee with this ending hangs up in the middle of a sentence. */
const NUMBERS = ['415', '212', '310', '617', '206', '312', '305', '512', '602', '404', '702'].map(
  (area) => `+1${area}5550007`,
);
const DAY_MS = 86_400_000;

let database: TestDatabase;
let receiver: WebhookReceiver;
let tools: ToolServer;
let model: FakeOpenAiServer;
let hanging: FakeOpenAiServer;
let calls: string[];
const dirs: string[] = [];
const lives: Life[] = [];

const shared = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  SECRET_KEY: 'the key that all processes share on this database',
  SAFE_FETCH_ALLOW: '127.0.0.1',
  LOG_LEVEL: 'info',
});
async function freshDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'callwright-after-call-'));
  dirs.push(dir);
  return dir;
}

/** A process that does what is to be done after calls, with a point of death when it was given one. */
async function worker(fate: Fate | null, asks = model): Promise<Life> {
  const dir = await freshDir();
  const env = { ...shared(), ROLES: 'jobs', DATA_DIR: dir, LLM_BASE_URL: asks.baseUrl, LLM_MODEL: 'fake' };
  const life = live(env, fate);
  lives.push(life);
  return life;
}

/** What a process that had this fate said last; one that does not come to it is ended, and said nothing. */
async function death(fate: Fate): Promise<string | null> {
  const life = await worker(fate);
  const timer = setTimeout(() => life.kill('SIGKILL'), 40_000);
  const said = await life.ended;
  clearTimeout(timer);
  return said;
}

/** When these jobs may be taken: a process that died has its lease until then. */
const due = (kind: string, callId: string | null, at: number): Promise<unknown> =>
  database.db
    .updateTable('jobs')
    .set({ due_at: new Date(at) })
    .where('kind', '=', kind)
    .where('state', '=', 'due')
    .$if(callId !== null, (q) => q.where('dedup', 'like', `${callId}%`))
    .execute();
/** Nothing of what was done so far is gone on with: what comes next is the next one's own. */
const parkAll = async (): Promise<void> => {
  for (const kind of [ANALYSIS_JOB, POST_CALL_JOB]) await due(kind, null, Date.now() + DAY_MS);
  await database.db
    .updateTable('delivery_queue')
    .set({ leased_until: new Date(Date.now() + DAY_MS) })
    .execute();
};
const jobOf = (kind: string, callId: string) =>
  database.db
    .selectFrom('jobs')
    .select(['id', 'state', 'attempt', 'last_error'])
    .where('kind', '=', kind)
    .where('dedup', 'like', `${callId}%`)
    .executeTakeFirstOrThrow();
const analysisOf = async (callId: string): Promise<any> =>
  (
    await database.db
      .selectFrom('call_records')
      .select('platform_analysis')
      .where('call_id', '=', callId)
      .executeTakeFirstOrThrow()
  ).platform_analysis;
const eventsOf = (callId: string) =>
  database.db
    .selectFrom('events')
    .select(['id', 'event_type'])
    .where('call_id', '=', callId)
    .where('event_type', 'in', TOLD)
    .orderBy('seq')
    .execute();
const asked = (server: FakeOpenAiServer, callId: string): number =>
  server.requests.filter((request) => JSON.stringify(request.body).includes(callId)).length;
const toolRequests = (callId: string) => tools.seen.filter((request) => request.body?.call === callId);

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  tools = await startToolServer(() => ({}));
  model = await startFakeOpenAiServer([{ text: JSON.stringify(FINDINGS) }]);
  hanging = await startFakeOpenAiServer([{ fault: { type: 'hang' } }]);
  const service = await startService({
    dataDir: await freshDir(),
    env: { ...shared(), ROLES: 'api,dialer,media' },
    provision: provisionWith({ credits: 1000, callLimit: 20 }),
  });
  const agentId = await createAgent(service, { intro_message: 'Hello.' });
  const edits = {
    edit_event_subscriptions: {
      event_subscriptions: [
        { event_type: TOLD, callback_url: receiver.url, method_type: 'POST', headers: {} },
      ],
    },
    edit_post_call_tools: {
      post_call_tools: [
        {
          type: 'API_TOOL',
          name: 'tell_crm',
          method: 'POST',
          url: `${tools.origin}/done`,
          body: { call: '{{call_id}}' },
        },
      ],
    },
  };
  for (const [operation, fields] of Object.entries(edits)) {
    const edit = { operation, agent_id: agentId, ...fields };
    const { status, body } = await service.request('PATCH', '/api/v0/agent/v1', edit);
    if (status !== 200) throw new Error(`not edited: ${JSON.stringify(body)}`);
  }
  calls = await Promise.all(NUMBERS.map((number) => place(service, agentId, number)));
  for (const callId of calls) {
    const call = await whenOver(service, callId);
    if (call.call_status !== 'completed') throw new Error(`no conversation: ${JSON.stringify(call)}`);
  }
  await service.end('SIGKILL');
  await service.dispose();
  // What names the call to the model is what a request is counted by.
  for (const callId of calls) {
    const transcript = JSON.stringify([
      { role: 'caller', text: `Order ${callId}.`, startedAt: 0, endedAt: 0 },
    ]);
    await database.db.updateTable('call_records').set({ transcript }).where('call_id', '=', callId).execute();
  }
  await parkAll();
}, 120_000);
afterAll(async () => {
  for (const life of lives) life.kill('SIGKILL');
  await Promise.all(lives.map(({ ended }) => ended));
  await Promise.all([receiver.close(), tools.close(), model.close(), hanging.close()]);
  await database.close();
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
});

/** By whom the call's work is begun, how often the model is then asked in all, and what stood when it died. */
const DEATHS: readonly {
  readonly what: string;
  readonly fate: Fate;
  readonly asked: number;
  readonly told: number;
}[] = [
  { what: 'taken', fate: { point: 'job_taken', when: 'after', nth: 1 }, asked: 1, told: 0 },
  { what: 'answered, not written', fate: { point: 'analysis', when: 'before', nth: 1 }, asked: 2, told: 0 },
  { what: 'written, not told', fate: { point: 'event', when: 'before', nth: 1 }, asked: 2, told: 0 },
  {
    what: 'told, not committed',
    fate: { point: 'analysis_kept', when: 'before', nth: 1 },
    asked: 2,
    told: 0,
  },
  { what: 'committed', fate: { point: 'analysis_kept', when: 'after', nth: 1 }, asked: 1, told: 2 },
  { what: 'done but for the job', fate: { point: 'job_done', when: 'before', nth: 1 }, asked: 1, told: 2 },
  { what: 'told and sent', fate: { point: 'delivery_answered', when: 'before', nth: 1 }, asked: 1, told: 2 },
];

describe('kill -9 around what is done after a call', () => {
  it.each(DEATHS.map((death, at) => ({ ...death, at })))(
    'an analysis that is $what is left as it was',
    async ({ fate, told, at }) => {
      const callId = calls[at]!;
      await due(ANALYSIS_JOB, callId, Date.now());
      expect(await death(fate)).toBe(`${fate.point}.${fate.when}`);
      expect(await eventsOf(callId)).toHaveLength(told);
      expect((await analysisOf(callId)) === null).toBe(told === 0);
      await parkAll();
    },
  );

  it('an analysis whose model is being asked is left as it was', async () => {
    const callId = calls[7]!;
    await due(ANALYSIS_JOB, callId, Date.now());
    const life = await worker(null, hanging);
    await eventually('the model to be asked', async () => (asked(hanging, callId) > 0 ? true : null));
    life.kill('SIGKILL');
    await life.ended;
    expect(await jobOf(ANALYSIS_JOB, callId)).toMatchObject({ state: 'due', attempt: 1 });
    expect(await analysisOf(callId)).toBeNull();
    await parkAll();
  });

  it('a last attempt that was cut off is given up by the next, also when that dies of it', async () => {
    const callId = calls[8]!;
    await database.db
      .updateTable('jobs')
      .set({ attempt: 4, due_at: new Date() })
      .where('kind', '=', ANALYSIS_JOB)
      .where('dedup', '=', callId)
      .execute();
    expect(await death({ point: 'job_buried', when: 'after', nth: 1 })).toBe('job_buried.after');
    expect(await eventsOf(callId)).toEqual([]);
    await parkAll();
  });

  it('a tool that was told and not noted is told again with the same key', async () => {
    const callId = calls[9]!;
    await due(POST_CALL_JOB, callId, Date.now());
    expect(await death({ point: 'tool_noted', when: 'before', nth: 1 })).toBe('tool_noted.before');
    expect(toolRequests(callId)).toHaveLength(1);
    await parkAll();
  });

  it('the next process does all of it: written once, told once, sent until it arrived', async () => {
    for (const kind of [ANALYSIS_JOB, POST_CALL_JOB]) await due(kind, null, Date.now());
    // The lease of the sender that died is over.
    await database.db
      .updateTable('delivery_queue')
      .set({ leased_until: new Date(0) })
      .execute();
    const work = calls.filter((_, at) => at !== 10);
    await due(ANALYSIS_JOB, calls[10]!, Date.now() + DAY_MS);
    await worker(null);
    for (const callId of work) {
      await eventually(`the work after call ${calls.indexOf(callId)}`, async () => {
        const { state } = await jobOf(ANALYSIS_JOB, callId);
        const arrived = receiver.events(callId).map(({ body }) => body.event_type as string);
        const isDone = state !== 'due' && (await jobOf(POST_CALL_JOB, callId)).state === 'done';
        return isDone && arrived.includes('all_processing_completed') ? true : null;
      });
    }
    for (const [at, callId] of work.entries()) {
      const isGivenUp = at === 8;
      const analysis = await analysisOf(callId);
      expect(analysis).toMatchObject(
        isGivenUp
          ? { status: 'failed', summary: null, analyzed_by: 'fake' }
          : { status: 'analyzed', summary: FINDINGS.summary, analyzed_by: 'fake' },
      );
      const rows = await eventsOf(callId);
      expect(rows.map((row) => row.event_type)).toEqual(isGivenUp ? TOLD.slice(1) : TOLD);
      // What arrived more than once came under the id of its one row, and in order.
      const arrived = receiver.events(callId).map(({ headers }) => headers['webhook-id']);
      expect([...new Set(arrived)]).toEqual(rows.map((row) => row.id));
      const completed = receiver.events(callId).findLast((event) => event.body.event_type === TOLD[1]);
      expect(completed?.body.platform_analysis).toEqual(analysis);
      expect(asked(model, callId)).toBe(DEATHS[at]?.asked ?? (isGivenUp ? 0 : 1));
      const keys = toolRequests(callId).map(({ headers }) => headers['idempotency-key']);
      expect(keys).toEqual(Array.from({ length: at === 9 ? 2 : 1 }, () => keys[0]));
      expect(keys[0]).toBe((await jobOf(POST_CALL_JOB, callId)).id);
    }
    expect(await jobOf(ANALYSIS_JOB, calls[8]!)).toMatchObject({ state: 'dead', last_error: 'interrupted' });
    expect(receiver.problems()).toEqual([]);
  });
});

describe('a model that does not answer in time', () => {
  it('is asked once in each of four attempts; then the analysis says that it failed', async () => {
    const callId = calls[10]!;
    await due(ANALYSIS_JOB, callId, Date.now());
    const before = asked(hanging, callId);
    const llm = { baseUrl: hanging.baseUrl, apiKey: null, model: 'fake', timeoutMs: 100 };
    const runner = analysisRunner({
      db: database.db,
      clock: systemClock,
      log: silentLog,
      llm,
      retryAfterMs: [0, 0, 0],
      recordingUrl: () => 'http://localhost/a.wav',
      onEvents: () => undefined,
    });
    runner.start();
    await eventually('the last attempt', async () =>
      (await jobOf(ANALYSIS_JOB, callId)).state === 'dead' ? true : null,
    );
    await runner.stop();
    expect(asked(hanging, callId) - before).toBe(4);
    expect(await jobOf(ANALYSIS_JOB, callId)).toMatchObject({ attempt: 4, last_error: 'ModelUnavailable' });
    expect(await analysisOf(callId)).toMatchObject({ status: 'failed', summary: null, analyzed_by: 'fake' });
    expect((await eventsOf(callId)).map((row) => row.event_type)).toEqual(['all_processing_completed']);
  });
});
