import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AttemptEnd } from '../../../src/domain/calls/attempt/next-step.ts';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import { openCampaignOffice, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';
import { claimContact, dialContact, settleContact } from '../../helpers/campaigns/campaigns.ts';

let office: CampaignOffice;
beforeAll(async () => {
  office = await openCampaignOffice();
  await office.renew({ credits: 10_000_000_000 });
  office.api.clock.set(Date.parse('2026-01-05T04:30:00Z'));
});
afterAll(() => office.api.close());

const WINDOW = { call_start_time: '00:00', call_end_time: '23:59', timezone: 'Asia/Kolkata' };
const CONFIG = {
  call_time: WINDOW,
  call_retry_config: { retry_count: 1, retry_not_picked: 30, retry_busy: 30 },
};
const PERSON: AttemptEnd = { kind: 'answered', reason: 'USER_LEFT' };
const VOICEMAIL: AttemptEnd = { kind: 'answered', reason: 'VOICEMAIL_DETECTED' };
const SCREENED: AttemptEnd = { kind: 'answered', reason: 'CALL_SCREENED' };
const NO_ANSWER: AttemptEnd = { kind: 'not_answered', failure: 'no_answer' };
const BUSY: AttemptEnd = { kind: 'not_answered', failure: 'busy' };

async function callEach(id: string, ends: readonly AttemptEnd[]): Promise<void> {
  for (const end of ends) {
    const ref = await claimContact(office.api, office.tenant, id, office.nodeId);
    await dialContact(office.api, ref!);
    if (end.kind === 'answered') {
      await sql`update calls set answered_at = dialed_at where id = ${ref!.callId}`.execute(office.api.db);
    }
    office.api.clock.advance(30_000);
    await settleContact(office.api, ref!, end);
  }
}
const data = async (path: string): Promise<any> => {
  const { body } = await office.ask('GET', path);
  return (body as any).data ?? body;
};

it('every surface gives the same answered share of a mixed campaign, and cancelled contacts count nowhere', async () => {
  const id = await office.started({ contacts: 60, callConfig: CONFIG });
  // Twelve attempts, of which a person answers four; seven contacts then wait for a retry, and two get one.
  await callEach(id, [
    PERSON,
    VOICEMAIL,
    NO_ANSWER,
    BUSY,
    PERSON,
    VOICEMAIL,
    SCREENED,
    NO_ANSWER,
    PERSON,
    BUSY,
  ]);
  office.api.clock.advance(40 * 60_000);
  await callEach(id, [PERSON, VOICEMAIL]);
  await office.ask('PATCH', '/campaign/terminate', { campaign_id: id });
  const share = { total_attempts: 12, answered_attempts: 4, answer_rate: 0.3333 };

  const check = async (): Promise<void> => {
    const today = 'start_date=2026-01-05';
    // Home.
    expect(await data(`/analytics/platform-analytics?${today}`)).toMatchObject(share);
    // The page of the analytics.
    const platform = await data('/analytics/platform-analytics');
    expect(platform).toMatchObject(share);
    expect(platform.daily).toMatchObject([share]);
    expect(platform.cancelled_calls).toBeGreaterThan(40);
    const drill = await data('/analytics/drill-down-analytics');
    expect(drill.agents).toMatchObject([{ ...share, versions: [share] }]);
    expect(drill.campaigns).toMatchObject([{ bulk_list_id: id, ...share }]);
    expect(
      (await data('/analytics/number-analytics')).numbers.filter((n: any) => n.total_attempts > 0),
    ).toMatchObject([share]);
    const { hours } = await data('/analytics/hour-analytics?timezone=Asia/Kolkata');
    const sum = (rows: any[], name: string): number => rows.reduce((total, row) => total + row[name], 0);
    expect([sum(hours, 'attempts'), sum(hours, 'answered_attempts')]).toEqual([12, 4]);
    const agent = drill.agents[0].agent_id;
    const version = drill.agents[0].versions[0].version_id;
    const query = `agent_id=${agent}&version_id=${version}&other_version_id=${version}`;
    const compared = await data(`/analytics/comparison-analytics?${query}`);
    expect(compared.a).toMatchObject(share);
    expect(compared.shares[0].a).toEqual({ count: 4, total: 12, share: 0.3333 });
    // The page of the campaign.
    const statistics = await data(`/campaign/${id}/statistics`);
    expect(statistics).toMatchObject(share);
    expect([sum(statistics.hours, 'calls'), sum(statistics.hours, 'answered')]).toEqual([12, 4]);
    expect([sum(statistics.attempts, 'calls'), sum(statistics.attempts, 'answered')]).toEqual([12, 4]);
    // The history has the ten contacts that were dialled.
    const history = await data('/calling/history?dialled=true');
    expect(history.total).toBe(10);
  };
  await check();
  const fold = () =>
    office.api.db.transaction().execute((tx) => foldEndings(tx, office.tenant.workspaceId, 5));
  await fold();
  await check();
  for (let round = 0; round < 15; round += 1) await fold();
  await check();
});
