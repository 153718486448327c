import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A stored key of signed links. */
export interface StoredLinkKey {
  readonly id: number;
  /** Sealed; plain text only between the migration and the next start. */
  readonly secret: string;
  readonly createdAt: Date;
  /** Null: the current one. */
  readonly retiresAt: Date | null;
  readonly signedOldForm: boolean;
}

export function listLinkKeys(db: Db): Promise<StoredLinkKey[]> {
  return db
    .selectFrom('link_keys')
    .select([
      'id',
      'secret',
      'created_at as createdAt',
      'retires_at as retiresAt',
      'signed_old_form as signedOldForm',
    ])
    .orderBy('id', 'desc')
    .execute();
}

/** Inserts the first key of an installation. Idempotent. */
export async function addFirstLinkKey(db: Db, sealedSecret: string, at: Date): Promise<void> {
  await sql`
    insert into link_keys (id, secret, created_at)
    select coalesce((select max(id) from link_keys), 0) + 1, ${sealedSecret}, ${at}
    where not exists (select from link_keys where retires_at is null)
    on conflict do nothing`.execute(db);
}

/** Replaces a secret that an earlier version stored in plain text with its sealed form. */
export async function sealLinkKey(
  db: Db,
  { id, secret }: Pick<StoredLinkKey, 'id' | 'secret'>,
  sealedSecret: string,
): Promise<void> {
  await db
    .updateTable('link_keys')
    .set({ secret: sealedSecret })
    .where('id', '=', id)
    .where('secret', '=', secret)
    .execute();
}

/** Retired keys still tell a link that has ended from a forged one. */
const KEPT_MS = 400 * 86_400_000;

/** Inserts a new current key. Earlier ones retire at `oldUntil` at the latest, and are deleted long after. */
export async function replaceLinkKey(db: Db, sealedSecret: string, oldUntil: Date, at: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`lock table link_keys in exclusive mode`.execute(tx);
    await sql`update link_keys set retires_at = ${oldUntil}
      where retires_at is null or retires_at > ${oldUntil}`.execute(tx);
    await sql`insert into link_keys (id, secret, created_at)
      select max(id) + 1, ${sealedSecret}, ${at} from link_keys`.execute(tx);
    await sql`delete from link_keys where retires_at <= ${new Date(at.getTime() - KEPT_MS)}`.execute(tx);
  });
}
