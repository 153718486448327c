import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { newId } from '../../../src/shared/ids.ts';
import { listBody, uploadList } from '../../helpers/campaigns/contact-list.ts';

const MAX_BYTES = 1_048_576;
let api: TestApi;
let tenant: Tenant;
let agentId: string;
beforeAll(async () => {
  api = await createTestApi({ uploadLimits: { maxRows: 100, maxBytes: MAX_BYTES } });
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant));
});
afterAll(() => api.close());

/** Counts calls, campaigns, uploads and stored pieces. */
const stored = async (): Promise<number[]> => {
  const counts = [];
  for (const table of ['calls', 'campaigns', 'campaign_uploads', 'campaign_upload_pieces'] as const) {
    const rows = await api.db.selectFrom(table).selectAll().execute();
    // Refused lists leave their invalid rows for download.
    counts.push(rows.filter((row) => !('kind' in row) || row.kind === 'file').length);
  }
  return counts;
};
const raw = (body: Buffer, contentType: string) =>
  api.request('POST', '/api/v0/campaign/save', {
    key: tenant.key,
    raw: body,
    headers: { 'content-type': contentType },
  });

describe('hostile uploads', () => {
  it('get an error that names the problem, for any bytes in the file', async () => {
    const head = Buffer.from('Mobile Number,callee_name\n');
    const file = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.concat([head, bytes])),
      fc
        .string({
          unit: fc.constantFrom('"', ',', '\n', '\r', '1', '9', '+', '\0', 'ü', '\\', '\t', '٣'),
          maxLength: 60,
        })
        .map((text) => Buffer.concat([head, Buffer.from(text)])),
    );
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom('true', 'false'), async (bytes, skip) => {
        const answer = await uploadList(api, 'save', tenant.key, {
          file: bytes,
          fields: { agent_id: agentId, remove_invalid_rows: skip },
        });
        expect([200, 422]).toContain(answer.status);
        expect(typeof answer.body['message']).toBe('string');
      }),
      { numRuns: 60 },
    );
  });

  it('get an error that names the problem, for any form', async () => {
    const before = await stored();
    const whole = listBody({ file: 'Mobile Number,callee_name\n1,x\n', fields: { agent_id: agentId } });
    const type = 'multipart/form-data; boundary=edge-of-a-part';
    for (let at = 0; at < whole.length; at += 23) {
      const answer = await raw(whole.subarray(0, at), type);
      expect([at, answer.status >= 400 && answer.status < 500]).toEqual([at, true]);
    }
    for (const contentType of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'text/csv',
      'text/plain',
    ]) {
      const answer = await raw(whole, contentType);
      expect([contentType, answer.status >= 400 && answer.status < 500]).toEqual([contentType, true]);
    }
    const names = ['__proto__', 'constructor', 'toString', 'a.b', 'file[]', ''];
    for (const name of names) {
      const answer = await uploadList(api, 'save', tenant.key, {
        file: 'Mobile Number,callee_name\n+919876543210,x\n',
        fields: { agent_id: agentId, [name]: 'x' },
      });
      expect([name, answer.status < 500]).toEqual([name, true]);
    }
    const map = await uploadList(api, 'save', tenant.key, {
      file: 'Mobile Number,callee_name,__proto__\n1,x,y\n',
      fields: { agent_id: agentId, variables_map: '{"__proto__":"__proto__"}' },
    });
    expect(map.status).toBe(422);
    // No stored piece is left of refused or imported lists.
    expect((await stored())[3]).toBe(before[3]);
  });

  it('are accepted up to the limits of bytes and rows and leave nothing beyond them', async () => {
    const before = await stored();
    const fields = { agent_id: agentId };
    const line = (i: number): string => `+9198765${String(10_000 + i)},x\n`;
    const rows = (count: number): string =>
      `Mobile Number,callee_name\n${Array.from({ length: count }, (_, i) => line(i)).join('')}`;
    const tooMany = await uploadList(api, 'save', tenant.key, { file: rows(101), fields });
    expect([tooMany.status, tooMany.body['message']]).toEqual([422, 'file must have at most 100 rows']);
    const tooLarge = await uploadList(api, 'upload-csv', tenant.key, {
      file: Buffer.concat([Buffer.from(rows(1)), Buffer.alloc(MAX_BYTES, '\n')]),
      fields,
    });
    expect([tooLarge.status, tooLarge.body['message']]).toEqual([422, 'file must be at most 1 MB']);
    expect(await stored()).toEqual(before);
    const most = await uploadList(api, 'save', tenant.key, { file: rows(100), fields });
    expect([most.status, most.body['successful_rows']]).toEqual([200, 100]);
  });

  it('can neither rename the file field nor send two files', async () => {
    const two = Buffer.concat([
      listBody({ file: 'a' }).subarray(0, -'--edge-of-a-part--\r\n'.length),
      listBody({ file: 'b', fields: { agent_id: agentId } }),
    ]);
    const answer = await raw(two, 'multipart/form-data; boundary=edge-of-a-part');
    expect([answer.status, answer.body['message']]).toEqual([422, 'file must hold at most 1 files']);
  });
});

describe('the limit of the lists that a workspace has unread', () => {
  const list = (bytes: number): Buffer =>
    Buffer.from('Mobile Number,callee_name\n'.padEnd(bytes, '+14155550123,Ann\n'));
  const upload = (of: Tenant, agent: string, bytes: number) =>
    uploadList(bounded, 'upload-csv', of.key, { file: list(bytes), fields: { agent_id: agent } });
  let bounded: TestApi;
  beforeAll(async () => {
    bounded = await createTestApi({ uploadsHeldBytes: 3 * 1_048_576 });
  });
  afterAll(() => bounded.close());

  it('refuses a further list with 429 that names limit and use, stores none of it, and binds no other workspace', async () => {
    const [greedy, other] = [await createTenant(bounded), await createTenant(bounded)];
    const { agentId: own } = await createTestAgent(bounded, greedy);
    const { agentId: theirs } = await createTestAgent(bounded, other);
    expect((await upload(greedy, own, 2 * 1_048_576)).status).toBe(200);
    const before = await bounded.db.selectFrom('campaign_upload_pieces').select('seq').execute();
    for (const bytes of [2 * 1_048_576, 1_100_000]) {
      const answer = await upload(greedy, own, bytes);
      expect([answer.status, answer.text]).toEqual([
        429,
        expect.stringMatching(/may hold 3 MB; 2 MB are held/),
      ]);
    }
    expect(await bounded.db.selectFrom('campaign_upload_pieces').select('seq').execute()).toEqual(before);
    expect((await upload(greedy, own, 100_000)).status).toBe(200);
    expect((await upload(other, theirs, 2 * 1_048_576)).status).toBe(200);
  });

  it('an unknown agent is refused before a byte of a long list is stored', async () => {
    let stored = 0;
    const watched = await createTestApi({
      copyPiece: async () => {
        stored += 1;
      },
    });
    try {
      const own = await createTenant(watched);
      const answer = await uploadList(watched, 'upload-csv', own.key, {
        file: list(2 * 1_048_576),
        fields: { agent_id: newId() },
      });
      expect([answer.status, stored]).toEqual([404, 0]);
    } finally {
      await watched.close();
    }
  });
});
