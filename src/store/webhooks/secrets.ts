import { newId } from '../../shared/ids.ts';
import type { Db, Tx } from '../database.ts';

/** A stored signing secret; `retiresAt` null: the current one. */
export interface StoredSecret {
  readonly workspaceId: string;
  readonly id: string;
  readonly secret: string;
  readonly createdAt: Date;
  readonly retiresAt: Date | null;
}

/** The secrets of workspaces that are valid at `now`, newest first. */
export function liveSecrets(db: Db, workspaceIds: readonly string[], now: Date): Promise<StoredSecret[]> {
  return db
    .selectFrom('webhook_secrets')
    .select([
      'workspace_id as workspaceId',
      'id',
      'secret',
      'created_at as createdAt',
      'retires_at as retiresAt',
    ])
    .where('workspace_id', 'in', [...workspaceIds])
    .where((e) => e.or([e('retires_at', 'is', null), e('retires_at', '>', now)]))
    .orderBy('retires_at', (order) => order.desc().nullsFirst())
    .execute();
}

/** Inserts a workspace's first secret. Idempotent. */
export async function addSecret(db: Db, workspaceId: string, sealedSecret: string, at: Date): Promise<void> {
  await db
    .insertInto('webhook_secrets')
    .values({ workspace_id: workspaceId, id: newId(), secret: sealedSecret, created_at: at })
    .onConflict((conflict) => conflict.columns(['workspace_id']).where('retires_at', 'is', null).doNothing())
    .execute();
}

/** Replaces a secret that was stored in plain text with its sealed form. */
export async function resealSecret(db: Db, stored: StoredSecret, sealedSecret: string): Promise<void> {
  await db
    .updateTable('webhook_secrets')
    .set({ secret: sealedSecret })
    .where('workspace_id', '=', stored.workspaceId)
    .where('id', '=', stored.id)
    .where('secret', '=', stored.secret)
    .execute();
}

/** The most valid secrets: all their signatures share one header. */
const MAX_SIGNING = 8;

/**
 * Rotates the current secret; the old one stays valid until `oldUntil`. Beyond `MAX_SIGNING`, the secret that retires
 * first is deleted. The workspace's lock serialises rotations.
 */
export async function replaceSecret(
  tx: Tx,
  workspaceId: string,
  sealedSecret: string,
  oldUntil: Date,
  at: Date,
): Promise<void> {
  await tx.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forUpdate().execute();
  await tx
    .updateTable('webhook_secrets')
    .set({ retires_at: oldUntil })
    .where('workspace_id', '=', workspaceId)
    .where('retires_at', 'is', null)
    .execute();
  await tx
    .insertInto('webhook_secrets')
    .values({ workspace_id: workspaceId, id: newId(), secret: sealedSecret, created_at: at })
    .execute();
  await tx
    .deleteFrom('webhook_secrets')
    .where('workspace_id', '=', workspaceId)
    .where((e) =>
      e.or([
        e('retires_at', '<=', at),
        e('id', 'in', (q) =>
          q
            .selectFrom('webhook_secrets')
            .select('id')
            .where('workspace_id', '=', workspaceId)
            .orderBy('retires_at', (order) => order.desc().nullsFirst())
            .offset(MAX_SIGNING),
        ),
      ]),
    )
    .execute();
}
