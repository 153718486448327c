import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rotateSigningSecret, signingSecrets } from '../../../src/domain/webhooks/signing-secrets.ts';
import { WebhookDeliverer } from '../../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createSeal } from '../../../src/shared/seal.ts';
import { claimContact, dialContact, settleContact, stateOf } from '../../helpers/campaigns/campaigns.ts';
import { openCampaignOffice, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';
import { eventually } from '../../helpers/service/service.ts';
import {
  startWebhookReceiver,
  type Received,
  type WebhookReceiver,
} from '../../helpers/webhooks/webhook-receiver.ts';

const HOUR = 3_600_000;
const seal = createSeal('the seal of a campaign that is signed');
let office: CampaignOffice;
let receiver: WebhookReceiver;
let deliverer: WebhookDeliverer;
const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
beforeAll(async () => {
  office = await openCampaignOffice();
  receiver = await startWebhookReceiver();
  const { db, clock } = office.api;
  deliverer = new WebhookDeliverer({ db, clock, log: silentLog, seal, fetcher, pollMs: 10 });
  deliverer.start();
});
afterAll(async () => {
  await deliverer?.stop();
  await fetcher.close();
  await receiver?.close();
  await office?.api.close();
});

const signing = () => ({ db: office.api.db, clock: office.api.clock, seal });
const current = async (): Promise<string> => {
  const { workspaceId } = office.tenant;
  return (await signingSecrets(signing(), [workspaceId])).get(workspaceId)?.[0]?.secret ?? '';
};
/** Waits until every event written so far is delivered. */
const allSent = () =>
  eventually('everything to be delivered', async () => {
    const rows = await office.api.db.selectFrom('deliveries').select('state').execute();
    return rows.every(({ state }) => state === 'delivered') || null;
  });

/** Verifies a delivery with the public library, on the test's clock. */
function verifies(secret: string, { raw, headers }: Received): boolean {
  vi.useFakeTimers({ toFake: ['Date'], now: office.api.clock.now() });
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

it('the public library verifies every delivery of a campaign, also during secret rotation', async () => {
  const { api, tenant, agent, nodeId } = office;
  const subscribed = await office.ask('PATCH', '/agent/v1', {
    operation: 'edit_event_subscriptions',
    agent_id: agent.agentId,
    event_subscriptions: [
      { event_type: ['call_completed', 'all_processing_completed'], callback_url: `${receiver.url}/agent` },
    ],
  });
  expect(subscribed.status).toBe(200);
  const id = await office.started(
    { contacts: 4, callConfig: { call_retry_config: { retry_count: 0 } } },
    { callback_url: `${receiver.url}/campaign` },
  );
  const callOne = async (): Promise<void> => {
    api.clock.advance(10);
    const ref = await claimContact(api, tenant, id, nodeId);
    if (ref === null) throw new Error('nobody to call');
    await dialContact(api, ref);
    await settleContact(api, ref, { kind: 'answered', reason: 'USER_LEFT' });
  };
  const placeOne = async (): Promise<void> => {
    const placed = await office.ask('POST', '/calling/v2/outbound/individual', {
      name: 'Zoë',
      mobile_number: '+14155550199',
      agent_id: agent.agentId,
      from_number_id: tenant.numberId,
      callback_url: `${receiver.url}/own`,
    });
    const { call_id: callId } = placed.body['data'] as { call_id: string };
    expect((await office.ask('PATCH', '/campaign/terminate', { call_ids: [callId] })).status).toBe(200);
  };

  await callOne();
  await callOne();
  await placeOne();
  await allSent();
  const old = await current();
  const before = receiver.received.splice(0);
  await rotateSigningSecret(signing(), tenant.workspaceId, null, HOUR);
  const next = await current();
  await callOne();
  await placeOne();
  await allSent();
  const during = receiver.received.splice(0);
  expect(before.map((got) => verifies(old, got))).toEqual(before.map(() => true));
  expect(before.map((got) => verifies(next, got))).toEqual(before.map(() => false));
  for (const secret of [old, next]) {
    expect(during.map((got) => verifies(secret, got))).toEqual(during.map(() => true));
  }

  api.clock.advance(HOUR);
  await callOne();
  await allSent();
  while (await office.keep());
  expect(await stateOf(api.db, id)).toBe('completed');
  await eventually('the delivery of campaign_completed', async () => {
    await office.keep();
    return receiver.received.some(({ body }) => body.event_type === 'campaign_completed') || null;
  });
  await allSent();
  const after = receiver.received.splice(0);
  expect(after.map((got) => verifies(next, got))).toEqual(after.map(() => true));
  expect(after.map((got) => verifies(old, got))).toEqual(after.map(() => false));

  const rows = await api.db.selectFrom('deliveries').select(['event_id', 'url']).execute();
  const all = [...before, ...during, ...after];
  expect(all).toHaveLength(rows.length);
  expect(new Set(rows.map(({ url }) => url.slice(receiver.url.length)))).toEqual(
    new Set(['/agent', '/campaign', '/own']),
  );
  expect(new Set(all.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set(rows.map((row) => row.event_id)),
  );
});
