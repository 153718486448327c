/** After a change of its own a page reads fresh answers for this long: others may have read before the change. */
const OWN_CHANGE_MS = 5_000;

let seen: string | null = null;
let changedAt = Number.NEGATIVE_INFINITY;

/**
 * The id of the last event of the workspace's stream; `none`: other browsers hold all streams, and the page polls; null: the page
 * has not heard of a state yet, so that it reads for itself.
 */
export function noteSeen(id: string | null): void {
  seen = id;
}

/** The page sends a change. */
export function noteChange(now = performance.now()): void {
  changedAt = now;
}

/** The header of a read that may share the answer of another page; empty: the page needs one of its own. */
export const seenHeader = (now = performance.now()): Readonly<Record<string, string>> =>
  seen === null || now - changedAt < OWN_CHANGE_MS ? {} : { 'x-seen': seen };
