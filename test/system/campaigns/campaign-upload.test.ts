import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant } from '../../helpers/api/api.ts';
import { csv, ok, openListDesk, refused, type ListDesk } from '../../helpers/campaigns/list-upload-api.ts';

let desk: ListDesk;
beforeAll(async () => {
  desk = await openListDesk();
});
afterAll(() => desk.close());

describe('POST /campaign/upload-csv and GET /campaign/upload-status', () => {
  it('answers at once and imports the list in the background', async () => {
    const body = ok(
      await desk.send('upload-csv', {
        file: csv('+919876543210,Ravi', 'x,y'),
        fields: { campaign_name: 'Big', remove_invalid_rows: 'true' },
      }),
    );
    expect(body).toEqual({
      bulk_list_id: expect.any(String),
      list_id: body['bulk_list_id'],
      status: 'verifying',
      campaign_name: 'Big',
      total_callees: 0,
      invalidated_rows_count: 0,
      invalidated_rows_csv_url: null,
      campaign_start_time: null,
      campaign_end_time: null,
      calling_window: expect.objectContaining({ timezone: 'Asia/Kolkata', source: 'default' }),
      warnings: [expect.objectContaining({ code: 'DEFAULT_CALL_TIME' })],
    });
    desk.runner.kick();
    const done = await desk.over(body['bulk_list_id']);
    expect(done).toMatchObject({
      bulk_list_id: body['bulk_list_id'],
      status: 'completed',
      progress: 1,
      campaign_name: 'Big',
      total_rows: 2,
      processed_rows: 2,
      successful_rows: 1,
      failed_rows: 1,
      total_callees: 1,
      invalidated_rows_count: 1,
      invalid_rows: [{ row: 2, column: 'Mobile Number', value: 'x', reason: 'is not a phone number' }],
    });
    expect(
      (await desk.api.request('GET', new URL(done['invalidated_rows_csv_url']).pathname)).text,
    ).toContain('x,y,2');
    expect((await desk.campaignOf(body['bulk_list_id'])).state).toBe('draft');
    expect(await desk.callsOf(body['bulk_list_id'])).toHaveLength(1);
    const other = await createTenant(desk.api);
    refused(await desk.status(body['bulk_list_id'], other.key), 404, 'Campaign not found');
    refused(await desk.status(newId()), 404, 'Campaign not found');
    refused(await desk.status('x'), 404, 'Campaign not found');
  });

  it('fails with the reason and downloadable rows, and queues no contact', async () => {
    const body = ok(await desk.send('upload-csv', { file: csv('+919876543210,Ravi', 'x,y') }));
    const done = await desk.over(body['bulk_list_id']);
    expect(done).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('1 of 2 rows are invalid'),
      total_callees: 0,
      failed_rows: 1,
    });
    expect(
      (await desk.api.request('GET', new URL(done['invalidated_rows_csv_url']).pathname)).text,
    ).toContain('x,y,2');
    expect(await desk.callsOf(body['bulk_list_id'])).toEqual([]);
    expect((await desk.campaignOf(body['bulk_list_id'])).state).toBe('failed');
  });

  it('fails for a file that breaks beyond the part checked by the request', async () => {
    const body = ok(
      await desk.send('upload-csv', { file: csv('+919876543210,Ravi', '+919876543211,"open') }),
    );
    expect(await desk.over(body['bulk_list_id'])).toMatchObject({
      status: 'failed',
      message: 'file cannot be divided into rows: cell 2 in row 2 opens a quote that is never closed',
    });
  });

  it('answers 403 when the workspace has the large flow switched off', async () => {
    const before = await desk.leftovers();
    const small = await createTenant(desk.api, { settings: { large_campaigns: false } });
    refused(
      await desk.send('upload-csv', { file: csv('x') }, small.key),
      403,
      'not enabled for this workspace',
    );
    refused(await desk.status(newId(), small.key), 403, 'not enabled for this workspace');
    expect(await desk.leftovers()).toEqual(before);
  });

  it('deletes the stored file after the import', async () => {
    expect((await desk.leftovers()).pieces).toBe(0);
  });
});
