import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signingSecrets } from '../../../src/domain/webhooks/signing-secrets.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DeliveryRig } from '../../helpers/webhooks/delivery-rig.ts';
import { MONDAY } from '../../helpers/database/workspace.ts';

const rig = new DeliveryRig();

describe('delivery', () => {
  it('sends subscribed events with their headers and a signature that the standard library verifies', async () => {
    await rig.event({
      method: 'PUT',
      headers: {
        Authorization: 'Bearer abc',
        'X-Own': 'yes',
        Host: 'evil.example',
        'Content-Length': '1',
        'webhook-id': 'x',
      },
    });
    rig.deliverer();
    await rig.attemptsDone(1);
    expect(await rig.states()).toEqual(['delivered']);
    const [got] = rig.received;
    expect(got).toMatchObject({ method: 'PUT', path: '/hook' });
    expect(got?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-own': 'yes',
      'content-type': 'application/json',
      host: rig.base.slice(7),
    });
    const [{ secret } = { secret: '' }] =
      (await signingSecrets(rig, [rig.workspaceId])).get(rig.workspaceId) ?? [];
    // The library compares the timestamp with the real clock; the test clock stands in 2026.
    const standard = new Webhook(secret);
    const signed = standard.sign(String(got?.headers['webhook-id']), new Date(MONDAY), got?.body ?? '');
    expect(got?.headers['webhook-signature']).toBe(signed);
    expect(got?.headers['webhook-id']).toBe((JSON.parse(got?.body ?? '{}') as { event_id: string }).event_id);
    expect(got?.headers['webhook-timestamp']).toBe(String(MONDAY / 1000));
    // The body is byte-identical, keys in order.
    const expected = { event_type: 'call_completed', event_id: got?.headers['webhook-id'], name: 'Zoë' };
    expect(got?.body).toBe(JSON.stringify(expected));
  });

  it('retries 10 s, 60 s and 120 s after the previous attempt with the same ID, then gives up', async () => {
    rig.answer = (_, response) => response.writeHead(500).end();
    const id = await rig.event();
    rig.deliverer();
    for (const [attempt, wait] of [10_000, 60_000, 120_000].entries()) {
      await rig.attemptsDone(attempt + 1);
      expect((await rig.rows())[0]?.due_at.getTime()).toBe(rig.clock.now() + wait);
      rig.clock.advance(wait - 1);
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(rig.received).toHaveLength(attempt + 1);
      rig.clock.advance(1);
    }
    await rig.attemptsDone(4);
    expect(await rig.states()).toEqual(['dead']);
    rig.clock.advance(86_400_000);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(rig.received.map((got) => got.headers['webhook-id'])).toEqual([id, id, id, id]);
    expect(new Set(rig.received.map((got) => got.headers['webhook-timestamp'])).size).toBe(4);
  });

  it('retries at the due time, not at the next poll', async () => {
    let status = 500;
    rig.answer = (_, response) => response.writeHead(status).end();
    await rig.event();
    const worker = rig.deliverer({ pollMs: 60_000 });
    await rig.attemptsDone(1);
    // Shortly before the due time: a poll woken now finds nothing yet.
    rig.clock.advance(9700);
    status = 200;
    worker.kick();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(rig.received).toHaveLength(1);
    rig.clock.advance(300);
    await rig.eventually(async () => (await rig.states()).join() === 'delivered');
    expect(rig.received).toHaveLength(2);
  });

  it('sends the events of one call to one receiver in order, retries included', async () => {
    const callId = newId();
    const status = { first: 500 };
    rig.answer = (got, response) =>
      response
        .writeHead(
          (JSON.parse(got.body) as { event_type: string }).event_type === 'call_started' ? status.first : 200,
        )
        .end();
    for (const type of ['call_started', 'call_ongoing', 'call_completed']) await rig.event({ callId, type });
    await rig.event({ type: 'call_started', path: '/other' });
    rig.deliverer();
    await rig.attemptsDone(2);
    expect(await rig.states()).toEqual(['due', 'due', 'due', 'due']);
    for (const wait of [10_000, 60_000, 120_000]) {
      const before = rig.received.length;
      rig.clock.advance(wait);
      await rig.eventually(() => rig.received.length >= before + 2);
      await rig.attemptsDone(rig.received.length);
      if (wait === 60_000) status.first = 200;
    }
    await rig.eventually(async () => (await rig.states()).every((state) => state === 'delivered'));
    const ofCall = rig.received
      .filter((got) => got.path === '/hook')
      .map((got) => JSON.parse(got.body) as { event_type: string });
    expect(ofCall.map((body) => body.event_type).slice(-3)).toEqual([
      'call_started',
      'call_ongoing',
      'call_completed',
    ]);
  });

  it('sends the next event once an earlier one is given up', async () => {
    const callId = newId();
    await rig.event({ callId, type: 'call_started', path: '/hook' });
    await rig.event({ callId, type: 'call_completed', path: '/hook' });
    await sql`update delivery_queue set attempt = 4 where event_seq = (select min(event_seq) from delivery_queue)`.execute(
      rig.db,
    );
    rig.deliverer();
    await rig.eventually(async () => (await rig.states()).join() === 'dead,delivered');
    expect((await rig.rows())[0]?.attempts).toMatchObject([{ error: 'interrupted' }]);
  });
});
