import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAgent } from '../helpers/api.ts';
import { csv, ok, openListDesk, refused, type ListDesk } from '../helpers/list-desk.ts';

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

  it('refuses times that the clocks make one instant of', async () => {
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
});
