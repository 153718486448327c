import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import type { Answer } from '../../helpers/api/api.ts';
import {
  claimContact,
  dialContact,
  insertCampaign,
  recount,
  settleContact,
  stateOf,
} from '../../helpers/campaigns/campaigns.ts';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';
import { openCampaignOffice, said, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';

let office: CampaignOffice;
beforeAll(async () => {
  office = await openCampaignOffice();
});
beforeEach(() => office.renew({ credits: 10_000_000_000 }));
afterAll(() => office.api.close());

describe('terminating', () => {
  const terminate = (body: unknown): Promise<Answer> => office.ask('PATCH', '/campaign/terminate', body);

  it('stops and counts waiting and claimed calls; live calls end without a retry', async () => {
    const id = await office.started({ contacts: 6 });
    const live = await claimContact(office.api, office.tenant, id, office.nodeId);
    await dialContact(office.api, live!);
    const again = await claimContact(office.api, office.tenant, id, office.nodeId);
    await dialContact(office.api, again!);
    await settleContact(office.api, again!, { kind: 'not_answered', failure: 'busy' });
    await claimContact(office.api, office.tenant, id, office.nodeId);
    expect(await recount(office.api.db, id)).toEqual({ ongoing: 2, retry: 1, registered: 3 });
    const answer = await terminate({ campaign_id: id });
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Calls terminated successfully', terminated_count: 5 },
    ]);
    expect(await recount(office.api.db, id)).toEqual({ ongoing: 1, cancelled: 5 });
    expect(await office.campaignOf(id)).toMatchObject({
      campaign_status: 'terminated',
      cancelled_count: 5,
      ongoing_count: 1,
    });
    const settled = await settleContact(office.api, live!, { kind: 'not_answered', failure: 'busy' });
    expect(settled).toMatchObject({ status: 'failed', retryAt: null });
    expect(said(await terminate({ campaign_id: id }))).toEqual([200, 'Calls terminated successfully']);
  });

  it('terminates a campaign without waiting calls, and leaves an ended one unchanged', async () => {
    const id = await office.started({ contacts: 1 });
    const live = await claimContact(office.api, office.tenant, id, office.nodeId);
    await dialContact(office.api, live!);
    expect((await terminate({ campaign_id: id })).body['terminated_count']).toBe(0);
    expect(await stateOf(office.api.db, id)).toBe('terminated');
    const done = await insertCampaign(office.api, office.tenant, office.agent, {
      state: 'completed',
      contacts: 0,
    });
    expect((await terminate({ campaign_id: done })).status).toBe(200);
    expect(await stateOf(office.api.db, done)).toBe('completed');
    expect(said(await terminate({ campaign_id: newId() }))).toEqual([404, 'Campaign not found']);
  });

  it('terminates an upload, whose contacts are never imported', async () => {
    const form = {
      file: 'Mobile Number,callee_name\r\n+14155550123,P\r\n',
      fields: { agent_id: office.agent.agentId },
    };
    const uploaded = await uploadList(office.api, 'upload-csv', office.tenant.key, form);
    const id = String(uploaded.body['bulk_list_id']);
    expect((await terminate({ campaign_id: id })).body['terminated_count']).toBe(0);
    const task = {
      workspaceId: office.tenant.workspaceId,
      uploadId: id,
      at: office.api.clock.now(),
      request: null,
    };
    expect((await office.api.importer.run(task)).kind).toBe('not_ours');
    expect(await recount(office.api.db, id)).toEqual({});
    expect((await office.ask('GET', `/campaign/upload-status/${id}`)).body).toMatchObject({
      status: 'failed',
      message: 'Terminated by request',
    });
    expect(await stateOf(office.api.db, id)).toBe('terminated');
  });

  it('stops by campaign and number, by number alone, and by agent', async () => {
    const [one, two] = [await office.started(), await office.started()];
    const some = await terminate({ campaign_id: one, mobile_numbers: ['+12125550001', '+12125559999'] });
    expect(some.body['terminated_count']).toBe(1);
    expect(said(await terminate({ campaign_id: one, mobile_numbers: ['+12125550001'] }))).toEqual([
      400,
      'No queued or retry call is left to stop',
    ]);
    expect((await terminate({ mobile_numbers: ['+12125550001', '+12125550002'] })).body).toMatchObject({
      terminated_count: 3,
    });
    const draft = await insertCampaign(office.api, office.tenant, office.agent);
    expect((await terminate({ agent_id: office.agent.agentId })).body['terminated_count']).toBe(2);
    expect(await Promise.all([one, two, draft].map((id) => stateOf(office.api.db, id)))).toEqual([
      'terminated',
      'terminated',
      'draft',
    ]);
    expect((await terminate({ agent_id: office.agent.agentId })).status).toBe(400);
  });

  it('ends a large campaign at once by its state and cancels its calls after the answer', async () => {
    const id = await office.started({ contacts: 3000 });
    expect((await terminate({ campaign_id: id })).body['terminated_count']).toBe(3000);
    expect(await recount(office.api.db, id)).toEqual({ registered: 3000 });
    expect(await claimContact(office.api, office.tenant, id, office.nodeId)).toBeNull();
    while (await office.keep());
    expect(await recount(office.api.db, id)).toEqual({ cancelled: 3000 });
    expect(await office.campaignOf(id)).toMatchObject({ cancelled_count: 3000, registered_count: 0 });
  });
});

describe('a campaign’s own do-not-call list', () => {
  it('applies to its own calls only', async () => {
    const [one, two] = [await office.started(), await office.started()];
    const numbers = ['+12125550001', '+12125557777'];
    const added = await office.ask('POST', '/dnc', { campaign_id: one, mobile_numbers: numbers });
    expect(added.body).toMatchObject({ added_count: 2, cancelled_count: 1 });
    expect(await recount(office.api.db, one)).toEqual({ cancelled: 1, registered: 2 });
    expect(await recount(office.api.db, two)).toEqual({ registered: 3 });
    const listed = await office.ask('GET', `/dnc?campaign_id=${one}`);
    const found = (listed.body['numbers'] as { mobile_number: string }[]).map((n) => n.mobile_number);
    expect(found.sort()).toEqual(numbers);
    expect((await office.ask('GET', '/dnc')).body['total']).toBe(0);
    expect((await office.ask('GET', `/dnc?campaign_id=${two}`)).body['total']).toBe(0);
    const removed = await office.ask('DELETE', '/dnc', { campaign_id: one, mobile_numbers: numbers });
    expect(removed.body['removed_count']).toBe(2);
    expect((await office.ask('GET', `/dnc?campaign_id=${newId()}`)).status).toBe(404);
  });
});
