import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepCampaigns } from '../../../src/domain/campaigns/keeper.ts';
import { openCampaignOffice, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';
import { claimContact, dialContact, settleContact, stateOf } from '../../helpers/campaigns/campaigns.ts';

let office: CampaignOffice;
beforeAll(async () => {
  office = await openCampaignOffice();
});
beforeEach(() => office.renew());
afterAll(() => office.api.close());

async function keep(): Promise<void> {
  const { db, clock } = office.api;
  const deps = { db, clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, wakeScheduler: () => undefined };
  while (await keepCampaigns(deps));
}

const RULES = { circuit_breaker: { minimum_calls: 4, window_calls: 6 } };
type Ref = NonNullable<Awaited<ReturnType<typeof claimContact>>>;
async function claim(campaignId: string): Promise<Ref> {
  office.api.clock.advance(10);
  const ref = await claimContact(office.api, office.tenant, campaignId, office.nodeId);
  if (ref === null || ref === undefined) throw new Error('nothing was claimed');
  return ref;
}

describe('the circuit breaker', () => {
  it.each([401, 402, 403, 407])('opens when the carrier answers %d', async (code) => {
    const id = await office.started({ contacts: 10 }, RULES);
    for (let n = 0; n < 4; n += 1) {
      const ref = await claim(id);
      await dialContact(office.api, ref);
      await settleContact(office.api, ref, { kind: 'not_answered', failure: 'rejected' }, code);
    }
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('paused');
  });

  it('says so to the subscriptions that name campaign_paused, with the cause, once', async () => {
    const id = await office.started({ contacts: 10 }, RULES);
    const { agent_id: agentId } = await office.api.db
      .selectFrom('campaigns')
      .select('agent_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const edited = await office.ask('PATCH', '/agent/v1', {
      operation: 'edit_event_subscriptions',
      agent_id: agentId,
      event_subscriptions: [
        { event_type: ['campaign_paused'], callback_url: 'https://hooks.slack.com/services/x' },
      ],
    });
    expect(edited.status).toBe(200);
    for (let n = 0; n < 4; n += 1) {
      const ref = await claim(id);
      await dialContact(office.api, ref);
      await settleContact(office.api, ref, { kind: 'not_answered', failure: 'rejected' }, 403);
    }
    await keep();
    await keep();
    const sent = await office.api.db
      .selectFrom('deliveries as d')
      .innerJoin('events as e', (join) =>
        join.onRef('e.workspace_id', '=', 'd.workspace_id').onRef('e.id', '=', 'd.event_id'),
      )
      .select(['d.url', 'e.body'])
      .where('d.workspace_id', '=', office.tenant.workspaceId)
      .where('d.event_type', '=', 'campaign_paused')
      .execute();
    expect(sent.map(({ url }) => url)).toEqual(['https://hooks.slack.com/services/x']);
    expect(sent[0]?.body).toMatchObject({
      bulk_list_id: id,
      reason: 'circuit_breaker',
      message: 'Paused by the circuit breaker: 4 of the last 4 calls failed at the carrier or in the service',
    });
    expect((await office.campaignOf(id)).reason).toEqual({
      code: 'circuit_breaker',
      values: { failed: 4, attempts: 4 },
    });
  });

  it('stays closed when callees decline', async () => {
    const id = await office.started({ contacts: 10 }, RULES);
    for (let n = 0; n < 6; n += 1) {
      const ref = await claim(id);
      await dialContact(office.api, ref);
      await settleContact(office.api, ref, { kind: 'not_answered', failure: 'rejected' }, 603);
    }
    await keep();
    expect(await stateOf(office.api.db, id)).not.toBe('paused');
  });

  it('opens when a pre-call tool fails, although no call was dialled', async () => {
    const id = await office.started({ contacts: 10 }, RULES);
    for (let n = 0; n < 4; n += 1) {
      await settleContact(office.api, await claim(id), { kind: 'not_answered', failure: 'pre_call_failed' });
    }
    await keep();
    expect(await stateOf(office.api.db, id)).toBe('paused');
  });

  it('counts only calls begun after a resume, and the campaign ramps up again', async () => {
    const id = await office.started({ contacts: 20 }, RULES);
    const live: Ref[] = [];
    for (let n = 0; n < 4; n += 1) {
      const ref = await claim(id);
      await dialContact(office.api, ref);
      live.push(ref);
    }
    await office.api.db.updateTable('campaigns').set({ ramp_limit: 64 }).where('id', '=', id).execute();
    await office.ask('PATCH', '/campaign/pause', { campaign_id: id });
    office.api.clock.advance(1000);
    expect((await office.ask('PATCH', '/campaign/resume', { campaign_id: id })).status).toBe(200);
    office.api.clock.advance(1000);
    for (const ref of live) await settleContact(office.api, ref, { kind: 'not_answered', failure: 'failed' });
    await keep();
    expect(await stateOf(office.api.db, id)).not.toBe('paused');
    const { ramp_limit: width } = await office.api.db
      .selectFrom('campaigns')
      .select('ramp_limit')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(width).toBeNull();
  });
});
