import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VOICE_EVENTS } from '../../../src/domain/agents/edit/edit-event-subscriptions.ts';
import { signingSecrets } from '../../../src/domain/webhooks/signing-secrets.ts';
import { schemaDocument, WEBHOOK_EVENTS } from '../../../src/http/webhooks/event-schemas.ts';
import { newId } from '../../../src/shared/ids.ts';
import { createTestAgent, type Answer } from '../../helpers/api/api.ts';
import { eventProblems } from '../../helpers/webhooks/event-schemas.ts';
import { deliveryIn, openWebhookDesk, type WebhookDesk } from '../../helpers/webhooks/webhook-api.ts';

let desk: WebhookDesk;
beforeAll(async () => {
  desk = await openWebhookDesk();
});
beforeEach(() => desk.renew());
afterEach(() => desk.stopDelivering());
afterAll(() => desk.close());

describe('the signing secret', () => {
  it('is created once per workspace, encrypted at rest, and rotates with an overlap in which both sign', async () => {
    const first = await desk.call('GET', '/webhooks/signing-secret');
    expect(first.body).toMatchObject({ secret: expect.stringMatching(/^whsec_/), retiring: [] });
    expect((await desk.call('GET', '/webhooks/signing-secret')).body).toEqual(first.body);
    const foreign = await desk.call('GET', '/webhooks/signing-secret', undefined, desk.other.key);
    expect(foreign.body['secret']).not.toBe(first.body['secret']);
    const stored = await desk.api.db.selectFrom('webhook_secrets').select('secret').execute();
    for (const row of stored) expect(row.secret).toMatch(/^sealed:v1:/);

    const second = await desk.call('POST', '/webhooks/signing-secret/rotate', { overlap_hours: 2 });
    expect(second.body['retiring']).toEqual([
      {
        created_at: first.body['created_at'],
        retires_at: new Date(desk.api.clock.now() + 2 * 3_600_000).toISOString(),
      },
    ]);
    desk.deliver();
    const verifies = (secret: unknown): boolean => {
      const got = desk.receiver.received.at(-1);
      if (got === undefined) return false;
      // The library compares the timestamp with the real clock; the test clock stands still.
      const signed = new Webhook(String(secret)).sign(
        String(got.headers['webhook-id']),
        new Date(Number(got.headers['webhook-timestamp']) * 1000),
        got.raw,
      );
      return String(got.headers['webhook-signature']).split(' ').includes(signed);
    };
    await desk.ended((await desk.sendTest())['delivery_id']);
    expect([verifies(first.body['secret']), verifies(second.body['secret'])]).toEqual([true, true]);
    desk.api.clock.advance(2 * 3_600_000);
    await desk.ended((await desk.sendTest())['delivery_id']);
    expect([verifies(first.body['secret']), verifies(second.body['secret'])]).toEqual([false, true]);

    const third = await desk.call('POST', '/webhooks/signing-secret/rotate', { overlap_hours: 0 });
    expect(third.body['retiring']).toEqual([]);
    await desk.ended((await desk.sendTest())['delivery_id']);
    expect([verifies(second.body['secret']), verifies(third.body['secret'])]).toEqual([false, true]);
  });

  it('refuses overlaps out of range, and concurrent rotations all take effect', async () => {
    for (const overlap_hours of [-1, 169, '2', null]) {
      const answer = await desk.call('POST', '/webhooks/signing-secret/rotate', { overlap_hours });
      expect(answer.status).toBe(422);
      expect(answer.body['message']).toContain('overlap_hours');
    }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        desk.call('POST', '/webhooks/signing-secret/rotate', { overlap_hours: 1 }),
      ),
    );
    expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    const secrets = await signingSecrets({ db: desk.api.db, clock: desk.api.clock, seal: desk.seal }, [
      desk.tenant.workspaceId,
    ]);
    expect(secrets.get(desk.tenant.workspaceId)).toHaveLength(8);
  });

  it('of the installation is inherited by its workspaces and encrypted on first read', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    await desk.api.db
      .insertInto('webhook_secrets')
      .values({
        workspace_id: desk.tenant.workspaceId,
        id: newId(),
        secret,
        created_at: new Date(desk.api.clock.now()),
      })
      .execute();
    expect((await desk.call('GET', '/webhooks/signing-secret')).body['secret']).toBe(secret);
    const [row] = await desk.api.db
      .selectFrom('webhook_secrets')
      .select('secret')
      .where('workspace_id', '=', desk.tenant.workspaceId)
      .execute();
    expect(row?.secret).toMatch(/^sealed:v1:/);
    expect((await desk.call('GET', '/webhooks/signing-secret')).body['secret']).toBe(secret);
  });
});

