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
});
