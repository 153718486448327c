import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram, type ProgramRun } from '../chaos/program.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import { createAgent, place, provisionWith, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { campaignOf, startCampaign } from '../helpers/campaigns/service-campaign.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

// API and jobs in one process, dialer and media in another; they share only PostgreSQL.
let database: TestDatabase;
let receiver: WebhookReceiver;
let api: Service;
let apiDir = '';
let caller: ProgramRun;
let callerEnv: Record<string, string>;
let agentId = '';
const shared = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  SECRET_KEY: 'the key that both processes share on this database',
  SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
  LOG_LEVEL: 'info',
});
const startApi = (provision?: Record<string, unknown>): Promise<Service> =>
  startService({
    dataDir: apiDir,
    env: { ...shared(), ROLES: 'api,jobs' },
    ...(provision === undefined ? {} : { provision }),
  });

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  apiDir = await mkdtemp(join(tmpdir(), 'callwright-split-api-'));
  api = await startApi(provisionWith({ credits: 1000, callLimit: 20 }));
  callerEnv = {
    ...shared(),
    ROLES: 'dialer,media',
    DATA_DIR: await mkdtemp(join(tmpdir(), 'callwright-split-caller-')),
    SIP_PORT: String(await freePort()),
    RTP_PORTS: '25000-25999',
  };
  caller = startProgram(callerEnv);
  if (!(await caller.ready)) throw new Error(caller.output());
  agentId = await createAgent(api, { intro_message: 'Hello.' });
});
afterAll(async () => {
  caller.kill('SIGKILL');
  await caller.ended;
  await api.dispose();
  await receiver.close();
  await database.close();
  for (const dir of [apiDir, callerEnv['DATA_DIR']!]) await rm(dir, { recursive: true, force: true });
});

/** Starts a campaign to these numbers of the built-in test carrier. */
const start = (numbers: readonly string[]): Promise<string> =>
  startCampaign(api, agentId, numbers, { callback_url: receiver.url });
const campaign = (id: string): Promise<any> => campaignOf(api, id);
const hangUp = (callId: string) => api.request('POST', `/api/v0/calling/${callId}/hangup`, {});

describe('api and jobs in one process, dialer and media in another', () => {
  it('hangs up an answered and a ringing call of the other process', async () => {
    const talking = await place(api, agentId, '+14155550006');
    await whenCall(api, talking, 'answered', (call) => call.answered_at !== null);
    expect((await hangUp(talking)).status).toBe(200);
    const over = await whenOver(api, talking);
    expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });

    const ringing = await place(api, agentId, '+14155550003');
    await whenCall(api, ringing, 'ringing', (call) => call.call_sub_status === 'RINGING');
    expect((await hangUp(ringing)).status).toBe(200);
    const cancelled = await whenOver(api, ringing);
    expect(cancelled).toMatchObject({ call_status: 'failed', call_sub_status: 'USER_TERMINATED' });
    expect((await hangUp(ringing)).status).toBe(400);
    await eventually('the hangup requests to be deleted', async () => {
      const rows = await database.db.selectFrom('hangup_requests').select('call_id').execute();
      return rows.length === 0 ? true : null;
    });
  });

  it('gives the agent of the other process a sentence, which the record has with its author', async () => {
    const callId = await place(api, agentId, '+14155550006');
    await whenCall(api, callId, 'answered', (call) => call.answered_at !== null);
    const control = { operation: 'say', text: 'We close at six.' };
    const { status } = await api.request('POST', `/api/v0/calling/${callId}/control`, control);
    expect(status).toBe(200);
    const call = await whenOver(api, callId);
    expect(call.transcript).toContainEqual(
      expect.objectContaining({ role: 'person', text: 'We close at six.', author: expect.any(String) }),
    );
  });

  it('runs a campaign from its list to its last event', async () => {
    const id = await start(['+12125550002', '+12125550005', '+13105550002', '+13105550005', '+13105550007']);
    const shown = await eventually('the campaign to complete', async () => {
      const now = await campaign(id);
      return now.campaign_status === 'completed' ? now : null;
    });
    expect(shown).toMatchObject({ total_count: 5, failed_count: 4, completed_count: 1 });
    await eventually('campaign_completed', async () =>
      receiver.received.some(
        ({ body }) => body.event_type === 'campaign_completed' && body.bulk_list_id === id,
      )
        ? true
        : null,
    );
    expect(receiver.problems()).toEqual([]);
  });

  it('loses no contact when both are killed, and terminates the campaign', async () => {
    const numbers = Array.from({ length: 30 }, (_, n) => `+1212${555 + n}0003`);
    const id = await start(numbers);
    await eventually('calls to ring', async () => ((await campaign(id)).ongoing_count > 0 ? true : null));
    await api.end('SIGKILL');
    caller.kill('SIGKILL');
    await caller.ended;
    const killedAt = new Date();
    caller = startProgram(callerEnv);
    api = await startApi();
    expect(await caller.ready).toBe(true);
    // Calls that may have rung end as failed; all others are dialled.
    await eventually('a call of the old process to fail and a new one to ring', async () => {
      const { failed_count } = await campaign(id);
      const ringing = await database.db
        .selectFrom('calls')
        .innerJoin('call_attempts', 'call_attempts.call_id', 'calls.id')
        .select('calls.id')
        .where('calls.campaign_id', '=', id)
        .where('calls.status', '=', 'ongoing')
        .where('call_attempts.dialed_at', '>', killedAt)
        .execute();
      return failed_count > 0 && ringing.length > 0 ? true : null;
    });
    expect((await campaign(id)).total_count).toBe(30);
    const { status } = await api.request('PATCH', '/api/v0/campaign/terminate', { campaign_id: id });
    expect(status).toBe(200);
    const stillLive = await database.db
      .selectFrom('calls')
      .select('id')
      .where('campaign_id', '=', id)
      .where('status', '=', 'ongoing')
      .execute();
    expect(stillLive.length).toBeGreaterThan(0);
    for (const { id: callId } of stillLive) await hangUp(callId);
    const over = await eventually('every contact to end', async () => {
      const now = await campaign(id);
      return now.failed_count + now.cancelled_count === 30 ? now : null;
    });
    expect(over).toMatchObject({ campaign_status: 'terminated', ongoing_count: 0 });
    const { body } = await api.request('GET', '/api/v0/workspace');
    expect(body.workspace_info.locked_credits).toBe(0);
    const dialled = await database.db
      .selectFrom('call_attempts')
      .select(['call_id', 'attempt'])
      .where('campaign_id', '=', id)
      .where('dialed_at', 'is not', null)
      .execute();
    expect(dialled.every(({ attempt }) => attempt === 1)).toBe(true);
  });
});
