import type { Db } from '../../../src/store/database.ts';
import { reaperFindings, type NodeBeat } from '../../../src/store/nodes.ts';

/** All nodes that are not fenced. */
export const livingNodes = async (db: Db): Promise<readonly NodeBeat[]> =>
  (await reaperFindings(db, null, { quiet: new Date(0), fenced: new Date(0) })).nodes;
