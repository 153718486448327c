import { sql } from 'kysely';
import { providersDocument, type ProviderSettings } from '../json/provider-settings.ts';
import type { Db, Tx } from '../database.ts';

/** The providers of a workspace; null: it has none of its own. */
export async function findProviders(db: Db, workspaceId: string): Promise<ProviderSettings | null> {
  const row = await db
    .selectFrom('workspace_providers')
    .select('settings')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return providersDocument.read(row?.settings ?? null);
}

/**
 * As `findProviders`, until the transaction ends the only writer. The row is inserted first, so that two first writers
 * wait for each other as well.
 */
export async function lockProviders(tx: Tx, workspaceId: string, at: Date): Promise<ProviderSettings> {
  await tx
    .insertInto('workspace_providers')
    .values({ workspace_id: workspaceId, settings: JSON.stringify({ vendors: {} }), updated_at: at })
    .onConflict((conflict) => conflict.column('workspace_id').doNothing())
    .execute();
  const { settings } = await tx
    .selectFrom('workspace_providers')
    .select('settings')
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return providersDocument.read(settings);
}

export async function updateProviders(
  tx: Tx,
  workspaceId: string,
  settings: ProviderSettings,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('workspace_providers')
    .set({ settings: providersDocument.text(settings), updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .execute();
}

/** What the provision file declares of the providers of a workspace, such as `stt` and `vendors.deepgram`. */
export async function declaredProviders(db: Db, workspaceId: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom('workspace_providers')
    .select('from_file')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.from_file ?? [];
}

/** Stores what the provision file declares of the providers, by workspace; of the others it declares nothing. */
export async function markDeclaredProviders(
  tx: Tx,
  declared: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  await tx
    .updateTable('workspace_providers')
    .set({ from_file: [] })
    .where('from_file', '<>', sql<string[]>`'{}'`)
    .execute();
  for (const [workspaceId, parts] of declared) {
    await tx
      .updateTable('workspace_providers')
      .set({ from_file: [...parts] })
      .where('workspace_id', '=', workspaceId)
      .execute();
  }
}
