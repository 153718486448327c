import { keepTombstones, tombstoneKey } from '../../../src/domain/privacy/tombstones.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import type { Db } from '../../../src/store/database.ts';
import { TEST_SEAL } from '../database/seal.ts';

/** A list of tombstones in memory. */
export function memoryList() {
  const lines: string[] = [];
  return {
    lines,
    create: async (): Promise<void> => undefined,
    append: async (added: readonly string[]): Promise<void> => void lines.push(...added),
  };
}

/** Writes the queued tombstones, as the privacy worker of a jobs process does. */
export async function writeTombstones(
  deps: { readonly db: Db; readonly clock: Clock },
  list: { append(lines: readonly string[], at: number): Promise<void> } = memoryList(),
): Promise<void> {
  const key = await tombstoneKey({ ...deps, seal: TEST_SEAL });
  if (key === null) throw new Error('another key sealed the key of the tombstones');
  await keepTombstones({ ...deps, key, list });
}
