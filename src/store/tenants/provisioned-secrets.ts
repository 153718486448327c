import type { Tx } from '../database.ts';

/** The declared value that was applied last. `hash` null: that of an earlier version, which kept none. */
export interface ProvisionedSecret {
  readonly hash: string | null;
}

/** Undefined: the file never declared it. */
export function findProvisionedSecret(
  tx: Tx,
  workspaceId: string,
  kind: string,
): Promise<ProvisionedSecret | undefined> {
  return tx
    .selectFrom('provisioned_secrets')
    .select('hash')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

export async function putProvisionedSecret(
  tx: Tx,
  workspaceId: string,
  secret: { readonly kind: string; readonly hash: string },
  at: Date,
): Promise<void> {
  await tx
    .insertInto('provisioned_secrets')
    .values({ workspace_id: workspaceId, ...secret, applied_at: at })
    .onConflict((c) => c.columns(['workspace_id', 'kind']).doUpdateSet({ hash: secret.hash, applied_at: at }))
    .execute();
}

/** Ends the grace of the first start after the upgrade: what is declared from now on is applied. */
export async function deleteUnknownSecrets(tx: Tx): Promise<void> {
  await tx.deleteFrom('provisioned_secrets').where('hash', 'is', null).execute();
}
