import { withoutTypedSecrets } from '../api/secrets.ts';

/** What somebody typed and did not save. */
export interface Kept {
  /** Epoch ms of the last change. */
  readonly at: number;
  /** What was stored when the typing began, as JSON. */
  readonly stored: string;
  readonly draft: unknown;
}
/** The part of `localStorage` that drafts need. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const PREFIX = 'draft ';
/** Days; whoever has not come back after them has let the text go. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

export const draftKey = (parts: readonly string[]): string => PREFIX + parts.join(' ');

/** The draft of a form; null: there is none, or it is too old, or its form has changed since. */
export function readDraft(shelf: Shelf, key: string, stored: unknown, now: number): Kept | null {
  const kept = parse(shelf.getItem(key));
  if (kept === null) return null;
  const isOver = now - kept.at > KEPT_DAYS * DAY_MS;
  if (!isOver && isLike(kept.draft, stored) && JSON.stringify(kept.draft) !== JSON.stringify(stored)) {
    return kept;
  }
  shelf.removeItem(key);
  return null;
}

/** Keeps a draft without the secrets in it. A full or forbidden storage keeps none. */
export function writeDraft(shelf: Shelf, key: string, stored: unknown, draft: unknown, now: number): void {
  const kept: Kept = { at: now, stored: JSON.stringify(stored), draft: withoutTypedSecrets(draft) };
  try {
    shelf.setItem(key, JSON.stringify(kept));
  } catch {
    shelf.removeItem(key);
  }
}

/** Removes drafts that are too old. */
export function sweepDrafts(shelf: Shelf, now: number): void {
  const keys = Array.from({ length: shelf.length }, (_, index) => shelf.key(index) ?? '');
  for (const key of keys) {
    if (!key.startsWith(PREFIX)) continue;
    const kept = parse(shelf.getItem(key));
    if (kept === null || now - kept.at > KEPT_DAYS * DAY_MS) shelf.removeItem(key);
  }
}

function parse(text: string | null): Kept | null {
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as Partial<Kept> | null;
    return typeof kept?.at === 'number' && typeof kept.stored === 'string' ? (kept as Kept) : null;
  } catch {
    return null;
  }
}

/** Whether a form can show the draft: another version of the dashboard may have kept it. */
function isLike(draft: unknown, stored: unknown): boolean {
  if (typeof draft !== typeof stored || Array.isArray(draft) !== Array.isArray(stored)) return false;
  if (typeof draft !== 'object' || draft === null || stored === null || Array.isArray(draft)) {
    return (draft === null) === (stored === null);
  }
  const [has, wants] = [Object.keys(draft).toSorted(), Object.keys(stored as object).toSorted()];
  return has.join(' ') === wants.join(' ');
}
