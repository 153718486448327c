import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, createTestAgent, createTestApi, type Tenant, type TestApi } from '../helpers/api.ts';
import { uploadList, type ListForm } from '../helpers/contact-list.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let versionId: string;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  ({ agentId, versionId } = await createTestAgent(api, tenant));
});
afterAll(() => api.close());

const save = (form: ListForm) =>
  uploadList(api, 'save', tenant.key, { ...form, fields: { agent_id: agentId, ...form.fields } });

describe('POST /campaign/save', () => {
  it('queues the contacts', async () => {
    const a = await save({
      file: 'Mobile Number,callee_name\r\n+919876543210,Ravi\r\n+14155550123,Priya\r\n',
    });
    expect([a.status, a.body]).toEqual([200, {}]);
  });
});
