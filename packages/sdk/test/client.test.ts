import { describe, expect, it } from 'vitest';
import { CallwrightError } from '../src/index.ts';
import { broken, call, json, scripted } from './scripted.ts';

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
