import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeZip } from '../../../src/jobs/ingest/zip-entries.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';
import { workbook } from '../../helpers/campaigns/workbook.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant, { intro_message: 'Hello {{callee_name}}, on {{day}}.' }));
});
afterAll(() => api?.close());

const save = (file: Buffer, fields: Record<string, string> = {}, fileName = 'list.xlsx'): Promise<Answer> =>
  uploadList(api, 'save', tenant.key, { file, fileName, fields: { agent_id: agentId, ...fields } });
const HEADER = ['Mobile Number', 'Callee Name', 'day'];

describe('an Excel workbook as contact list', () => {
  it('is read: the first sheet, with numbers, dates and quotes', async () => {
    const file = workbook(
      [
        HEADER,
        ['+919876543210', 'Asha "A", Rao', new Date(Date.UTC(2026, 0, 5))],
        [919876543211, 'Ravi', 'Monday'],
      ],
      [['not', 'this', 'sheet']],
    );
    const answer = await save(file, { country_code: '+91' });
    expect(answer.status).toBe(200);
    const calls = await api.db
      .selectFrom('calls')
      .select(['to_number', 'callee_name', 'args'])
      .where('campaign_id', '=', answer.body['list_id'] as string)
      .orderBy('to_number')
      .execute();
    expect(calls).toMatchObject([
      { to_number: '+919876543210', callee_name: 'Asha "A", Rao', args: { day: '2026-01-05' } },
      { to_number: '+919876543211', callee_name: 'Ravi', args: { day: 'Monday' } },
    ]);
  });

  it('names the row of an empty cell of a used variable', async () => {
    const answer = await save(workbook([HEADER, ['+919876543210', 'Asha', null]]));
    expect(answer.status).toBe(422);
    expect(answer.body['invalid_rows']).toMatchObject([{ row: 1, column: 'day' }]);
  });

  it('is refused with the way out when it is none, damaged, too large or unpacks to too much', async () => {
    const zip = storeZip(new Map([['hello.txt', Buffer.from('hello')]]));
    const whole = workbook([HEADER]);
    const cases: readonly (readonly [string, Buffer, RegExp])[] = [
      ['another archive', zip, /^is no Excel workbook/],
      ['a damaged one', whole.subarray(0, whole.length - 100), /^is damaged/],
      [
        'an old one',
        Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(100)]),
        /^is an old Excel/,
      ],
      ['a PDF', Buffer.from('%PDF-1.7 …'), /^is a PDF/],
      [
        'a large one',
        Buffer.concat([whole, Buffer.alloc(11 * 1024 * 1024)]),
        /^is an Excel workbook of more than 10 MB/,
      ],
      ['a bomb', bomb(), /^unpacks to more than is allowed/],
    ];
    for (const [name, file, words] of cases) {
      const answer = await save(file);
      expect([name, answer.status]).toEqual([name, 422]);
      const [problem] = answer.body['errors'] as { field: string; message: string }[];
      expect([name, problem?.field]).toEqual([name, 'file']);
      expect(problem?.message).toMatch(words);
      expect(problem?.message).toContain('save the list as CSV');
    }
    const uploads = await api.db
      .selectFrom('campaign_uploads')
      .select('id')
      .where('state', '=', 'receiving')
      .execute();
    expect(uploads).toEqual([]);
  });
});

/** A workbook of some kilobytes whose sheet unpacks to 64 MB. */
function bomb(): Buffer {
  const name = 'xl/workbook.xml';
  const packed = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
  const archive = storeZip(new Map([[name, packed]]));
  // Method 8, deflated, in the local header and in the directory.
  archive.writeUInt16LE(8, 8);
  archive.writeUInt16LE(8, archive.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 10);
  return archive;
}
