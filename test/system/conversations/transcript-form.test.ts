import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatKeys } from '../../../src/wire/events/chat.ts';
import { LiveCalls } from '../../../src/dialer/live-calls.ts';
import { toChatDetails } from '../../../src/http/chats/wire.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { conversationResult, settlingOfFile } from '../../helpers/calls/settling-node.ts';

const settling = settlingOfFile();
const CONTROLS = {
  hangup: () => undefined,
  cut: () => undefined,
  control: () => false,
  listen: () => false,
  unlisten: () => undefined,
};

describe('the transcript', () => {
  it('has role, text, at and offset_ms in each event of a call, beside bot and user', async () => {
    const subscriptions = [
      {
        event_type: ['call_completed', 'all_processing_completed'],
        callback_url: 'http://127.0.0.1:1/hook',
        method_type: 'POST',
        headers: {},
      },
    ];
    const call = await settling.answered({ subscriptions });
    const answeredAt = settling.ground.clock.now();
    const [hello, yes] = conversationResult().transcript;
    await settling.settle(call, {
      answeredAt,
      result: conversationResult({
        transcript: [
          { ...hello!, startedAt: answeredAt + 300 },
          { ...yes!, startedAt: answeredAt + 2000 },
        ],
      }),
    });
    await settling.analyse();
    const at = (ms: number): string => new Date(answeredAt + ms).toISOString();
    const lines = [
      { bot: 'Hello', role: 'agent', text: 'Hello', at: at(300), offset_ms: 300 },
      { user: 'Yes?', role: 'user', text: 'Yes?', at: at(2000), offset_ms: 2000 },
    ];
    const events = (await settling.events()).filter(({ body }) => 'transcript' in body);
    expect(events.map(({ event_type, body }) => [event_type, body.transcript])).toEqual([
      ['call_completed', lines],
      ['all_processing_completed', lines],
    ]);
  });

  it('has the same keys in the details and events of a chat, without an offset', () => {
    const sentAt = new Date('2026-01-05T10:00:00Z');
    const message = { role: 'customer', text: 'Are you open?', sentAt } as const;
    const entry = { role: 'user', text: 'Are you open?', at: '2026-01-05T10:00:00.000Z', offset_ms: null };
    const chat = { createdAt: sentAt, endedAt: sentAt, toolLog: [], usage: [], args: {} };
    expect(chatKeys(chat as never, [message])['transcript']).toEqual([{ ...entry, timestamp: entry.at }]);
    const { transcript } = toChatDetails({ chat, messages: [message] } as never);
    expect(transcript).toMatchObject([{ ...entry, timestamp: entry.at }]);
  });
});

describe('GET /calling/{call_id}/live', () => {
  const live = new LiveCalls();
  let api: TestApi;
  let tenant: Tenant;
  let base: string;
  beforeAll(async () => {
    api = await createTestApi({
      watch: (workspaceId, callId, watcher) => Promise.resolve(live.watch(workspaceId, callId, watcher)),
    });
    tenant = await createTenant(api);
    base = await api.server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => api.close());

  async function liveCall(): Promise<string> {
    const { agentId } = await createTestAgent(api, tenant);
    const answer = await api.request('POST', '/api/v0/calling/outbound/individual', {
      key: tenant.key,
      body: { name: 'P', mobile_number: '+14155550002', agent_id: agentId, from_number_id: tenant.numberId },
    });
    const { call_id: callId } = answer.body['data'] as { call_id: string };
    live.add(tenant.workspaceId, callId, CONTROLS);
    return callId;
  }
  /** The stream of a call that ends as soon as somebody watches it. */
  async function eventsOf(callId: string, lastEventId?: string): Promise<{ id: string; data: any }[]> {
    const response = await fetch(`${base}/api/v0/calling/${callId}/live`, {
      headers: {
        'x-api-key': tenant.key,
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
    });
    const text = await response.text();
    return [...text.matchAll(/^id: (.*)\ndata: (.*)$/gm)].map(([, id, data]) => ({
      id: id!,
      data: JSON.parse(data!) as unknown,
    }));
  }
  const lines = (callId: string): void => {
    const [line] = conversationResult().transcript;
    live.publish(callId, { type: 'line', line: line! });
    live.publish(callId, { type: 'dtmf', digit: '1', at: 1000 });
    live.publish(callId, { type: 'interrupted', at: 2000, stopMs: 90 });
    live.publish(callId, { type: 'latency', latency: conversationResult().latencies[0]! });
    live.publish(callId, { type: 'ended', status: 'completed', subStatus: 'USER_LEFT', at: 3000 });
  };

  it('sends snake_case keys and ISO times beside the camelCase keys', async () => {
    const callId = await liveCall();
    lines(callId);
    const events = (await eventsOf(callId)).map(({ data }) => data);
    expect(events).toMatchObject([
      {
        type: 'line',
        line: { role: 'agent', text: 'Hello', startedAt: 0 },
        entry: { role: 'agent', text: 'Hello', at: '1970-01-01T00:00:00.000Z', offset_ms: null },
      },
      { type: 'dtmf', at: 1000, occurred_at: '1970-01-01T00:00:01.000Z' },
      { type: 'interrupted', stopMs: 90, stop_ms: 90, occurred_at: '1970-01-01T00:00:02.000Z' },
      { type: 'latency', latency: { totalMs: 750 }, turn_latency: { turn: 1, total_ms: 750 } },
      {
        type: 'ended',
        subStatus: 'USER_LEFT',
        sub_status: 'USER_LEFT',
        occurred_at: '1970-01-01T00:00:03.000Z',
      },
    ]);
  });

  it('continues behind Last-Event-ID, and begins at the start with the id of another attempt', async () => {
    const callId = await liveCall();
    lines(callId);
    const all = await eventsOf(callId);
    expect(all.map(({ data }) => data.type)).toEqual(['line', 'dtmf', 'interrupted', 'latency', 'ended']);
    expect(await eventsOf(callId, all[2]!.id)).toEqual(all.slice(3));
    expect(await eventsOf(callId, 'another.3')).toEqual(all);
    expect(await eventsOf(callId, 'nonsense')).toEqual(all);
  });

  it('documents every event that it sends', async () => {
    const callId = await liveCall();
    lines(callId);
    const { body } = await api.request('GET', '/openapi.json');
    const { schemas } = body['components'] as { schemas: Record<string, any> };
    const documented = new Map<string, string[]>(
      schemas['LiveEvent'].anyOf.map((each: any) => [each.title, Object.keys(each.properties)]),
    );
    for (const { data } of await eventsOf(callId)) {
      expect([data.type, documented.get(data.type)]).toEqual([
        data.type,
        expect.arrayContaining(Object.keys(data)),
      ]);
    }
  });
});