describe("receivers' secret headers", () => {
  it('are encrypted at rest, sent unchanged, masked on read and kept when the mask is sent back', async () => {
    const { agentId } = await createTestAgent(desk.api, desk.tenant);
    const subscription = {
      event_type: ['call_completed'],
      callback_url: desk.receiver.url,
      method_type: 'PUT',
      headers: { Authorization: 'Bearer canary-4711', 'X-Plain': 'visible' },
    };
    const edit = (event_subscriptions: unknown[]): Promise<Answer> =>
      desk.call('PATCH', '/agent/v1', {
        operation: 'edit_event_subscriptions',
        agent_id: agentId,
        event_subscriptions,
      });
    expect((await edit([subscription])).status).toBe(200);
    const read = async (): Promise<any> => {
      const { agents } = (await desk.call('GET', `/agent/${agentId}`)).body as { agents: any };
      return agents.version_details[agents.active_agent_version_id].event_subscriptions;
    };
    const shown = await read();
    expect(shown[0].headers).toEqual({ Authorization: 'Bear***', 'X-Plain': 'visible' });
    expect((await edit(shown)).status).toBe(200);
    const sent = deliveryIn(
      await desk.call('POST', '/webhooks/test', { agent_id: agentId, event_type: 'call_completed' }),
    );
    desk.deliver();
    await desk.ended(sent['delivery_id']);
    expect(desk.receiver.received[0]).toMatchObject({
      method: 'PUT',
      headers: { authorization: 'Bearer canary-4711', 'x-plain': 'visible' },
    });
    const detail = deliveryIn(await desk.deliveryOf(sent['delivery_id']));
    expect(detail['request'].headers).toEqual({ Authorization: 'Bear***', 'X-Plain': 'visible' });
    for (const table of ['agent_versions', 'deliveries', 'events']) {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`.execute(
        desk.api.db,
      );
      expect(rows.map((row) => row.text).join('\n')).not.toContain('canary');
    }
  });
});

describe('test events', () => {
  it.each(VOICE_EVENTS)('%s matches its schema and has test: true', async (event_type) => {
    desk.deliver();
    const sent = await desk.sendTest({ event_type });
    await desk.ended(sent['delivery_id']);
    const { body } = desk.receiver.received.find((got) => got.headers['webhook-id'] === sent['event_id'])!;
    expect(body).toMatchObject({ event_type, test: true });
    expect(eventProblems(body)).toEqual([]);
  });

  it('are sent only to addresses that the agent subscribes', async () => {
    const { agentId } = await createTestAgent(desk.api, desk.tenant);
    const test = (body: object, key = desk.tenant.key): Promise<Answer> =>
      desk.call('POST', '/webhooks/test', body, key);
    const event = { event_type: 'call_started', agent_id: agentId };
    expect((await test(event)).body['code']).toBe('EVENT_NOT_SUBSCRIBED');
    const unknown = await test({ ...event, agent_id: newId() });
    const foreign = await test(event, desk.other.key);
    expect([foreign.status, foreign.body['message']]).toEqual([404, unknown.body['message']]);
    for (const [body, field] of [
      [{ event_type: 'call_started' }, 'body'],
      [{ ...event, callback_url: desk.receiver.url }, 'body'],
      [{ ...event, headers: {} }, 'headers'],
      [{ event_type: 'chat_started', callback_url: desk.receiver.url }, 'event_type'],
      [{ event_type: 'call_started', callback_url: 'ftp://x' }, 'callback_url'],
      [
        { event_type: 'call_started', callback_url: desk.receiver.url, headers: { Host: 'x' } },
        'headers.Host',
      ],
      [{ event_type: 'call_started', callback_url: desk.receiver.url, typo: 1 }, 'typo'],
    ] as const) {
      const answer = await test(body);
      expect([answer.status, String(answer.body['message'])]).toEqual([422, expect.stringContaining(field)]);
    }
  });

  it('are sent once per Idempotency-Key', async () => {
    const body = { event_type: 'call_started', callback_url: desk.receiver.url };
    const send = (): Promise<Answer> =>
      desk.api.request('POST', '/api/v0/webhooks/test', {
        key: desk.tenant.key,
        body,
        headers: { 'idempotency-key': 'once' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
  });
});

describe('event schemas', () => {
  it('reject missing, wrong and misspelt fields', () => {
    expect(eventProblems({ event_type: 'call_started' })).not.toEqual([]);
    expect(eventProblems({ event_type: 'unknown' })).toEqual(['no schema for unknown']);
    for (const schema of Object.values(WEBHOOK_EVENTS)) {
      expect(JSON.stringify(schemaDocument(schema))).not.toContain('x-rule');
    }
  });
});
