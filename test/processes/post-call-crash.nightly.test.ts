import { ANALYSIS_JOB } from '../../src/domain/calls/queue-analyses.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analysisRunner } from '../../src/app/analyses.ts';
import { CHECK_JOB } from '../../src/domain/quality/check-call.ts';
import { POST_CALL_JOB } from '../../src/domain/tools/post-call.ts';
import { startFakeOpenAiServer, type FakeOpenAiServer } from '../helpers/openai-server.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import type { Fault } from '../chaos/fault-points.ts';
import { startProgram, type ProgramRun } from '../chaos/program.ts';
import { analystsWith } from '../helpers/analysis/analysis-api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService } from '../helpers/service/service.ts';
import { startToolServer, type ToolServer } from '../helpers/agents/tool-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

// One process completes the calls and is killed. Post-call work is started by processes that are killed at one fault
// point after the other, and finished by a last process.

const FINDINGS = {
  summary: 'They left in the middle.',
  classification: 'incomplete',
  key_points: [],
  action_items: [],
  sentiment: 'neutral',
  callback_requested: false,
  callback_requested_time: null,
};
const ANALYSIS_EVENTS = ['platform_analysis_completed', 'all_processing_completed'];
/** The test carrier's callee with this ending hangs up in the middle of a sentence. */
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
const runs: ProgramRun[] = [];

const shared = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  SECRET_KEY: 'the key that all processes share on this database',
  SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
  LOG_LEVEL: 'info',
});
async function freshDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'callwright-after-call-'));
  dirs.push(dir);
  return dir;
}

/** Starts a process that does post-call work, with an injected fault if one is given. */
async function worker(fault: Fault | null, llm = model): Promise<ProgramRun> {
  const dir = await freshDir();
  const env = { ...shared(), ROLES: 'jobs', DATA_DIR: dir, LLM_BASE_URL: llm.baseUrl, LLM_MODEL: 'fake' };
  const run = startProgram(env, fault);
  runs.push(run);
  return run;
}

/** Runs a process until it dies; returns the name of its fault point, null if it did not reach it in time. */
async function death(fault: Fault): Promise<string | null> {
  const run = await worker(fault);
  const timer = setTimeout(() => run.kill('SIGKILL'), 200_000);
  const point = await run.ended;
  clearTimeout(timer);
  return point;
}

/** Sets the due time of these jobs, for example to expire the lease of a killed process. */
const due = (kind: string, callId: string | null, at: number): Promise<unknown> =>
  database.db
    .updateTable('jobs')
    .set({ due_at: new Date(at) })
    .where('kind', '=', kind)
    .where('state', '=', 'due')
    .$if(callId !== null, (q) => q.where('dedup', 'like', `${callId}%`))
    .execute();
/** Postpones all pending work, so that the next test controls its own. */
const parkAll = async (): Promise<void> => {
  for (const kind of [ANALYSIS_JOB, CHECK_JOB, POST_CALL_JOB]) await due(kind, null, Date.now() + DAY_MS);
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
    .where('event_type', 'in', ANALYSIS_EVENTS)
    .orderBy('seq')
    .execute();
const requestsFor = (server: FakeOpenAiServer, callId: string): number =>
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
        { event_type: ANALYSIS_EVENTS, callback_url: receiver.url, method_type: 'POST', headers: {} },
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
  // The call ID in the prompt attributes a model request to its call.
  for (const callId of calls) {
    const transcript = JSON.stringify([
      { role: 'caller', text: `Order ${callId}.`, startedAt: 0, endedAt: 0 },
    ]);
    await database.db.updateTable('call_records').set({ transcript }).where('call_id', '=', callId).execute();
  }
  await parkAll();
}, 600_000);
afterAll(async () => {
  for (const run of runs) run.kill('SIGKILL');
  await Promise.all(runs.map(({ ended }) => ended));
  await Promise.all([receiver.close(), tools.close(), model.close(), hanging.close()]);
  await database.close();
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
});

/** Fault, expected number of model requests in total, and number of events stored at the crash. */
const DEATHS: readonly {
  readonly what: string;
  readonly fault: Fault;
  readonly requests: number;
  readonly events: number;
}[] = [
  { what: 'taken', fault: { point: 'job_taken', when: 'after', nth: 1 }, requests: 1, events: 0 },
  {
    what: 'received but not stored',
    fault: { point: 'analysis', when: 'before', nth: 1 },
    requests: 2,
    events: 0,
  },
  {
    what: 'stored but without events',
    fault: { point: 'event', when: 'before', nth: 1 },
    requests: 2,
    events: 0,
  },
  {
    what: 'emitted but not committed',
    fault: { point: 'analysis_kept', when: 'before', nth: 1 },
    requests: 2,
    events: 0,
  },
  { what: 'committed', fault: { point: 'analysis_kept', when: 'after', nth: 1 }, requests: 1, events: 2 },
  {
    what: 'done except for the job row',
    fault: { point: 'job_done', when: 'before', nth: 1 },
    requests: 1,
    events: 2,
  },
  {
    what: 'emitted and sent',
    fault: { point: 'delivery_answered', when: 'before', nth: 1 },
    requests: 1,
    events: 2,
  },
];

