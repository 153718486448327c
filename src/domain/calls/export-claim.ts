import { createHash } from 'node:crypto';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { beatExport, claimExport, releaseExport, type ExportLease } from '../../store/history-export.ts';

/** An export that has not beaten for so long is taken for dead. */
const ABANDONED_MS = 60_000;
const BEAT_MS = 15_000;

/** An export under way: its text piece by piece, and the end of its claim, to be called however it ends. */
export interface ClaimedExport {
  readonly pieces: AsyncGenerator<string, void, undefined>;
  readonly release: () => Promise<void>;
}

/**
 * Claims what `asked` names in the workspace and begins it with its first page, which comes before the answer, so that
 * a failure is an error and no broken file. The claim beats until it is released, also while its reader takes no more.
 * Null while another one holds it.
 */
export async function claimedExport<Page>(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  asked: string,
  text: {
    readonly first: () => Promise<Page>;
    readonly write: (first: Page) => AsyncGenerator<string, void, undefined>;
  },
): Promise<ClaimedExport | null> {
  const { db, clock } = deps;
  const filterHash = createHash('sha256').update(asked).digest('hex');
  const lease: ExportLease = { workspaceId, filterHash, token: newId() };
  const now = clock.now();
  const times = { at: new Date(now), abandonedBefore: new Date(now - ABANDONED_MS) };
  if (!(await claimExport(db, lease, times))) return null;
  const beat = setInterval(() => {
    // A beat that is lost is made up for by the next one.
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

/** The claim ends before the text does: whoever has read it whole may ask for it again at once. */
async function* released(
  pieces: AsyncGenerator<string, void, undefined>,
  release: () => Promise<void>,
): AsyncGenerator<string, void, undefined> {
  yield* pieces;
  await release();
}
