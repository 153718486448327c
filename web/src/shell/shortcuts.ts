import { PLACES } from './places.ts';

/** What a key does. `row` moves between the rows of a table by so many. */
export type Shortcut =
  | { readonly does: 'go'; readonly to: (typeof PLACES)[number]['to'] }
  | { readonly does: 'row'; readonly by: number }
  | { readonly does: 'palette' | 'sheet' | 'search' | 'undo' | 'messages' };

export interface Press {
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  /** The focus is in a field, or a dialog is open: letters are text. */
  readonly isTyping: boolean;
  /** The reader turned shortcuts of single keys off. */
  readonly isOff: boolean;
  readonly atMs: number;
}

/** A letter that waits for the next one. */
export interface Prefix {
  readonly key: 'g';
  readonly atMs: number;
}

/** After this time g is forgotten. */
const PREFIX_MS = 1_500;
const SINGLE: Readonly<Record<string, Shortcut>> = {
  '?': { does: 'sheet' },
  '/': { does: 'search' },
  j: { does: 'row', by: 1 },
  k: { does: 'row', by: -1 },
  z: { does: 'undo' },
};

/** What a press of a key does, and the prefix that waits after it. Keys with Ctrl and function keys are no characters. */
export function shortcutOf(
  press: Press,
  prefix: Prefix | null,
): { readonly shortcut: Shortcut | null; readonly prefix: Prefix | null } {
  const only = (shortcut: Shortcut | null): { shortcut: Shortcut | null; prefix: null } => ({
    shortcut,
    prefix: null,
  });
  if (press.ctrl) return only(press.key.toLowerCase() === 'k' && !press.alt ? { does: 'palette' } : null);
  if (press.key === 'F8') return only({ does: 'messages' });
  if (press.alt || press.isTyping || press.isOff) return only(null);
  // A press of Shift is not the second key.
  if (press.key.length > 1) return { shortcut: null, prefix };
  if (prefix !== null && press.atMs - prefix.atMs <= PREFIX_MS) {
    const place = PLACES.find(({ key }) => key === press.key);
    return only(place === undefined ? null : { does: 'go', to: place.to });
  }
  if (press.key === 'g') return { shortcut: null, prefix: { key: 'g', atMs: press.atMs } };
  return only(SINGLE[press.key] ?? null);
}
