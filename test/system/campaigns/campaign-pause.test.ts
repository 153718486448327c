import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  claimContact,
  dialContact,
  insertCampaign,
  recount,
  stateOf,
} from '../../helpers/campaigns/campaigns.ts';
import { openCampaignOffice, said, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';

let office: CampaignOffice;
beforeAll(async () => {
  office = await openCampaignOffice();
});
beforeEach(() => office.renew({ credits: 10_000_000_000 }));
afterAll(() => office.api.close());

describe('pausing and resuming', () => {
  it('releases claims, keeps live calls and continues where it stopped', async () => {
    const id = await office.started();
    const live = await claimContact(office.api, office.tenant, id, office.nodeId);
    await dialContact(office.api, live!);
    const claimed = await claimContact(office.api, office.tenant, id, office.nodeId, 1_000_000);
    const paused = await office.ask('PATCH', '/campaign/pause', { campaign_id: id });
    expect([paused.status, paused.body]).toEqual([
      200,
      { message: 'Campaign paused successfully', campaign_id: id, campaign_status: 'paused' },
    ]);
    expect(await recount(office.api.db, id)).toEqual({ ongoing: 1, registered: 2 });
    const call = await office.api.db
      .selectFrom('calls')
      .select(['attempt', 'reserved', 'status'])
      .where('id', '=', claimed!.callId)
      .executeTakeFirstOrThrow();
    expect(call).toEqual({ attempt: 0, reserved: 0, status: 'registered' });
    const workspace = await office.api.db
      .selectFrom('workspaces')
      .select('locked_credits')
      .where('id', '=', office.tenant.workspaceId)
      .executeTakeFirstOrThrow();
    expect(workspace.locked_credits).toBe(0);
    expect(await claimContact(office.api, office.tenant, id, office.nodeId)).toBeNull();
    expect(await office.campaignOf(id)).toMatchObject({
      message: 'Paused by request',
      reason: { code: 'by_request', values: {} },
    });

    const resumed = await office.ask('PATCH', '/campaign/resume', { campaign_id: id });
    expect([resumed.status, resumed.body['campaign_status']]).toEqual([200, 'ongoing']);
    expect((await office.campaignOf(id)).message).toBeNull();
    expect(await claimContact(office.api, office.tenant, id, office.nodeId)).not.toBeNull();
  });

  it('pauses only running campaigns and resumes only held ones', async () => {
    const draft = await insertCampaign(office.api, office.tenant, office.agent);
    expect(said(await office.ask('PATCH', '/campaign/pause', { campaign_id: draft }))).toEqual([
      400,
      'The campaign has not started or is over',
    ]);
    const running = await office.started();
    expect(said(await office.ask('PATCH', '/campaign/resume', { campaign_id: running }))).toEqual([
      400,
      'The campaign is neither paused nor out of credits',
    ]);
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await office.ask('PATCH', '/campaign/pause', { campaign_id: running })).status).toBe(200);
    }
    expect(
      (await office.ask('PATCH', '/campaign/resume', { campaign_id: running })).body['campaign_status'],
    ).toBe('scheduled');
    expect((await office.ask('PATCH', '/campaign/pause', {})).status).toBe(422);
  });

  it('refuses to delete an agent with a running campaign, and deletes its unstarted lists with it', async () => {
    const draft = await insertCampaign(office.api, office.tenant, office.agent);
    const id = await office.started();
    for (const state of ['scheduled', 'paused', 'insufficient_balance'] as const) {
      await office.api.db.updateTable('campaigns').set({ state }).where('id', '=', id).execute();
      expect(said(await office.ask('DELETE', `/agent/${office.agent.agentId}`))).toEqual([
        409,
        'A campaign of the agent is running; terminate it before the agent is deleted: Spring',
      ]);
    }
    await office.ask('PATCH', '/campaign/terminate', { campaign_id: id });
    expect((await office.ask('DELETE', `/agent/${office.agent.agentId}`)).status).toBe(200);
    expect(await stateOf(office.api.db, draft)).toBe('terminated');
    expect(await recount(office.api.db, draft)).toEqual({ cancelled: 3 });
  });
});
