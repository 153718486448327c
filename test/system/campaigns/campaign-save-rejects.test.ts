import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetUploads } from '../../../src/domain/campaigns/import/upload-status.ts';
import type { Answer } from '../../helpers/api/api.ts';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';
import { createErasures, type Erasures } from '../../helpers/privacy/erasures.ts';
import { refused } from '../../helpers/campaigns/list-upload-api.ts';

const DAY_MS = 86_400_000;
let lived: Erasures;
beforeAll(async () => {
  lived = await createErasures();
});
afterAll(() => lived.api.close());

const save = async (rows: readonly string[]): Promise<Answer> => {
  const file = ['mobile_number,callee_name', ...rows, ''].join('\n');
  const answer = await uploadList(lived.api, 'save', lived.tenant.key, {
    file,
    fields: { agent_id: lived.agent.agentId, country_code: '+1' },
  });
  refused(answer, 422, 'rows are invalid');
  return answer;
};
const rejectsOf = (answer: Answer): Promise<Answer> =>
  lived.api.request('GET', new URL(String(answer.body['invalidated_rows_csv_url'])).pathname);
const rowsOf = async (table: 'campaigns' | 'calls' | 'campaign_uploads' | 'campaign_upload_pieces') =>
  (await lived.api.db.selectFrom(table).select('workspace_id').execute()).length;

describe('a list refused by save', () => {
  it('leaves its invalid rows as CSV, but no campaign, call or piece of the file', async () => {
    const bad = Array.from({ length: 250 }, (_, i) => `bad${i},x`);
    const answer = await save(['+14155550123,ok', ...bad]);
    expect(answer.body).toMatchObject({ failed_rows: 250, total_rows: 251 });
    expect(answer.body['invalid_rows']).toHaveLength(100);
    const file = await rejectsOf(answer);
    expect(file.status).toBe(200);
    const lines = file.text.trim().split('\r\n');
    expect(lines).toHaveLength(251);
    expect(lines[250]).toContain('bad249,x,251,mobile_number,bad249,');
    expect(await Promise.all([rowsOf('campaigns'), rowsOf('calls')])).toEqual([0, 0]);
    const pieces = await lived.api.db.selectFrom('campaign_upload_pieces').select('kind').execute();
    expect(pieces).toEqual([{ kind: 'rejects' }]);
  });

  it('loses the rows of erased numbers', async () => {
    const answer = await save(['+14155555555,ok', '(415) 555-5555,Zebulon', '415,Other']);
    expect((await rejectsOf(answer)).text).toContain('Zebulon');
    await lived.eraseNumbers(['+14155555555']);
    for (let step = 0; step < 3; step += 1) {
      lived.api.clock.advance(5000);
      await lived.sweepAll();
    }
    const file = await rejectsOf(answer);
    expect(file.text).not.toContain('Zebulon');
    expect(file.text).toContain('Other');
    const reports = await lived.api.db.selectFrom('campaign_uploads').select('report').execute();
    expect(JSON.stringify(reports)).not.toContain('555-5555');
  });

  it('can be downloaded for one day', async () => {
    const answer = await save(['x,y']);
    lived.api.clock.advance(DAY_MS - 1000);
    await forgetUploads(lived.api.db, lived.api.clock.now());
    expect((await rejectsOf(answer)).status).toBe(200);
    lived.api.clock.advance(1000);
    refused(await rejectsOf(answer), 404, 'invalid rows');
    lived.api.clock.advance(1000);
    await forgetUploads(lived.api.db, lived.api.clock.now());
    expect(await Promise.all([rowsOf('campaign_uploads'), rowsOf('campaign_upload_pieces')])).toEqual([0, 0]);
  });
});
