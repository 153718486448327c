import type { Db } from '../database.ts';

/** A number on a trunk, and the workspace that has it. */
export interface TrunkLine {
  readonly number: string;
  readonly workspaceId: string;
}

/** The numbers of all workspaces on a trunk. */
export const linesOfTrunk = (db: Db, trunkId: string): Promise<TrunkLine[]> =>
  db
    .selectFrom('numbers')
    .select(['number', 'workspace_id as workspaceId'])
    .where('trunk_id', '=', trunkId)
    .orderBy('number')
    .execute();
