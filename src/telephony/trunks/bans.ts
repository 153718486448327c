/** Points of a source until it is banned, and within which time they count. */
const LIMIT = 60;
const WINDOW_MS = 600_000;
const BANNED_MS = 3_600_000;
const MAX_SOURCES = 4_096;

/** What an unproven source did, in points. */
export const OFFENCES = {
  /** A request outside a dialog: an INVITE is challenged once before it is proven. */
  request: 1,
  /** Credentials that are wrong. */
  credentials: 6,
  /** A program that scans or guesses. */
  scanner: 20,
} as const;

/** Repeat offenders by source address. Nothing of a banned source is parsed. */
export interface Bans {
  isBanned(source: string): boolean;
  note(source: string, points: number): void;
  /** The source proved itself: its points are forgotten. */
  forget(source: string): void;
  /** Sources banned so far, and now. */
  readonly counts: { readonly total: number; readonly current: number };
}

/** Both tables are capped: the oldest source leaves first, so a flood of forged addresses costs a fixed memory. */
export function createBans(now: () => number): Bans {
  const points = new Map<string, { points: number; since: number }>();
  /** To the end of the ban. */
  const banned = new Map<string, number>();
  let total = 0;
  const cap = (table: Map<string, unknown>): void => {
    const [oldest] = table.keys();
    if (table.size >= MAX_SOURCES && oldest !== undefined) table.delete(oldest);
  };
  const isBanned = (source: string): boolean => {
    const until = banned.get(source);
    if (until === undefined) return false;
    if (until > now()) return true;
    banned.delete(source);
    return false;
  };
  return {
    isBanned,
    note(source, more) {
      const at = now();
      const known = points.get(source);
      const since = known === undefined || at - known.since > WINDOW_MS ? at : known.since;
      const before = known?.since === since ? known.points : 0;
      const sum = before + more;
      points.delete(source);
      if (sum < LIMIT) {
        cap(points);
        points.set(source, { points: sum, since });
        return;
      }
      cap(banned);
      banned.set(source, at + BANNED_MS);
      total += 1;
    },
    forget(source) {
      points.delete(source);
      banned.delete(source);
    },
    get counts() {
      for (const source of banned.keys()) isBanned(source);
      return { total, current: banned.size };
    },
  };
}
