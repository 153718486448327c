import { offsetAt } from '@callwright/language';

const DAY_MS = 86_400_000;
const SLOT_MS = 900_000;

/** A stretch in which a zone's offset from UTC is constant; it ends where the next one begins. */
export interface ZoneStretch {
  /** Epoch ms. */
  readonly from: number;
  readonly offsetMs: number;
}

/** The stretches of a zone from `from` to `to`, oldest first; a change counts from the next quarter of an hour. */
export function stretchesOf(zone: string, from: number, to: number): ZoneStretch[] {
  const start = Math.floor(from / SLOT_MS) * SLOT_MS;
  const stretches: ZoneStretch[] = [{ from: start, offsetMs: offsetAt(zone, start) }];
  for (let day = start; day <= to; day += DAY_MS) {
    const next = day + DAY_MS;
    const last = stretches.at(-1)!;
    const offsetMs = offsetAt(zone, next);
    if (offsetMs === last.offsetMs) continue;
    let changed = day;
    while (offsetAt(zone, changed) !== offsetMs) changed += SLOT_MS;
    stretches.push({ from: changed, offsetMs });
  }
  return stretches;
}
