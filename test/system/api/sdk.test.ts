import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, downloadRecording, each, verifyWebhook } from '../../../packages/sdk/src/index.ts';
import { newSigningSecret } from '../../../src/domain/webhooks/signature.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { provisionWith } from '../../helpers/service/scenario.ts';
import { keyFor, makeOwnerKey } from '../../helpers/api/owner-key.ts';
import { eventually, startService, type Service } from '../../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../../helpers/service/open-addresses.ts';

const call = { name: 'Priya', mobile_number: '+14155550123', agent_id: 'a', from_number_id: 'n' };

describe('the client and the real program', () => {
  let database: TestDatabase;
  let service: Service;
  let receiver: WebhookReceiver;
  /** With a key that an owner gave every scope. */
  let owner: ReturnType<typeof createClient>;
  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await startWebhookReceiver();
    service = await startService({
      provision: provisionWith({}),
      env: { SAFE_FETCH_ALLOW: LOOPBACK_OPEN, DATABASE_URL: database.url },
    });
    await makeOwnerKey(database.url, service.key);
    const apiKey = keyFor('GET', '/api/v0/webhooks/signing-secret', service.key);
    owner = createClient({ baseUrl: service.url, apiKey });
  });
  afterAll(async () => {
    await service?.dispose();
    await receiver?.close();
    await database?.close();
  });

  it('place a call and verify its event', async () => {
    const client = createClient({ baseUrl: service.url, apiKey: service.key });
    const { workspace_info } = await client.getWorkspace();
    const { voices } = await client.listVoices({ language: 'en-US' });
    const { workspace_numbers } = await client.listNumbers();
    const number = workspace_numbers.find((n) => !n.is_test_number);
    const agent = await client.createAgent({
      agent_name: 'SDK',
      introduction_and_objective: 'Remind.',
      response_guidelines: 'Brief.',
      task: '1. Say goodbye.',
      primary_language: 'en-US',
      voice_id: voices[0]?.id ?? '',
      intro_message: 'Hello.',
      call_config: { call_time: { call_start_time: '00:00', call_end_time: '23:59', timezone: 'Etc/UTC' } },
    });
    await client.editAgent({
      operation: 'edit_event_subscriptions',
      agent_id: agent.data.id,
      event_subscriptions: [{ event_type: 'all_processing_completed', callback_url: receiver.url }],
    });
    const order = {
      ...call,
      agent_id: agent.data.id,
      mobile_number: '+14155550002',
      from_number_id: number?.id ?? '',
    };
    const placed = await client.placeCall(order, { idempotencyKey: 'one' });
    const again = await client.placeCall(order, { idempotencyKey: 'one' });
    expect(again.data.call_id).toBe(placed.data.call_id);
    const over = await eventually('the end of the call', async () => {
      const { data } = await client.getCall({ id: placed.data.call_id });
      return data.call_status === 'failed' ? data : null;
    });
    expect(over.call_sub_status).toBe('BUSY');
    const { calls, total } = await client.listCalls({ agent_id: agent.data.id });
    expect([calls[0]?.id, total]).toEqual([placed.data.call_id, 1]);
    const ids: string[] = [];
    for await (const found of each(client, 'listCalls', { agent_id: agent.data.id, limit: 1 }))
      ids.push(found.id);
    expect(ids).toEqual([placed.data.call_id]);
    await expect(downloadRecording(`${service.url}/recordings/none.wav`)).rejects.toMatchObject({
      status: 404,
    });
    expect((await client.getPlatformAnalytics({ agent_id: agent.data.id })).data.failed_calls).toBe(1);
    await expect(client.getCall({ id: workspace_info.id })).rejects.toMatchObject({
      status: 404,
      code: 'CALL_NOT_FOUND',
    });
    const [delivery] = await eventually('the event', async () => {
      const got = receiver.events(placed.data.call_id);
      return got.length > 0 ? got : null;
    });
    const { secret } = await owner.getSigningSecret();
    expect(receiver.problems()).toEqual([]);
    const event = await verifyWebhook(secret, delivery!.headers, delivery!.raw);
    expect(event).toMatchObject({
      event_type: 'all_processing_completed',
      status: 'failed',
      sub_status: 'BUSY',
    });
  });

  it('run a campaign from its list to its last event', async () => {
    const client = createClient({ baseUrl: service.url, apiKey: service.key });
    const { voices } = await client.listVoices({ language: 'en-US' });
    const { workspace_numbers } = await client.listNumbers();
    const number = workspace_numbers.find((n) => !n.is_test_number)?.id ?? '';
    const agent = await client.createAgent({
      agent_name: 'Campaign',
      introduction_and_objective: 'Remind {{callee_name}}.',
      response_guidelines: 'Brief.',
      task: '1. Say goodbye.',
      primary_language: 'en-US',
      voice_id: voices[0]?.id ?? '',
      intro_message: 'Hello.',
      call_config: { call_time: { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' } },
    });
    const form = new FormData();
    form.set('agent_id', agent.data.id);
    form.set('campaign_name', 'From the client');
    form.set('call_config', JSON.stringify({ call_retry_config: { retry_count: 0 } }));
    const rows = ['Mobile Number,callee_name', '+14155550002,Asha', '+14155550005,Ravi'];
    form.set('file', new Blob([rows.join('\n')], { type: 'text/csv' }), 'contacts.csv');
    const saved = await client.saveCampaign({ form });
    expect([saved.successful_rows, saved.failed_rows]).toEqual([2, 0]);
    const start = {
      agent_id: agent.data.id,
      list_id: saved.list_id,
      from_numbers: [number],
      callback_url: receiver.url,
    };
    const started = await client.startCampaign(start, { idempotencyKey: 'campaign' });
    expect(await client.startCampaign(start, { idempotencyKey: 'campaign' })).toEqual(started);
    await expect(client.startCampaign(start)).rejects.toMatchObject({
      status: 400,
      code: 'CAMPAIGN_STARTED',
    });
    const campaign = await eventually('the end of the campaign', async () => {
      const { campaign: seen } = await client.getCampaign({ campaign_id: saved.list_id });
      return seen.campaign_status === 'completed' ? seen : null;
    });
    expect([campaign.total_count, campaign.failed_count, campaign.completed_count]).toEqual([2, 2, 0]);
    const { total } = await client.listCalls({ bulk_list_id: saved.list_id });
    expect(total).toBe(2);
    const last = await eventually('the event of the campaign', async () => {
      const found = receiver.received.find((d) => d.body['event_type'] === 'campaign_completed');
      return found ?? null;
    });
    const { secret } = await owner.getSigningSecret();
    const event = await verifyWebhook(secret, last.headers, last.raw);
    expect(event).toMatchObject({ event_type: 'campaign_completed', bulk_list_id: saved.list_id });
  });

  it('verify an event with either secret during a rotation', async () => {
    const client = createClient({ baseUrl: service.url, apiKey: service.key });
    const before = await owner.getSigningSecret();
    const after = await owner.rotateSigningSecret({ overlap_hours: 1 });
    expect(after.secret).not.toBe(before.secret);
    const sent = await client.sendTestEvent({ event_type: 'call_ringing', callback_url: receiver.url });
    const arrived = await eventually('the test event', async () => {
      const found = receiver.received.find((d) => d.body['event_id'] === sent.delivery.event_id);
      return found ?? null;
    });
    for (const { secret } of [before, after]) {
      await expect(verifyWebhook(secret, arrived.headers, arrived.raw)).resolves.toMatchObject({
        test: true,
      });
    }
    await expect(verifyWebhook(newSigningSecret(), arrived.headers, arrived.raw)).rejects.toThrow(
      'signature',
    );
  });
});
