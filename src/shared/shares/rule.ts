/**
 * Whether a tenant that holds `held` places may take one of the `free` ones. A tenant holds at most one of `parts` parts of
 * the places that are free or its own, rounded up: whatever it does with them costs the others at most that part, and
 * each further tenant finds a part of the rest.
 */
export const mayTake = (held: number, free: number, parts: number): boolean => held * (parts - 1) < free;

/** Places that are left when `tenants` tenants, one after another, have taken all that `mayTake` gives them. */
export function leftBeside(tenants: number, places: number, parts: number): number {
  let left = places;
  for (let tenant = 0; tenant < tenants; tenant += 1) left = Math.floor((left * (parts - 1)) / parts);
  return left;
}
