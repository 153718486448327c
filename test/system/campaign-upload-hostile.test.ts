import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, createTestAgent, createTestApi, type Tenant, type TestApi } from '../helpers/api.ts';
import { listBody, uploadList } from '../helpers/contact-list.ts';

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

/** How many calls, campaigns, uploads and pieces of files there are. */
const stored = async (): Promise<number[]> => {
  const counts = [];
  for (const table of ['calls', 'campaigns', 'campaign_uploads', 'campaign_upload_pieces'] as const) {
    const rows = await api.db.selectFrom(table).selectAll().execute();
    // Lists that were refused leave their invalid rows, to be downloaded.
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

describe('uploads that mean no good', () => {
  it('are answered with what is wrong, whatever the bytes of the file', async () => {
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

  it('are answered with what is wrong, whatever the form', async () => {
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
    // No piece of a file is left, of refused lists or of those that were read.
    expect((await stored())[3]).toBe(before[3]);
  });

  it('may be as large as allowed, in bytes and in rows, and leave nothing when they are larger', async () => {
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

  it('cannot name a receiver of files, nor send two', async () => {
    const two = Buffer.concat([
      listBody({ file: 'a' }).subarray(0, -'--edge-of-a-part--\r\n'.length),
      listBody({ file: 'b', fields: { agent_id: agentId } }),
    ]);
    const answer = await raw(two, 'multipart/form-data; boundary=edge-of-a-part');
    expect([answer.status, answer.body['message']]).toEqual([422, 'file must hold at most 1 files']);
  });
});
