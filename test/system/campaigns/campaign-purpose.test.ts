import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertCampaign } from '../../helpers/campaigns/campaigns.ts';
import { openCampaignOffice, said, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';

let office: CampaignOffice;
beforeAll(async () => {
  office = await openCampaignOffice();
});
beforeEach(() => office.renew({ credits: 10_000_000_000 }));
afterAll(() => office.api.close());

/** Gives the caller number of the workspace another text and purpose. */
const renumber = (number: string, purpose: 'transactional' | 'service' | 'promotional' | null = null) =>
  office.api.db
    .updateTable('numbers')
    .set({ number, purpose })
    .where('workspace_id', '=', office.tenant.workspaceId)
    .where('id', '=', office.tenant.numberId)
    .execute();

const started = async (purpose: string) =>
  said(await office.start(await insertCampaign(office.api, office.tenant, office.agent), { purpose }));

it('refuses a promotional campaign from a 1600 number with a sentence', async () => {
  await renumber('+911600123456');
  expect(await started('promotional')).toEqual([
    400,
    'from_numbers[0]: +911600123456 is in the series 160, which is for transactional and service calls, not for promotional ones',
  ]);
  expect(await started('service')).toEqual([200, 'Campaign started successfully']);
});

it('refuses a service campaign from a 140 number, and an unknown purpose', async () => {
  await renumber('+911401234567');
  const [status] = await started('service');
  expect(status).toBe(400);
  expect((await started('promotional'))[0]).toBe(200);
  expect((await started('marketing'))[0]).toBe(422);
});

it('refuses a campaign from a number that is for other calls', async () => {
  await renumber('+919812345678', 'service');
  expect(await started('promotional')).toEqual([
    400,
    'from_numbers[0]: +919812345678 is for service calls, and the campaign is promotional',
  ]);
});

it('checks every number of a pool, and numbers that join the pool of a running campaign', async () => {
  await renumber('+919812345678', 'service');
  const pool = await office.ask('POST', '/number-pool', {
    name: 'P',
    from_number_ids: [office.tenant.numberId],
  });
  const { id: poolId } = pool.body['number_pool'] as { id: string };
  const start = async (purpose: string) =>
    office.ask('POST', '/campaign/v2/start', {
      agent_id: office.agent.agentId,
      list_id: await insertCampaign(office.api, office.tenant, office.agent),
      number_pool_id: poolId,
      purpose,
    });
  expect(said(await start('promotional'))).toEqual([
    400,
    'number_pool_id: +919812345678 is for service calls, and the campaign is promotional',
  ]);
  expect((await start('service')).status).toBe(200);
  await renumber('+911401234567');
  const joined = await office.ask('POST', `/number-pool/${poolId}/members`, {
    from_number_ids: [office.tenant.numberId],
  });
  expect(said(joined)).toEqual([
    400,
    'from_number_ids[0]: +911401234567 is in the series 140, which is for promotional calls, not for service ones',
  ]);
});

it('a campaign, its calls and their export have purpose and template id', async () => {
  await renumber('+911401234567', 'promotional');
  const id = await office.started({}, { purpose: 'promotional', dlt_template_id: '1107161234567890123' });
  const expected = { purpose: 'promotional', dlt_template_id: '1107161234567890123' };
  expect(await office.campaignOf(id)).toMatchObject(expected);
  const history = await office.ask('GET', `/calling/history?bulk_list_id=${id}`);
  const [call] = history.body['calls'] as { id: string }[];
  expect(call).toMatchObject(expected);
  const details = await office.ask('GET', `/calling/call-details?id=${call?.id}`);
  expect(details.body['data']).toMatchObject(expected);
  const numbers = await office.ask('GET', '/workspace/numbers');
  expect((numbers.body['workspace_numbers'] as object[])[0]).toMatchObject({ purpose: 'promotional' });
});
