import { unpackVectors } from '../../shared/knowledge/vectors.ts';
import type { Db } from '../../store/database.ts';
import {
  dimensionsWithoutNear,
  fillNear,
  indexNear,
  MOST_INDEXED_DIMENSIONS,
  withoutNear,
} from '../../store/knowledge-near.ts';

const ROWS = 200;

/** Gives the database what it compares itself, of every vector of the model that it has not yet. */
export async function fillMissingNear(db: Db, model: string, signal: AbortSignal): Promise<void> {
  const dimensions = await dimensionsWithoutNear(db, model);
  if (dimensions === null || dimensions > MOST_INDEXED_DIMENSIONS) return;
  await indexNear(db, model, dimensions);
  while (!signal.aborted) {
    const rows = await withoutNear(db, model, dimensions, ROWS);
    if (rows.length === 0) return;
    await fillNear(
      db,
      model,
      rows.map((row) => ({ ...row, numbers: unpackVectors([row.vector]) })),
    );
  }
}
