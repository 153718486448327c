import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CallwrightError, createClient, verifyWebhook, WebhookError } from '../../packages/sdk/src/index.ts';
import { newSigningSecret, signatureHeaders, signingKey } from '../../src/domain/webhooks/signature.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { provisionWith } from '../helpers/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts';

interface Sent {
  url: string;
  method: string;
  headers: Headers;
  body: unknown;
}
/** A client with scripted responses; the last one repeats. */
function scripted(answers: readonly (() => Response)[], options: { maxRetries?: number } = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const client = createClient({
    baseUrl: 'http://callwright.test/',
    apiKey: 'key',
    ...options,
    fetch: (url, init) => {
      sent.push({
        url: url as string,
        method: init?.method ?? 'GET',
        headers: new Headers(init?.headers),
        body: init?.body ?? null,
      });
      return new Promise((resolve) =>
        resolve((answers[sent.length - 1] ?? answers.at(-1) ?? (() => new Response()))()),
      );
    },
    sleep: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  });
  return { client, sent, waits };
}
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (): Response =>
    Response.json(body, { status, headers });
const broken = (): Response => {
  throw new TypeError('connection refused');
};
const call = { name: 'Priya', mobile_number: '+14155550123', agent_id: 'a', from_number_id: 'n' };

describe('a request of the client', () => {
  it('sends fields in path, query and body', async () => {
    const { client, sent } = scripted([json(200, {})]);
    await client.getAgent({ agent_id: 'a/b c', type: 'inbound' });
    await client.listCalls({ limit: 5, offset: 0, status: 'completed' });
    await client.placeCall(call);
    await client.getWorkspace();
    expect(sent.map((s) => [s.method, s.url])).toEqual([
      ['GET', 'http://callwright.test/api/v0/agent/a%2Fb%20c?type=inbound'],
      ['GET', 'http://callwright.test/api/v0/calling/history?limit=5&offset=0&status=completed'],
      ['POST', 'http://callwright.test/api/v0/calling/outbound/individual'],
      ['GET', 'http://callwright.test/api/v0/workspace'],
    ]);
    expect(JSON.parse(sent[2]?.body as string)).toEqual(call);
    expect(sent.every((s) => s.headers.get('x-api-key') === 'key')).toBe(true);
    expect(sent.map((s) => s.headers.has('content-type'))).toEqual([false, false, true, false]);
    await expect(client.hangUpCall({ call_id: '' })).rejects.toThrow('call_id');
  });

  it('is retried under one Idempotency-Key after 429, 5xx, a broken connection and a 409 of its first attempt', async () => {
    const { client, sent, waits } = scripted(
      [
        json(429, { message: 'slow down' }, { 'retry-after': '7' }),
        json(503, { message: 'away' }),
        broken,
        json(409, { message: 'running', code: 'REQUEST_IN_PROGRESS' }),
        json(200, { data: { call_id: 'c' } }),
      ],
      { maxRetries: 4 },
    );
    expect((await client.placeCall(call)).data.call_id).toBe('c');
    expect(sent).toHaveLength(5);
    expect(new Set(sent.map((s) => s.headers.get('idempotency-key'))).size).toBe(1);
    expect(sent[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    expect(waits[0]).toBe(7000);
    for (const [index, most] of [1000, 2000, 4000].entries()) {
      expect(waits[index + 1]).toBeGreaterThanOrEqual(most / 2);
      expect(waits[index + 1]).toBeLessThanOrEqual(most);
    }
    await client.placeCall(call, { idempotencyKey: 'mine' });
    expect(sent[5]?.headers.get('idempotency-key')).toBe('mine');
    expect(sent[5]?.headers.get('idempotency-key')).not.toBe(sent[4]?.headers.get('idempotency-key'));
  });

  it('is not retried if that could repeat its effect, nor after a refusal', async () => {
    const edit = { operation: 'edit_voice_speed', agent_id: 'a', voice_speed: 1 } as const;
    for (const [answer, status] of [
      [json(500, { message: 'Failed to edit agent' }), 500],
      [broken, 0],
    ] as const) {
      const { client, sent } = scripted([answer]);
      await expect(client.editAgent(edit)).rejects.toMatchObject({ status });
      expect(sent).toHaveLength(1);
    }
    const limited = scripted([json(429, { error: 'slow down' }), json(200, { agent_id: 'a' })]);
    await limited.client.editAgent(edit);
    expect(limited.sent).toHaveLength(2);
    const refused = scripted([json(422, { message: 'x' })]);
    await expect(refused.client.placeCall(call)).rejects.toBeInstanceOf(CallwrightError);
    expect(refused.sent).toHaveLength(1);
  });

  it('fails with the last error', async () => {
    const { client, sent } = scripted([
      json(503, {
        message: 'away',
        code: 'UNAVAILABLE',
        request_id: 'req_1',
        errors: [{ field: 'a', message: 'b' }],
      }),
    ]);
    await expect(client.getWorkspace()).rejects.toMatchObject({
      name: 'CallwrightError',
      message: 'away',
      status: 503,
      code: 'UNAVAILABLE',
      requestId: 'req_1',
      fields: [{ field: 'a', message: 'b' }],
    });
    expect(sent).toHaveLength(4);
    const page = scripted([() => new Response('<html>', { status: 502 })], { maxRetries: 0 });
    await expect(page.client.getWorkspace()).rejects.toMatchObject({
      status: 502,
      message: 'The service answered 502',
    });
  });

  it('is aborted by its signal', async () => {
    const { client, sent } = scripted([broken]);
    await expect(client.getWorkspace({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      status: 0,
    });
    expect(sent).toHaveLength(1);
  });
});

describe('verifyWebhook', () => {
  const secret = newSigningSecret();
  const at = Date.UTC(2026, 0, 5, 10);
  const body = JSON.stringify({ event_type: 'call_completed', call_id: 'c' });
  const headers = (text = body, time = at) => signatureHeaders([signingKey(secret)], 'evt_1', time, text);

  it('returns the event of a valid delivery, also with several signatures', async () => {
    const event = await verifyWebhook(secret, headers(), body, { nowMs: at + 299_000 });
    expect(event.event_type).toBe('call_completed');
    const rotated = { ...headers(), 'webhook-signature': `v1,AAAA v2,x ${headers()['webhook-signature']}` };
    await expect(verifyWebhook(secret, new Headers(rotated), body, { nowMs: at })).resolves.toMatchObject({
      call_id: 'c',
    });
  });

  it.each<[string, Record<string, string>, string, number]>([
    ['another body', headers(), `${body} `, at],
    ['another id', { ...headers(), 'webhook-id': 'evt_2' }, body, at],
    ['another time', { ...headers(), 'webhook-timestamp': String(at / 1000 + 1) }, body, at],
    ['an old delivery', headers(), body, at + 301_000],
    ['one from the future', headers(), body, at - 301_000],
    ['no time', { ...headers(), 'webhook-timestamp': 'now' }, body, at],
    ['no signature', { ...headers(), 'webhook-signature': '' }, body, at],
    ['a signature that is no base64', { ...headers(), 'webhook-signature': 'v1,***' }, body, at],
    ['text that is no JSON', headers('{'), '{', at],
    ['JSON that is no event', headers('[1]'), '[1]', at],
  ])('rejects %s', async (_name, given, text, nowMs) => {
    await expect(verifyWebhook(secret, given, text, { nowMs })).rejects.toBeInstanceOf(WebhookError);
  });

  it('rejects another secret', async () => {
    await expect(verifyWebhook(newSigningSecret(), headers(), body, { nowMs: at })).rejects.toThrow(
      'signature',
    );
  });
});

describe('the client and the real program', () => {
  let database: TestDatabase;
  let service: Service;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await startWebhookReceiver();
    service = await startService({
      provision: provisionWith({}),
      env: { SAFE_FETCH_ALLOW: '127.0.0.1', DATABASE_URL: database.url },
    });
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
    expect((await client.getPlatformAnalytics({ agent_id: agent.data.id })).data.failed_calls).toBe(1);
    await expect(client.getCall({ id: workspace_info.id })).rejects.toMatchObject({
      status: 404,
      code: 'CALL_NOT_FOUND',
    });
    const [delivery] = await eventually('the event', async () => {
      const got = receiver.events(placed.data.call_id);
      return got.length > 0 ? got : null;
    });
    const { secret } = await client.getSigningSecret();
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
    const { secret } = await client.getSigningSecret();
    const event = await verifyWebhook(secret, last.headers, last.raw);
    expect(event).toMatchObject({ event_type: 'campaign_completed', bulk_list_id: saved.list_id });
  });

  it('verify an event with either secret during a rotation', async () => {
    const client = createClient({ baseUrl: service.url, apiKey: service.key });
    const before = await client.getSigningSecret();
    const after = await client.rotateSigningSecret({ overlap_hours: 1 });
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
