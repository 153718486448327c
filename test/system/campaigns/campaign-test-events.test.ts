import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant, type Answer } from '../../helpers/api/api.ts';
import { openCampaignOffice, said, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';
import { eventProblems } from '../../helpers/webhooks/event-schemas.ts';

// Test events to the callback_url of a campaign.
const HOOK = 'https://example.com/campaign';
let office: CampaignOffice;
let id: string;
beforeAll(async () => {
  office = await openCampaignOffice();
});
afterAll(() => office?.api.close());
beforeEach(async () => {
  await office.renew();
  id = await office.started({ contacts: 1 }, { callback_url: HOOK });
});

const send = (body: object, key?: string): Promise<Answer> =>
  office.ask('POST', '/webhooks/test', { event_type: 'campaign_completed', ...body }, key);

it.each(['campaign_completed', 'call_completed'])(
  'a test %s matches its schema, has test: true and does not delay the campaign’s end',
  async (event_type) => {
    const answer = await send({ event_type, campaign_id: id });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    const { delivery_id: deliveryId } = answer.body['delivery'] as { delivery_id: string };
    const { body } = await office.ask('GET', `/webhooks/deliveries/${deliveryId}`);
    const { delivery } = body as { delivery: any };
    expect(delivery).toMatchObject({ event_type, callback_url: HOOK, method_type: 'POST', is_test: true });
    expect(eventProblems(delivery.request.body)).toEqual([]);
    expect(delivery.request.body).toMatchObject({
      test: true,
      bulk_list_id: id,
      agent_id: office.agent.agentId,
      workspace_id: office.tenant.workspaceId,
    });
    const { campaign_id: campaign } = await office.api.db
      .selectFrom('delivery_queue')
      .select('campaign_id')
      .where('id', '=', deliveryId)
      .executeTakeFirstOrThrow();
    expect(campaign).toBeNull();
  },
);

it('campaign_completed can be sent to a URL and is refused for an agent', async () => {
  expect((await send({ callback_url: HOOK })).status).toBe(200);
  const rows = await office.api.db
    .selectFrom('events')
    .select('body')
    .where('workspace_id', '=', office.tenant.workspaceId)
    .execute();
  expect(rows.flatMap(({ body }) => eventProblems(body))).toEqual([]);
  expect(rows).toHaveLength(1);
  expect((await send({ agent_id: office.agent.agentId })).body['code']).toBe('EVENT_NOT_SUBSCRIBED');
});

it('refuses events that the receiver does not get, and campaigns of other workspaces', async () => {
  const silent = await office.started({ contacts: 1 }, { callback_url: undefined });
  for (const body of [{ campaign_id: silent }, { campaign_id: id, event_type: 'call_started' }]) {
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 'EVENT_NOT_SUBSCRIBED' } });
  }
  expect(said(await send({ campaign_id: newId() }))).toEqual([404, 'Campaign not found']);
  const stranger = await createTenant(office.api);
  expect(said(await send({ campaign_id: id }, stranger.key))).toEqual([404, 'Campaign not found']);
  for (const body of [
    { campaign_id: id, callback_url: HOOK },
    { campaign_id: id, method_type: 'PUT' },
  ]) {
    expect((await send(body)).status).toBe(422);
  }
  const events = await office.api.db
    .selectFrom('events')
    .select('id')
    .where('workspace_id', 'in', [office.tenant.workspaceId, stranger.workspaceId])
    .execute();
  expect(events).toEqual([]);
});
