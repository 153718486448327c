import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHeaders } from '../../../src/domain/webhooks/sealed-headers.ts';
import { TEST_SEAL, type Answer } from '../../helpers/api/api.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ agent: { agent_type: 'outbound_inbound', custom_variables: ['day'] } });
});
afterAll(() => desk.api.close());

describe('edit_event_subscriptions', () => {
  const subscribe = (...event_subscriptions: unknown[]): Promise<Answer> =>
    desk.edit({ operation: 'edit_event_subscriptions', event_subscriptions });
  const hook = { event_type: ['call_completed'], callback_url: 'https://example.com/a', method_type: 'POST' };

  it('replaces the list; of two subscriptions to one event the later one stays', async () => {
    expect((await subscribe({ ...hook, event_type: 'call_started' })).status).toBe(200);
    const answer = await subscribe(
      { ...hook, event_type: ['call_started', 'call_completed', 'call_completed'] },
      { ...hook, event_type: 'call_completed', callback_url: 'http://example.com/b', method_type: 'PUT' },
    );
    expect(answer.status).toBe(200);
    expect((await desk.shown()).version.event_subscriptions).toEqual([
      {
        event_type: ['call_started'],
        callback_url: 'https://example.com/a',
        method_type: 'POST',
        headers: {},
      },
      {
        event_type: ['call_completed'],
        callback_url: 'http://example.com/b',
        method_type: 'PUT',
        headers: {},
      },
    ]);
    await subscribe();
    expect((await desk.shown()).version.event_subscriptions).toEqual([]);
  });

  it('keeps which statuses of a receiver count as success', async () => {
    expect((await subscribe({ ...hook, success: '2xx' })).status).toBe(200);
    expect((await desk.shown()).version.event_subscriptions).toMatchObject([{ success: '2xx' }]);
    const answer = await subscribe({ ...hook, success: '201' });
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      expect.stringMatching(/^event_subscriptions\[0\]\.success must be one of/),
    ]);
    await subscribe();
  });

  it('answers 400 for an event of another channel', async () => {
    const answer = await subscribe({ ...hook, event_type: ['call_completed', 'chat_completed'] });
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toContain('chat_completed');
  });

  it.each<[Record<string, unknown>, string]>([
    [{ event_type: 'call_finished' }, 'event_subscriptions[0].event_type must be one of'],
    [{ event_type: [] }, 'event_subscriptions[0].event_type must be one of'],
    [{ event_type: undefined }, 'event_subscriptions[0].event_type is required'],
    [{ callback_url: undefined }, 'event_subscriptions[0].callback_url is required'],
    [{ callback_url: 'example.com' }, 'event_subscriptions[0].callback_url must be an http or https URL'],
    [
      { callback_url: 'ftp://example.com' },
      'event_subscriptions[0].callback_url must be an http or https URL',
    ],
    [
      { callback_url: 'javascript:alert(1)' },
      'event_subscriptions[0].callback_url must be an http or https URL',
    ],
    [{ callback_url: 'https://u:p@example.com' }, 'event_subscriptions[0].callback_url must not carry'],
    [{ method_type: 'GET' }, 'event_subscriptions[0].method_type must be one of POST, PUT, PATCH'],
    [{ headers: { Authorization: 5 } }, 'event_subscriptions[0].headers.Authorization must be a string'],
    [{ headers: { 'X-A': 'a\r\nB: c' } }, 'event_subscriptions[0].headers.X-A must be a header value'],
    [{ headers: { 'X-A\r\nB': 'c' } }, 'event_subscriptions[0].headers must have valid HTTP header names'],
    [{ headers: { '': 'c' } }, 'event_subscriptions[0].headers must have valid HTTP header names'],
    ...[
      'Host',
      'content-length',
      'Transfer-Encoding',
      'Connection',
      'upgrade',
      'TE',
      'webhook-signature',
    ].map((name): [Record<string, unknown>, string] => [
      { headers: { [name]: 'x' } },
      `event_subscriptions[0].headers.${name} is set by the service`,
    ]),
  ])('rejects %j: %s', async (change, message) => {
    const answer = await subscribe({ ...hook, ...change });
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('masks secrets on read and keeps them when the mask is sent', async () => {
    const headers = { Authorization: 'Bearer canary-secret', 'X-Plain': 'blue', 'X-Odd': 'a'.repeat(30) };
    await subscribe({ ...hook, headers });
    const shown = (await desk.shown()).version.event_subscriptions;
    expect(shown[0]!.headers).toEqual({ Authorization: 'Bear***', 'X-Plain': 'blue', 'X-Odd': 'aaaa***' });
    expect((await subscribe({ ...shown[0], callback_url: 'https://example.com/moved' })).status).toBe(200);
    const row = await desk.api.db
      .selectFrom('agent_versions')
      .select('config')
      .where('agent_id', '=', desk.agentId)
      .executeTakeFirstOrThrow();
    const [stored] = row.config['event_subscriptions'];
    expect(stored).toMatchObject({ callback_url: 'https://example.com/moved' });
    expect(JSON.stringify(stored)).not.toContain('canary-secret');
    expect(openHeaders(TEST_SEAL, stored!.headers)).toEqual(headers);
  });

  it('rejects a mask for another receiver', async () => {
    await subscribe({ ...hook, headers: { Authorization: 'Bearer canary-secret' } });
    const answer = await subscribe({
      ...hook,
      callback_url: 'https://evil.example/a',
      headers: { Authorization: 'Bear***' },
    });
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain('event_subscriptions[0].headers.Authorization is masked');
  });
});
