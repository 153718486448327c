import { editDistance } from '../../shared/near-miss.ts';

/** Names that other APIs give to parameters of this one. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  page: ['cursor', 'before', 'offset'],
  skip: ['offset'],
  start: ['offset'],
  cursor: ['before'],
  after: ['cursor', 'before'],
  starting_after: ['cursor', 'before'],
  page_size: ['limit'],
  per_page: ['limit'],
  count: ['limit'],
  size: ['limit'],
  from: ['start_date'],
  since: ['start_date'],
  to: ['end_date'],
  until: ['end_date'],
  campaign_id: ['bulk_list_id'],
  list_id: ['bulk_list_id'],
  direction: ['call_type'],
  call_direction: ['call_type'],
  call_id: ['id'],
};
const MAX_LENGTH = 64;

/** The parameter that a client probably meant by `name`; null: none is close. */
export function meantParameter(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_LENGTH) return null;
  const plain = name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll('-', '_')
    .toLowerCase();
  if (known.includes(plain)) return plain;
  const alias = ALIASES[plain]?.find((other) => known.includes(other));
  if (alias !== undefined) return alias;
  const longer = known.find((k) => plain.endsWith(`_${k}`) || k.endsWith(`_${plain}`));
  if (longer !== undefined) return longer;
  const near = known
    .map((k) => ({ k, distance: editDistance(plain, k) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  return near !== undefined && near.distance <= Math.max(1, Math.floor(near.k.length / 4)) ? near.k : null;
}
