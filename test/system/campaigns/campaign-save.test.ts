import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { csv, ok, openListDesk, refused, type ListDesk } from '../../helpers/campaigns/list-upload-api.ts';

let desk: ListDesk;
beforeAll(async () => {
  desk = await openListDesk();
});
afterAll(() => desk.close());

describe('POST /campaign/save', () => {
  it('queues each contact as a call of a campaign in state draft', async () => {
    const body = ok(
      await desk.save({
        file: 'Phone,First name,Order,Extra\r\n+919876543210,"Ravi, Kumar",A-1,x\r\n\r\n+14155550123,Priya,"line\none\\",y\r\n',
        fields: {
          variables_map: JSON.stringify({
            mobile_number: 'Phone',
            callee_name: 'First name',
            order: 'Order',
          }),
          campaign_name: 'Spring',
          campaign_start_time: '06/01/2026, 09:30',
          campaign_end_time: '07/01/2026, 18:00',
          call_config: JSON.stringify({
            call_time: { timezone: 'America/New_York' },
            call_retry_config: { retry_count: 1 },
          }),
        },
      }),
    );
    expect(body).toEqual({
      message: 'Contact list saved: 2 contacts',
      list_id: body['bulk_list_id'],
      bulk_list_id: expect.any(String),
      campaign_start_time: '2026-01-06T14:30:00.000Z',
      campaign_end_time: '2026-01-07T23:00:00.000Z',
      calling_window: {
        start: '09:00',
        end: '21:00',
        slots: null,
        days: null,
        timezone: 'America/New_York',
        use_callee_timezone: false,
        source: 'campaign',
      },
      warnings: [],
      total_rows: 2,
      successful_rows: 2,
      failed_rows: 0,
      refused_rows: { invalid: 0, duplicate: 0, do_not_call: 0 },
      invalid_rows: [],
      invalidated_rows_csv_url: null,
      encoding: 'utf-8',
      delimiter: ',',
    });
    const calls = await desk.callsOf(body['list_id']);
    expect(calls.map((c) => [c.contact_row, c.to_number, c.callee_name, c.args])).toEqual([
      [
        1,
        '+919876543210',
        'Ravi, Kumar',
        { callee_name: 'Ravi, Kumar', order: 'A-1', mobile_number: '+919876543210' },
      ],
      [
        3,
        '+14155550123',
        'Priya',
        { callee_name: 'Priya', order: 'line\none\\', mobile_number: '+14155550123' },
      ],
    ]);
    for (const call of calls) {
      expect(call).toMatchObject({
        workspace_id: desk.tenant.workspaceId,
        agent_id: desk.agentId,
        version_id: desk.versionId,
        number_id: null,
        from_number: '',
        call_type: 'outbound',
        status: 'registered',
        sub_status: 'IN_DB',
        attempt: 0,
        next_attempt_at: new Date(desk.api.clock.now()),
        created_at: new Date(desk.api.clock.now()),
      });
    }
    expect(await desk.campaignOf(body['list_id'])).toMatchObject({
      name: 'Spring',
      state: 'draft',
      total_rows: 2,
      successful_rows: 2,
      failed_rows: 0,
      start_at: new Date('2026-01-06T14:30:00Z'),
      end_at: new Date('2026-01-07T23:00:00Z'),
      call_config: { call_time: { timezone: 'America/New_York' }, call_retry_config: { retry_count: 1 } },
      variables_map: { mobile_number: 'Phone', callee_name: 'First name', order: 'Order' },
    });
  });

  it('applies defaults, accepts fields after the file and names the campaign after the file', async () => {
    const body = ok(
      await desk.save({ file: csv('+919876543210,Ravi'), fileName: 'march leads.csv', fileFirst: true }),
    );
    expect(await desk.campaignOf(body['list_id'])).toMatchObject({
      name: 'march leads',
      start_at: null,
      end_at: null,
      call_config: null,
      country_code: null,
    });
  });

  it('reads times in the agent’s zone when the campaign names none', async () => {
    const body = ok(
      await desk.save({ file: csv('+919876543210,R'), fields: { campaign_start_time: '06/01/2026, 09:30' } }),
    );
    expect((await desk.campaignOf(body['list_id'])).start_at).toEqual(new Date('2026-01-06T04:00:00Z'));
  });

  it('refuses the whole list for one invalid row, names it and stores no contact', async () => {
    const before = await desk.leftovers();
    const answer = await desk.save({ file: csv('+919876543210,Ravi', '12345,Asha', '+919876543210,Again') });
    refused(answer, 422, '2 of 3 rows are invalid');
    expect(answer.body).toMatchObject({
      code: 'CONTACTS_INVALID',
      total_rows: 3,
      successful_rows: 1,
      failed_rows: 2,
      refused_rows: { invalid: 1, duplicate: 1, do_not_call: 0 },
      invalidated_rows_csv_url: expect.stringContaining('/campaign-rejects/'),
      invalid_rows: [
        { row: 2, column: 'Mobile Number', value: '12345', reason: expect.stringContaining('E.164') },
        { row: 3, column: 'Mobile Number', value: '+919876543210', reason: 'is the same number as in row 1' },
      ],
    });
    expect(await desk.leftovers()).toEqual(before);
  });

  it.each(['form', 'query'])(
    'skips bad rows with remove_invalid_rows in the %s, and keeps them',
    async (where) => {
      await desk.api.request('POST', '/api/v0/dnc', {
        key: desk.tenant.key,
        body: { mobile_numbers: ['+919876500099'] },
      });
      const body = ok(
        await desk.save({
          file: 'Mobile Number,callee_name,note\n+919876543210,Ravi,=SUM(A1)\n9876543211,Asha,=HYPERLINK("x")\n+919876500099,Dev,"a,b"\n+919876543212,X\n',
          ...(where === 'query'
            ? { query: '?remove_invalid_rows=true' }
            : { fields: { remove_invalid_rows: 'true' } }),
        }),
      );
      expect(body).toMatchObject({ total_rows: 4, successful_rows: 1, failed_rows: 3 });
      expect(body['refused_rows']).toEqual({ invalid: 2, duplicate: 0, do_not_call: 1 });
      expect(
        body['invalid_rows'].map((r: any) => [r.row, r.column, r.value, r.reason, r.suggestion]),
      ).toEqual([
        [2, 'Mobile Number', '9876543211', expect.stringContaining('E.164'), undefined],
        [3, 'Mobile Number', '+919876500099', 'is on the do-not-call list', undefined],
        [4, 'note', '', 'the row has 2 cells, the header has 3', undefined],
      ]);
      const url = new URL(body['invalidated_rows_csv_url']);
      const file = await desk.api.request('GET', url.pathname);
      expect(file.status).toBe(200);
      expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
      const lines = file.text.split('\r\n');
      expect(lines[0]).toBe('Mobile Number,callee_name,note,Row,Column,Value,Reason,Suggestion');
      // In the order of discovery: do-not-call look-ups run in batches.
      expect(lines.slice(1).sort()).toEqual(
        [
          `9876543211,Asha,"'=HYPERLINK(""x"")",2,Mobile Number,9876543211,"must be a phone number in E.164 form with country code, such as +14155550100",`,
          '+919876500099,Dev,"a,b",3,Mobile Number,+919876500099,is on the do-not-call list,',
          '+919876543212,X,,4,note,,"the row has 2 cells, the header has 3",',
          '',
        ].sort(),
      );
      expect((await desk.callsOf(body['list_id'])).map((c) => c.contact_row)).toEqual([1]);
      // The signature covers this list and this purpose only.
      const forged = url.pathname.replace(/(.)\.csv$/, (_, c: string) => `${c === 'A' ? 'B' : 'A'}.csv`);
      refused(await desk.api.request('GET', forged), 404, 'invalid rows');
      refused(
        await desk.api.request(
          'GET',
          url.pathname.replace('campaign-rejects', 'recordings').replace('.csv', '.wav'),
        ),
        404,
        'Recording',
      );
    },
  );

  it('refuses a list without a valid row even with remove_invalid_rows', async () => {
    const before = await desk.leftovers();
    refused(
      await desk.save({ file: csv('123,A', '456,B'), fields: { remove_invalid_rows: 'true' } }),
      422,
      'All 2 rows are invalid',
    );
    expect(await desk.leftovers()).toEqual(before);
  });

  it('replays the answer of an Idempotency-Key for any multipart boundary', async () => {
    const headers = { 'idempotency-key': newId() };
    const file = csv('+919876543210,Ravi');
    const first = ok(await desk.save({ file, headers }));
    const again = await desk.save({ file, headers, fileFirst: true });
    expect([again.status, again.headers['idempotency-replayed'], again.body]).toEqual([200, 'true', first]);
    refused(await desk.save({ file: csv('+919876543211,Ravi'), headers }), 422, 'Idempotency-Key');
    const bad = { file: csv('1,Ravi'), headers: { 'idempotency-key': newId() } };
    refused(await desk.save(bad), 422, 'rows are invalid');
    refused(await desk.save(bad), 422, 'rows are invalid');
    expect(await desk.callsOf(first['list_id'])).toHaveLength(1);
  });
});
