import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import { insertCampaign, stateOf } from '../../helpers/campaigns/campaigns.ts';
import { openCampaignOffice, said, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';

let office: CampaignOffice;
beforeAll(async () => {
  office = await openCampaignOffice();
});
beforeEach(() => office.renew({ credits: 10_000_000_000 }));
afterAll(() => office.api.close());

describe('listing', () => {
  it('pages newest first, with counts unless they are declined', async () => {
    const ids = [];
    for (const name of ['A', 'B', 'C']) {
      office.api.clock.advance(1000);
      ids.unshift(await insertCampaign(office.api, office.tenant, office.agent, { name }));
    }
    const all = await office.ask('GET', '/campaign/all');
    const campaigns = all.body['campaigns'] as any[];
    expect(campaigns.map((campaign) => campaign.id)).toEqual(ids);
    expect(all.body['pagination']).toEqual({ total: 3, limit: 10, offset: 0 });
    expect(campaigns[0]).toMatchObject({
      name: 'C',
      campaign_status: 'draft',
      agent_id: office.agent.agentId,
      campaign_start_time: null,
      campaign_end_time: null,
      total_count: 3,
      registered_count: 3,
      ongoing_count: 0,
      retry_count: 0,
      completed_count: 0,
      failed_count: 0,
      cancelled_count: 0,
    });
    const page = await office.ask('GET', '/campaign/all?call_count=false&limit=1&offset=1');
    const listed = page.body['campaigns'] as any[];
    expect(listed.map((campaign) => campaign.name)).toEqual(['B']);
    expect(Object.keys(listed[0]).filter((key) => key.endsWith('_count'))).toEqual([]);
    expect((await office.ask('GET', '/campaign/all?limit=201')).status).toBe(400);
    expect((await office.ask('GET', '/campaign/all?limit=0')).status).toBe(422);
    expect((await office.ask('GET', '/campaign/all?call_count=maybe')).status).toBe(422);
  });

  it('is invisible and unchangeable for another workspace', async () => {
    const id = await office.started();
    const stranger = await createTenant(office.api);
    const theirs = await createTestAgent(office.api, stranger);
    const key = stranger.key;
    const absent = newId();
    const probes: ['GET' | 'POST' | 'PATCH', (campaign: string) => string, (campaign: string) => unknown][] =
      [
        ['GET', (c) => `/campaign/${c}`, () => undefined],
        ['GET', (c) => `/campaign/${c}/report`, () => undefined],
        ['POST', (c) => `/campaign/check-balance/${c}`, () => undefined],
        [
          'POST',
          () => '/campaign/start',
          (c) => ({ agent_id: theirs.agentId, list_id: c, from_numbers: [stranger.numberId] }),
        ],
        ['PATCH', () => '/campaign/pause', (c) => ({ campaign_id: c })],
        ['PATCH', () => '/campaign/resume', (c) => ({ campaign_id: c })],
        ['PATCH', () => '/campaign/terminate', (c) => ({ campaign_id: c })],
        ['GET', (c) => `/dnc?campaign_id=${c}`, () => undefined],
        ['POST', () => '/dnc', (c) => ({ campaign_id: c, mobile_numbers: ['+12125550001'] })],
      ];
    for (const [method, path, body] of probes) {
      const [foreign, none] = [
        await office.ask(method, path(id), body(id), key),
        await office.ask(method, path(absent), body(absent), key),
      ];
      expect([method, path('x'), ...said(foreign)]).toEqual([method, path('x'), 404, 'Campaign not found']);
      expect(said(none)).toEqual(said(foreign));
    }
    expect((await office.ask('GET', '/campaign/all', undefined, key)).body['campaigns']).toEqual([]);
    expect(await stateOf(office.api.db, id)).toBe('scheduled');
  });
});
