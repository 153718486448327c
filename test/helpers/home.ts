import { createTenant, createTestApi, type Tenant, type TestApi } from './api.ts';

/** A workspace behind an API of its own. */
export interface Home {
  readonly api: TestApi;
  readonly tenant: Tenant;
}

/** A workspace with nothing in it but its numbers. */
export async function createHome(options?: Parameters<typeof createTenant>[1]): Promise<Home> {
  const api = await createTestApi();
  return { api, tenant: await createTenant(api, options) };
}
