import { deleteAbandonedUploads, deleteRefusedUploads } from '../../../store/campaign-uploads.ts';
import type { Db } from '../../../store/database.ts';

/** An upload that nobody has in hand for so long has lost its request. */
const ABANDONED_MS = 600_000;
/** So long the invalid rows of a list that became no campaign can be downloaded. */
export const REFUSED_MS = 86_400_000;

/** Deletes uploads that are no campaign and that nobody wants any more, with all that is left of them. */
export async function forgetUploads(db: Db, now: number): Promise<void> {
  await deleteAbandonedUploads(db, new Date(now - ABANDONED_MS));
  await deleteRefusedUploads(db, new Date(now - REFUSED_MS));
}
