import type { ChainHealth } from './health.ts';

interface Named {
  readonly name: string;
}

interface Search {
  /** The first member that may serve. */
  readonly from?: number;
  /** Whether a member can do the work at all; absent: every one can. */
  readonly isAble?: (index: number) => boolean;
  /** True: looks only, and takes no turn to ask a vendor that failed. */
  readonly isLook?: boolean;
}

/**
 * The member of a chain that serves next: one rule for recognisers, models and voices. The last member is the engine of
 * this machine and always works. A vendor that failed is passed over while another vendor is there. Without one it is
 * asked again, because the engine of this machine only stands in; a vendor that refused its key is not.
 */
export function usableMember(
  members: readonly Named[],
  health: ChainHealth,
  { from = 0, isAble = () => true, isLook = false }: Search = {},
): number {
  const isHealthy = ({ name }: Named, i: number): boolean =>
    i >= from && isAble(i) && health.brokenBy(name) === null;
  const healthy = members.slice(0, -1).findIndex(isHealthy);
  return healthy >= 0 ? healthy : askedAgain(members, health, { from, isAble, isLook });
}

/** The first member that failed and may be asked again; else the last one. */
export function askedAgain(
  members: readonly Named[],
  health: ChainHealth,
  { from = 0, isAble = () => true, isLook = false }: Search = {},
): number {
  const asks = (name: string): boolean => (isLook ? health.mayAsk(name) : health.asksAgain(name));
  const found = members.slice(0, -1).findIndex(({ name }, i) => i >= from && isAble(i) && asks(name));
  return found >= 0 ? found : members.length - 1;
}

/** Whether a vendor from this index on is there that has not failed. */
export const hasHealthy = (members: readonly Named[], health: ChainHealth, from: number): boolean =>
  members.slice(from, -1).some(({ name }) => health.brokenBy(name) === null);
