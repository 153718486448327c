import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAgent } from '../../helpers/api/api.ts';
import { csv, ok, openListDesk, refused, type ListDesk } from '../../helpers/campaigns/list-upload-api.ts';

let desk: ListDesk;
beforeAll(async () => {
  desk = await openListDesk();
});
afterAll(() => desk.close());

describe.each(['save', 'upload-csv'] as const)('the form of %s', (flow) => {
  it.each([
    ['the form', { fields: { remove_invalid_rows: 'True' } }],
    ['the query', { query: '?remove_invalid_rows=True' }],
    ['both', { query: '?remove_invalid_rows=FALSE', fields: { remove_invalid_rows: 'TRUE' } }],
  ])('takes remove_invalid_rows in any letter case in %s', async (_where, form) => {
    const body = ok(await desk.send(flow, { file: csv('+919876543210,Ravi', 'x,y'), ...form }));
    desk.runner.kick();
    if (flow === 'upload-csv') await desk.over(body['list_id']);
    expect(await desk.callsOf(body['list_id'])).toHaveLength(1);
  });

  it('refuses start and end times that a clock change makes the same instant', async () => {
    const before = await desk.leftovers();
    const gap = (start: string, end: string) => ({
      campaign_start_time: `08/03/2026, ${start}`,
      campaign_end_time: `08/03/2026, ${end}`,
      call_config: '{"call_time":{"timezone":"America/New_York"}}',
    });
    const send = (fields: Record<string, string>) =>
      desk.send(flow, { file: csv('+919876543210,R'), fields });
    const words = 'campaign_end_time must be after campaign_start_time';
    refused(await send(gap('02:10', '02:50')), 422, words);
    refused(await send(gap('02:50', '03:00')), 422, words);
    expect(await desk.leftovers()).toEqual(before);
    const { list_id: id } = ok(await send(gap('02:50', '03:01')));
    const { start_at: start, end_at: end } = await desk.campaignOf(id);
    expect(Number(end) - Number(start)).toBe(60_000);
  });

  it('requires no column for a variable filled by a pre-call tool', async () => {
    const { agentId } = await createTestAgent(desk.api, desk.tenant, {
      task: 'Tell them that their balance is {{balance}} and due on {{due}}.',
    });
    const fields = { agent_id: agentId };
    const file = 'Mobile Number,callee_name,due\n+919876543210,R,May\n';
    refused(await desk.send(flow, { file, fields }), 422, 'must have a column \\"balance\\"');
    const edited = await desk.api.request('PATCH', '/api/v0/agent/v1', {
      key: desk.tenant.key,
      body: {
        operation: 'edit_pre_call_tools',
        agent_id: agentId,
        pre_call_tools: [
          {
            type: 'API_TOOL',
            name: 'look',
            description: 'd',
            method: 'GET',
            url: 'https://example.com/x',
            result_variables: { balance: 'balance' },
          },
        ],
      },
    });
    expect(edited.status).toBe(200);
    ok(await desk.send(flow, { file, fields }));
    refused(await desk.send(flow, { file: csv('+919876543210,R'), fields }), 422, '\\"due\\"');
    const own = 'Mobile Number,callee_name,due,balance\n+919876543210,R,May,7\n';
    const { list_id: id } = ok(await desk.send(flow, { file: own, fields }));
    desk.runner.kick();
    if (flow === 'upload-csv') await desk.over(id);
    expect((await desk.callsOf(id))[0]?.args).toMatchObject({ balance: '7' });
  });
});
