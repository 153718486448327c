import { createTenant, createTestApi, type Tenant, type TestApi } from './api.ts';

/** An API with a workspace. */
export interface Home {
  readonly api: TestApi;
  readonly tenant: Tenant;
}

/** Creates a workspace with numbers only. */
export async function createHome(options?: Parameters<typeof createTenant>[1]): Promise<Home> {
  const api = await createTestApi();
  return { api, tenant: await createTenant(api, options) };
}
