import { AsyncLocalStorage } from 'node:async_hooks';

/** The tenant for which a request runs. */
export interface Tenant {
  /** Null: the caller is not known yet, or belongs to no workspace. */
  id: string | null;
  /** The work may occupy a connection for seconds. */
  isHeavy: boolean;
}

const current = new AsyncLocalStorage<Tenant | null>();

/** Of the asynchronous work that calls this: its tenant, and whether it is heavy. */
export interface TenantWork {
  readonly id: string;
  readonly isHeavy: boolean;
}

/** Null: the work is the service's own, or that of several tenants. */
export function currentTenant(): TenantWork | null {
  const tenant = current.getStore() ?? null;
  return tenant === null || tenant.id === null ? null : { id: tenant.id, isHeavy: tenant.isHeavy };
}

/** Runs `work`, and everything that it starts, for the tenant. */
export const asTenant = <T>(tenant: Tenant, work: () => T): T => current.run(tenant, work);

/** Runs `work` that several tenants share, such as a batch, so that it counts in no share. */
export const forAllTenants = <T>(work: () => T): T => current.run(null, work);
