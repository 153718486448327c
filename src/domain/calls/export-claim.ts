import { createHash } from 'node:crypto';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import {
  beatExport,
  claimExport,
  releaseExport,
  type ExportLease,
} from '../../store/calls/history-export.ts';

/** Lease of an export from its last heartbeat. */
const LEASE_MS = 60_000;
const BEAT_MS = 15_000;

/** A running export: its pieces, and the release of its claim, which the caller must call in every case. */
export interface ClaimedExport<Piece> {
  readonly pieces: AsyncGenerator<Piece, void, undefined>;
  readonly release: () => Promise<void>;
}

/**
 * Claims the export with this `key` in the workspace and reads its first page before the response starts, so that a
 * failure is an error response and not a broken file. The claim's heartbeat runs until its release, also while the
 * reader pauses. Null while another request holds the claim.
 */
export async function claimedExport<Page, Piece>(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  key: string,
  text: {
    readonly first: () => Promise<Page>;
    readonly write: (first: Page) => AsyncGenerator<Piece, void, undefined>;
  },
): Promise<ClaimedExport<Piece> | null> {
  const { db, clock } = deps;
  const filterHash = createHash('sha256').update(key).digest('hex');
  const lease: ExportLease = { workspaceId, filterHash, token: newId() };
  const now = clock.now();
  const times = { at: new Date(now), abandonedBefore: new Date(now - LEASE_MS) };
  if (!(await claimExport(db, lease, times))) return null;
  const beat = setInterval(() => {
    // The next heartbeat makes up for a lost one.
    beatExport(db, lease, new Date(clock.now())).catch(() => undefined);
  }, BEAT_MS);
  beat.unref();
  const release = (): Promise<void> => {
    clearInterval(beat);
    return releaseExport(db, lease);
  };
  try {
    return { pieces: released(text.write(await text.first()), release), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Releases the claim before the last read resolves, so that a client with the whole text can export again at once. */
async function* released<Piece>(
  pieces: AsyncGenerator<Piece, void, undefined>,
  release: () => Promise<void>,
): AsyncGenerator<Piece, void, undefined> {
  yield* pieces;
  await release();
}
