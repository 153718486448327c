import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import type { Answer } from '../../helpers/api/api.ts';
import { claimContact, dialContact, settleContact } from '../../helpers/campaigns/campaigns.ts';
import { openCampaignOffice, said, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';

let office: CampaignOffice;
beforeAll(async () => {
  office = await openCampaignOffice();
});
beforeEach(() => office.renew({ credits: 10_000_000_000 }));
afterAll(() => office.api.close());
const HOUR_MS = 3_600_000;

describe('the report', () => {
  const report = (id: string): Promise<Answer> => office.ask('GET', `/campaign/${id}/report`);

  it('lists every contact’s outcome in the order of the list, with formulas disarmed', async () => {
    const id = await office.started({
      contacts: [
        { args: { city: '=SUM(A1)', row: 'mine' } },
        { args: { city: 'Pune, "old"', row: 'mine' } },
        { args: { city: '', row: 'mine' } },
      ],
    });
    const first = await claimContact(office.api, office.tenant, id, office.nodeId);
    await dialContact(office.api, first!);
    await settleContact(office.api, first!, { kind: 'answered', reason: 'USER_LEFT' });
    const answer = await report(id);
    expect(answer.headers['content-type']).toContain('text/csv');
    const lines = answer.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe(
      'row,mobile_number,callee_name,result,call_id,call_status,call_sub_status,attempts,retry_count,from_number,last_dialed_at,answered_at,ended_at,next_attempt_at,call_duration,call_cost,hangup_by,recording_url,city,variable_row',
    );
    expect(lines[1]).toContain(
      `1,+12125550001,Callee 1,Hung up at once,${first!.callId},completed,USER_LEFT,1,0,`,
    );
    expect(lines[1]?.endsWith(",'=SUM(A1),mine")).toBe(true);
    expect(lines[2]).toMatch(/^2,\+12125550002,Callee 2,,[\w-]+,registered,IN_DB,0,0,,/);
    expect(lines[2]?.endsWith(',"Pune, ""old""",mine')).toBe(true);
  });

  it('has as many contacts of a result as the statistics count and the list of contacts shows', async () => {
    const id = await office.started({ contacts: 3 });
    for (const reason of ['USER_LEFT', 'AGENT_ENDED'] as const) {
      const contact = await claimContact(office.api, office.tenant, id, office.nodeId);
      await dialContact(office.api, contact!);
      await settleContact(office.api, contact!, { kind: 'answered', reason });
    }
    const { results } = (await office.ask('GET', `/campaign/${id}/statistics`)).body;
    expect(results).toContainEqual({ result: 'Conversation finished', source: 'ending', calls: 1 });
    const chosen = `result=${encodeURIComponent('Conversation finished')}`;
    const listed = await office.ask('GET', `/campaign/${id}/contacts?${chosen}`);
    const contacts = listed.body['contacts'] as { call_id: string }[];
    const csv = (await office.ask('GET', `/campaign/${id}/report?${chosen}`)).text.trimEnd().split('\r\n');
    expect([contacts.length, csv.length - 1]).toEqual([1, 1]);
    expect(csv[1]).toContain(contacts[0]?.call_id);
    expect(said(await office.ask('GET', `/campaign/${id}/report?result=`))[0]).toBe(422);
  });

  it('keeps the columns of variables when the first contacts are erased', async () => {
    const id = await office.started({ contacts: [{ args: { city: 'Pune' } }, { args: { city: 'Delhi' } }] });
    await office.api.db
      .updateTable('calls')
      .set({ args: '{}', callee_name: '' })
      .where('campaign_id', '=', id)
      .where('contact_row', '=', 1)
      .execute();
    const lines = (await report(id)).text.trimEnd().split('\r\n');
    expect(lines[0]?.endsWith(',recording_url,city')).toBe(true);
    expect(lines[1]?.endsWith(',')).toBe(true);
    expect(lines[2]?.endsWith(',Delhi')).toBe(true);
  });

  it('streams any number of contacts, one report at a time', async () => {
    const id = await office.started({ contacts: 1201 });
    const lines = (await report(id)).text.trimEnd().split('\r\n');
    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(
      Array.from({ length: 1201 }, (_, index) => index + 1),
    );
    await office.api.db
      .insertInto('history_exports')
      .values({
        workspace_id: office.tenant.workspaceId,
        filter_hash: await hashOf(id),
        token: newId(),
        beat_at: new Date(office.api.clock.now()),
      })
      .execute();
    expect(said(await report(id))).toEqual([409, 'The same campaign report is already running']);
    office.api.clock.advance(HOUR_MS);
    expect((await report(id)).status).toBe(200);
  });
});

async function hashOf(campaignId: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', Buffer.from(`campaign report ${campaignId}`));
  return Buffer.from(bytes).toString('hex');
}
