import { AsyncLocalStorage } from 'node:async_hooks';

/** The rows of the workspace, of its parent and siblings or children too, or of every workspace. */
export type Sight = 'workspace' | 'family' | 'all';

/** The tenant for which a request runs. */
export interface Tenant {
  /** Null: the caller is not known yet, or belongs to no workspace. */
  id: string | null;
  /** The work may occupy a connection for seconds. */
  isHeavy: boolean;
  /** Connections that the work holds now; absent: none. */
  held?: number;
  /** Whose rows its queries see; absent: those of the workspace. */
  sight?: Sight;
}

const current = new AsyncLocalStorage<Tenant | null>();

/** Of the asynchronous work that calls this: its tenant, and whether it is heavy. */
export interface TenantWork {
  readonly id: string;
  readonly isHeavy: boolean;
  readonly sight: Sight;
  readonly held: number;
  /** Counts connections that the work got (1) or gave back (-1). */
  hold(change: 1 | -1): void;
}

/** Null: the work is the service's own, or that of several tenants. */
export function currentTenant(): TenantWork | null {
  const tenant = current.getStore() ?? null;
  if (tenant === null || tenant.id === null) return null;
  const { id, isHeavy, sight = 'workspace', held = 0 } = tenant;
  return {
    id,
    isHeavy,
    sight,
    held,
    hold(change) {
      tenant.held = (tenant.held ?? 0) + change;
    },
  };
}

/** Runs `work`, and everything that it starts, for the tenant. */
export const asTenant = <T>(tenant: Tenant, work: () => T): T => current.run(tenant, work);

/** Runs `work` that several tenants share, such as a batch, so that it counts in no share and sees the rows of all. */
export const forAllTenants = <T>(work: () => T): T => current.run(null, work);

/** Runs `work` in the shares of its tenant, with the rows of every workspace: for a rule that looks at other workspaces. */
export function seeingAll<T>(work: () => T): T {
  const tenant = current.getStore() ?? null;
  return tenant === null ? work() : current.run({ ...tenant, sight: 'all' }, work);
}
