import { sql, type RawBuilder } from 'kysely';
import type { TenantShare } from '../shared/shares/shares.ts';

/** The places of a process that a query fills with work of several workspaces, by the rule of `mayTake`. */
export interface PlacesToFill {
  readonly free: number;
  readonly parts: number;
  /** What each workspace holds in this process. */
  readonly shares: readonly TenantShare[];
}

/** `shares` as one parameter: by workspace, what it holds and its position in the rotation. */
const asJson = (shares: readonly TenantShare[]): string =>
  JSON.stringify(Object.fromEntries(shares.map(({ tenant, held, served }) => [tenant, [held, served]])));

/** A row with the columns `held` and `served` of the workspace; for `cross join lateral`. */
export const shareOf = (
  workspaceId: RawBuilder<unknown>,
  { shares }: PlacesToFill,
): RawBuilder<unknown> => sql`(
  select coalesce((f.found ->> 0)::int, 0) as held, coalesce((f.found ->> 1)::bigint, 0) as served
  from (select ${asJson(shares)}::jsonb -> ${workspaceId}::text as found) f
  offset 0)`;

/** How many places the workspace gets if no other one takes any. */
export const mostFor = (held: RawBuilder<unknown>, { free, parts }: PlacesToFill): RawBuilder<unknown> =>
  sql`greatest(0, (${free}::int - ${held} * (${parts}::int - 1) + ${parts}::int - 1) / ${parts}::int)`;

/**
 * Whether the work at position `rank` of a batch, ordered by what its workspace then holds, may take its place. In this
 * order `held` grows and the free places shrink, so the work that may is the begin of the batch.
 */
export const mayTakeAt = (
  held: RawBuilder<unknown>,
  rank: RawBuilder<unknown>,
  { free, parts }: PlacesToFill,
): RawBuilder<unknown> => sql`${held} * (${parts}::int - 1) < ${free}::int - (${rank} - 1)`;
