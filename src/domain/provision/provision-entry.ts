import { newId } from '../../shared/ids.ts';
import { insertAudit } from '../../store/audit.ts';
import type { Tx } from '../../store/database.ts';
import type { LaterAction } from '../audit/actions.ts';
import { printWorkspace, type WorkspacePrint } from '../../store/tenants/provision.ts';

/**
 * Adds an audit entry with the parts that provisioning changed; none if nothing changed. `before` is the fingerprint
 * from before the change; null: the workspace is new.
 */
export async function auditProvision(
  tx: Tx,
  workspaceId: string,
  before: WorkspacePrint | null,
  at: Date,
): Promise<void> {
  const after = await printWorkspace(tx, workspaceId);
  const changed = Object.keys(after).filter(
    (part) => after[part as keyof WorkspacePrint] !== (before?.[part as keyof WorkspacePrint] ?? null),
  );
  if (changed.length === 0) return;
  const id = newId();
  await insertAudit(tx, [
    {
      workspaceId,
      id,
      at,
      actorType: 'operator',
      actor: '',
      action: 'provision' satisfies LaterAction,
      method: 'START',
      route: 'PROVISION_FILE',
      status: 200,
      objects: { workspace_id: workspaceId, changed },
      requestId: id,
      address: null,
    },
  ]);
}
