import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok, openListDesk, refused, type ListDesk } from '../../helpers/campaigns/list-upload-api.ts';

let desk: ListDesk;
beforeAll(async () => {
  desk = await openListDesk();
});
afterAll(() => desk.close());

const FURTHER = `Smith, "Jr" ${'x'.repeat(900)}`;
const LIST = [
  'Mobile Number;callee_name;note',
  '+919876543210;Ravi;fine',
  '9876543211;Asha;=HYPERLINK("x")',
  '+919876543212;Dev;too;many;cells',
  `+919876543213;Mary;"${FURTHER.replaceAll('"', '""')}";=one`,
  '+919876543214;Short',
  "x+919876543215;'quoted;'=kept",
  '',
].join('\n');
const skipping = { remove_invalid_rows: 'true' };

/** Downloads the CSV of refused rows. */
async function rejectsOf(body: Record<string, any>): Promise<string> {
  const { pathname } = new URL(body['invalidated_rows_csv_url']);
  return (await desk.api.request('GET', pathname)).text;
}
const namesOf = async (body: Record<string, any>) =>
  (await desk.callsOf(body['list_id'])).map((call) => [call.to_number, call.callee_name, call.args]);

describe('the CSV of refused rows', () => {
  it('holds whole rows, which are refused again for the same reasons until corrected', async () => {
    const body = ok(await desk.save({ file: LIST, fields: skipping }));
    expect(body).toMatchObject({ total_rows: 6, successful_rows: 1, failed_rows: 5 });
    const file = await rejectsOf(body);
    expect(file).toContain('+919876543212,Dev,too,3,column 4,many | cells,');
    expect(file).toContain('"the row has 5 cells, the header has 3",,many,cells\r\n');
    expect(file).toContain(`"${FURTHER.replaceAll('"', '""')}",4,column 4,'=one,`);
    expect(file).toContain(`"the row has 4 cells, the header has 3",,'=one\r\n`);

    const again = await desk.save({ file });
    refused(again, 422, '5 of 5 rows are invalid');
    const reasons = (rows: any[]) => rows.map(({ column, reason, value }) => [column, value, reason]);
    expect(reasons(again.body['invalid_rows'] as any[])).toEqual(reasons(body['invalid_rows']));
    // A CSV of refused rows uploaded again gains nothing but new row numbers.
    const bare = (text: string) => text.replaceAll(/,\d,(?=Mobile Number|column|note)/g, ',');
    expect(bare(await rejectsOf(again.body))).toBe(bare(file));
  });

  it('is accepted when corrected, with the text from before formulas were disarmed', async () => {
    const file = await rejectsOf(ok(await desk.save({ file: LIST, fields: skipping })));
    const corrected = file
      .replace('9876543211,', '+919876543211,')
      .replace(',many,cells\r\n', '\r\n')
      .replace(`,'=one\r\n`, '\r\n')
      .replace('+919876543214,Short,,', '+919876543214,Short,here,')
      .replace('x+919876543215', '+919876543215');
    await desk.api.request('PATCH', `/api/v0/public/agent/${desk.agentId}`, {
      key: desk.tenant.key,
      body: { custom_variables: ['callee_name', 'mobile_number', 'note', 'reason', 'value'] },
    });
    const body = ok(await desk.save({ file: corrected }));
    expect(body).toMatchObject({ total_rows: 5, successful_rows: 5, failed_rows: 0 });
    const of = (number: string, name: string, note: string) => [
      number,
      name,
      { callee_name: name, mobile_number: number, note },
    ];
    // The reason columns are no variables.
    expect(await namesOf(body)).toEqual([
      of('+919876543211', 'Asha', '=HYPERLINK("x")'),
      of('+919876543212', 'Dev', 'too'),
      of('+919876543213', 'Mary', FURTHER),
      of('+919876543214', 'Short', 'here'),
      of('+919876543215', "'quoted", "'=kept"),
    ]);
  });

  it('is recognised after a spreadsheet saved it in its own dialect', async () => {
    const file = await rejectsOf(
      ok(await desk.save({ file: 'Mobile Number,callee_name\n+919876543210,A\n98,=B\n', fields: skipping })),
    );
    const rewritten = file
      .replaceAll('\r\n', ',,\n')
      .replace('\n98,', '\n+919876543298,')
      .replaceAll(',', ';');
    const body = ok(await desk.save({ file: `\uFEFF${rewritten}` }));
    expect(await namesOf(body)).toMatchObject([['+919876543298', '=B', {}]]);
  });
});
