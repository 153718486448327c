import type { SystemAction } from './actions.ts';
import { newId } from '../../shared/ids.ts';
import { insertAudit } from '../../store/audit.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { Tx } from '../../store/database.ts';

/** Inserts the audit entry of a change that the service made by itself: no request caused it. */
export const insertSystemEntry = (
  tx: Tx,
  workspaceId: string,
  action: SystemAction,
  at: Date,
  objects: JsonObject,
): Promise<void> =>
  insertAudit(tx, [
    {
      id: newId(),
      workspaceId,
      at,
      actorType: 'system',
      actor: 'callwright',
      action,
      method: '',
      route: '',
      status: 200,
      requestId: '',
      address: null,
      objects,
    },
  ]);
