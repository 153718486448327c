import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCampaignOffice, said, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';
import { insertCampaign } from '../../helpers/campaigns/campaigns.ts';

let office: CampaignOffice;
beforeAll(async () => {
  office = await openCampaignOffice();
});
beforeEach(() => office.renew());
afterAll(() => office.api.close());

const HELD = ['scheduled', 'ongoing', 'paused', 'insufficient_balance'] as const;
const become = (agent_type: string) =>
  office.ask('PATCH', `/public/agent/${office.agent.agentId}`, { agent_type });
const terminate = (id: string) => office.ask('PATCH', '/campaign/terminate', { campaign_id: id });

async function makePool(numbers: readonly string[] = [office.tenant.numberId]): Promise<string> {
  const answer = await office.ask('POST', '/number-pool', { name: 'P', from_number_ids: numbers });
  return (answer.body['number_pool'] as { id: string }).id;
}
const startFrom = (id: string, pool: string) =>
  office.ask('POST', '/campaign/v2/start', {
    agent_id: office.agent.agentId,
    list_id: id,
    number_pool_id: pool,
  });
const newList = (name: string) => insertCampaign(office.api, office.tenant, office.agent, { name });

/** A campaign that calls from the pool. */
async function campaignFrom(pool: string, name = 'Spring'): Promise<string> {
  const id = await newList(name);
  expect((await startFrom(id, pool)).status).toBe(200);
  return id;
}

describe('while a campaign runs', () => {
  it('its agent cannot become inbound-only', async () => {
    const id = await office.started();
    const before = (await office.ask('GET', `/agent/${office.agent.agentId}`)).text;
    for (const state of HELD) {
      await office.api.db.updateTable('campaigns').set({ state }).where('id', '=', id).execute();
      expect(said(await become('inbound'))).toEqual([
        409,
        'A campaign of the agent is running; terminate it before the agent stops making calls: Spring',
      ]);
    }
    expect((await office.ask('GET', `/agent/${office.agent.agentId}`)).text).toBe(before);
    expect((await become('outbound_inbound')).status).toBe(200);
    await terminate(id);
    expect((await become('inbound')).status).toBe(200);
  });

  it('its number pool cannot be deleted', async () => {
    const pool = await makePool();
    const [one, two] = [await campaignFrom(pool, 'Spring'), await campaignFrom(pool, 'Autumn')];
    for (const state of HELD) {
      await office.api.db.updateTable('campaigns').set({ state }).where('id', 'in', [one, two]).execute();
      expect(said(await office.ask('DELETE', `/number-pool/${pool}`))).toEqual([
        409,
        'A campaign that calls from the pool is running; terminate it before the pool is deleted: Spring, Autumn',
      ]);
    }
    expect((await office.ask('GET', `/number-pool/${pool}`)).body['number_pool']).toMatchObject({
      numbers: [{ from_number_id: office.tenant.numberId }],
    });
    await terminate(one);
    expect((await office.ask('DELETE', `/number-pool/${pool}`)).body['message']).toMatch(/: Autumn$/);
    await terminate(two);
    expect((await office.ask('DELETE', `/number-pool/${pool}`)).status).toBe(200);
  });

  it('its number pool keeps at least one usable number', async () => {
    const at = new Date(office.api.clock.now());
    const spam = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a11';
    await office.api.db
      .insertInto('numbers')
      .values({
        workspace_id: office.tenant.workspaceId,
        id: spam,
        number: '+14155559911',
        trunk_id: office.tenant.trunkId,
        is_spam: true,
        created_at: at,
        updated_at: at,
      })
      .execute();
    const pool = await makePool([office.tenant.numberId, spam]);
    const id = await campaignFrom(pool);
    const take = (numbers: readonly string[]) =>
      office.ask('DELETE', `/number-pool/${pool}/members`, { from_number_ids: numbers });
    for (const numbers of [[office.tenant.numberId], [office.tenant.numberId, spam]]) {
      expect(said(await take(numbers))).toEqual([
        409,
        'A campaign that calls from the pool is running; terminate it before its last usable number is removed: Spring',
      ]);
    }
    expect((await take([spam])).status).toBe(200);
    await terminate(id);
    expect((await take([office.tenant.numberId])).status).toBe(200);
  });

  it('neither changes during a concurrent start', async () => {
    for (let round = 0; round < 8; round += 1) {
      await become('outbound');
      const pool = await makePool([]);
      await office.ask('POST', `/number-pool/${pool}/members`, { from_number_ids: [office.tenant.numberId] });
      const id = await newList(`Round ${round}`);
      const [started, turned, removed] = await Promise.all([
        startFrom(id, pool),
        become('inbound'),
        office.ask('DELETE', `/number-pool/${pool}`),
      ]);
      const isStarted = started.status === 200;
      expect([turned.status, removed.status].includes(200)).toBe(!isStarted);
      if (isStarted) await terminate(id);
      await office.ask('DELETE', `/number-pool/${pool}`);
    }
  });
});
