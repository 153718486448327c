import type { FaultKind, VendorPart } from '../../shared/vendor-fault.ts';
import type { CallFault } from '../../voice/conversation.ts';
import type { Clock } from '../../shared/clock.ts';
import { findVendorFaults } from '../../store/calls/vendor-faults.ts';
import type { Db } from '../../store/database.ts';

const PERIOD_MS = 86_400_000;
/** Calls whose faults are counted; a vendor that fails in each of more is broken at any count. */
const MOST_CALLS = 1_000;

/** What went wrong at one vendor in the last day's calls; a vendor without an entry had no fault. */
export interface VendorTrouble {
  readonly part: VendorPart;
  readonly vendor: string;
  /** Of the last fault. */
  readonly kind: FaultKind;
  readonly status: number | null;
  readonly message: string;
  /** Epoch ms. */
  readonly lastAt: number;
  readonly count: number;
}

/** The faults of vendors in a workspace's calls of the last day, by part and vendor, the latest first. */
export async function readVendorHealth(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
): Promise<readonly VendorTrouble[]> {
  const since = clock.now() - PERIOD_MS;
  const stored = await findVendorFaults(db, workspaceId, new Date(since), MOST_CALLS);
  return byVendor(stored.filter(({ at }) => at >= since));
}

function byVendor(faults: readonly CallFault[]): readonly VendorTrouble[] {
  const found = new Map<string, VendorTrouble>();
  for (const { part, vendor, kind, status, message, at } of faults) {
    const known = found.get(`${part} ${vendor}`);
    const count = (known?.count ?? 0) + 1;
    const isLast = known === undefined || known.lastAt < at;
    found.set(
      `${part} ${vendor}`,
      isLast ? { part, vendor, kind, status, message, lastAt: at, count } : { ...known, count },
    );
  }
  return [...found.values()].toSorted((a, b) => b.lastAt - a.lastAt);
}