describe('SIGKILL during post-call work', () => {
  it.each(DEATHS.map((death, at) => ({ ...death, at })))(
    'leaves a consistent state when the analysis is $what',
    async ({ fault, events, at }) => {
      const callId = calls[at]!;
      await due(ANALYSIS_JOB, callId, Date.now());
      expect(await death(fault)).toBe(`${fault.point}.${fault.when}`);
      expect(await eventsOf(callId)).toHaveLength(events);
      expect((await analysisOf(callId)) === null).toBe(events === 0);
      await parkAll();
    },
  );

  it('leaves a consistent state during the request to the model', async () => {
    const callId = calls[7]!;
    await due(ANALYSIS_JOB, callId, Date.now());
    const run = await worker(null, hanging);
    await eventually('the request to the model', async () =>
      requestsFor(hanging, callId) > 0 ? true : null,
    );
    run.kill('SIGKILL');
    await run.ended;
    expect(await jobOf(ANALYSIS_JOB, callId)).toMatchObject({ state: 'due', attempt: 1 });
    expect(await analysisOf(callId)).toBeNull();
    await parkAll();
  });

  it('a killed last attempt is given up by the next process, even if that is killed as well', async () => {
    const callId = calls[8]!;
    await database.db
      .updateTable('jobs')
      .set({ attempt: 4, due_at: new Date() })
      .where('kind', '=', ANALYSIS_JOB)
      .where('dedup', '=', callId)
      .execute();
    expect(await death({ point: 'job_given_up', when: 'after', nth: 1 })).toBe('job_given_up.after');
    expect(await eventsOf(callId)).toEqual([]);
    await parkAll();
  });

  it('a post-call tool whose result was not stored is called again with the same Idempotency-Key', async () => {
    const callId = calls[9]!;
    await due(POST_CALL_JOB, callId, Date.now());
    expect(await death({ point: 'tool_noted', when: 'before', nth: 1 })).toBe('tool_noted.before');
    expect(toolRequests(callId)).toHaveLength(1);
    await parkAll();
  });

  it('the next process completes everything: stored once, emitted once, delivered', async () => {
    for (const kind of [ANALYSIS_JOB, POST_CALL_JOB]) await due(kind, null, Date.now());
    // Expire the lease of the killed sender.
    await database.db
      .updateTable('delivery_queue')
      .set({ leased_until: new Date(0) })
      .execute();
    const work = calls.filter((_, at) => at !== 10);
    await due(ANALYSIS_JOB, calls[10]!, Date.now() + DAY_MS);
    const run = await worker(null);
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
      expect(rows.map((row) => row.event_type)).toEqual(
        isGivenUp ? ANALYSIS_EVENTS.slice(1) : ANALYSIS_EVENTS,
      );
      // Events delivered twice have the ID of their single row and are in order.
      const arrived = receiver.events(callId).map(({ headers }) => headers['webhook-id']);
      expect([...new Set(arrived)]).toEqual(rows.map((row) => row.id));
      const completed = receiver
        .events(callId)
        .findLast((event) => event.body.event_type === ANALYSIS_EVENTS[1]);
      expect(completed?.body.platform_analysis).toEqual(analysis);
      expect(requestsFor(model, callId)).toBe(DEATHS[at]?.requests ?? (isGivenUp ? 0 : 1));
      const keys = toolRequests(callId).map(({ headers }) => headers['idempotency-key']);
      expect(keys).toEqual(Array.from({ length: at === 9 ? 2 : 1 }, () => keys[0]));
      expect(keys[0]).toBe((await jobOf(POST_CALL_JOB, callId)).id);
    }
    expect(await jobOf(ANALYSIS_JOB, calls[8]!)).toMatchObject({ state: 'dead', last_error: 'interrupted' });
    expect(receiver.problems()).toEqual([]);
    // It would take the next test's job, too.
    run.kill('SIGKILL');
    await run.ended;
  });
});

describe('a model that does not answer in time', () => {
  it('is requested once per attempt, four times; then the analysis is failed', async () => {
    const callId = calls[10]!;
    await due(ANALYSIS_JOB, callId, Date.now());
    const before = requestsFor(hanging, callId);
    const account = {
      vendor: 'openai-compatible',
      baseUrl: hanging.baseUrl,
      key: null,
      model: 'fake',
    } as const;
    const runner = analysisRunner({
      db: database.db,
      clock: systemClock,
      log: silentLog,
      analystOf: analystsWith([account], 1_000),
      retryAfterMs: [0, 0, 0],
      recordingUrl: () => 'http://localhost/a.wav',
      onEvents: () => undefined,
    });
    runner.start();
    await eventually('the last attempt', async () =>
      (await jobOf(ANALYSIS_JOB, callId)).state === 'dead' ? true : null,
    );
    await runner.stop();
    expect(requestsFor(hanging, callId) - before).toBe(4);
    expect(await jobOf(ANALYSIS_JOB, callId)).toMatchObject({ attempt: 4, last_error: 'ModelUnavailable' });
    expect(await analysisOf(callId)).toMatchObject({ status: 'failed', summary: null, analyzed_by: 'fake' });
    expect((await eventsOf(callId)).map((row) => row.event_type)).toEqual(['all_processing_completed']);
  });
});
