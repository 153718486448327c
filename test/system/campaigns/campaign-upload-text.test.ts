import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListForm } from '../../helpers/campaigns/contact-list.ts';
import { csv, ok, openListDesk, refused, type ListDesk } from '../../helpers/campaigns/list-upload-api.ts';

let desk: ListDesk;
beforeAll(async () => {
  desk = await openListDesk();
});
afterAll(() => desk.close());

const skipping = { remove_invalid_rows: 'true' };

describe.each(['save', 'upload-csv'] as const)('the text of a list through %s', (flow) => {
  /** The report of an imported list. */
  async function read(form: ListForm): Promise<Record<string, any>> {
    const body = ok(await desk.send(flow, form));
    if (flow === 'save') return body;
    desk.runner.kick();
    return desk.over(body['bulk_list_id']);
  }

  it.each([
    ['{"a\\u0000b":"callee_name"}', 'variables_map holds NUL'],
    ['{"a\\ud800b":"callee_name"}', 'variables_map holds NUL'],
    ['{"note":"x\\u0000"}', 'variables_map.note holds NUL'],
  ])('refuses the map %s, which cannot be stored', async (map, words) => {
    const before = await desk.leftovers();
    const form = { file: csv('+919876543210,R'), fields: { variables_map: map } };
    refused(await desk.send(flow, form), 422, words);
    expect(await desk.leftovers()).toEqual(before);
  });

  const UTF16 = 'Mobile Number;callee_name\r\n+919876543210;"A;ü\r\nस 😀"\r\n';
  const little = (text: string): Buffer => Buffer.from(text, 'utf16le');
  it.each<[string, Buffer, string, string, string]>([
    ['UTF-16LE', little(`\uFEFF${UTF16}`), 'utf-16le', ';', 'A;ü\r\nस 😀'],
    ['UTF-16BE', little(`\uFEFF${UTF16}`).swap16(), 'utf-16be', ';', 'A;ü\r\nस 😀'],
    ['UTF-16LE without a mark', little(UTF16), 'utf-16le', ';', 'A;ü\r\nस 😀'],
    ['UTF-16BE without a mark', little(UTF16).swap16(), 'utf-16be', ';', 'A;ü\r\nस 😀'],
    [
      'Windows-1252',
      Buffer.from('Mobile Number\tcallee_name\r+919876543210\tM\u00fcller\u0080\r', 'latin1'),
      'windows-1252',
      '\t',
      'Müller€',
    ],
    [
      'UTF-8 with a mark and a declared delimiter',
      Buffer.from('\uFEFFsep=|\nMobile Number|callee_name\n+919876543210|a,b\n'),
      'utf-8',
      '|',
      'a,b',
    ],
  ])('is read in %s', async (_what, file, encoding, delimiter, name) => {
    const done = await read({ file });
    expect(done).toMatchObject({ encoding, delimiter, failed_rows: 0 });
    const calls = await desk.callsOf(done['list_id']);
    expect(calls.map((c) => [c.to_number, c.callee_name])).toEqual([['+919876543210', name]]);
  });

  it('refuses a row with a NUL and accepts the others', async () => {
    const done = await read({ file: csv('+919876543210,Ra\0vi', '+919876543211,A'), fields: skipping });
    expect(done).toMatchObject({
      successful_rows: 1,
      invalid_rows: [{ row: 1, column: 'callee_name', value: 'Ra\uFFFDvi', reason: 'holds a NUL character' }],
    });
    const rejects = await desk.api.request('GET', new URL(done['invalidated_rows_csv_url']).pathname);
    expect(rejects.text).toContain('+919876543210,Ravi,1,callee_name,Ra\uFFFDvi,holds a NUL character,');
  });
});

it('refuses a list whose rows all hold NULs and names them', async () => {
  const body = ok(await desk.send('upload-csv', { file: csv('+919876543210,\0', '98\0,A') }));
  desk.runner.kick();
  expect(await desk.over(body['bulk_list_id'])).toMatchObject({
    status: 'failed',
    failed_rows: 2,
    invalid_rows: [{ value: '\uFFFD' }, { row: 2, column: 'Mobile Number', value: '98\uFFFD' }],
  });
});
