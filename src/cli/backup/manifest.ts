import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { CommandFailure } from './open-installation.ts';

export const MANIFEST = 'manifest.json';
/** Lists the recordings of the backup as sha256sum does. */
export const RECORDINGS_LIST = 'recordings.sha256';

/** Of a recording, below the recordings folder. */
export const RECORDING_PATH = /^[0-9a-f-]{36}\/[0-9a-f-]{36}-\d{1,4}\.wav$/;

const Count = Type.Integer({ minimum: 0 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Name = Type.String({ minLength: 1, maxLength: 63 });

const ManifestSchema = Type.Object({
  format: Type.Literal(1),
  /** Of the program that made the backup. */
  version: Type.String(),
  created_at: Type.String(),
  database: Type.Object({
    migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Sha256 })),
    tables: Type.Array(
      Type.Object({
        name: Name,
        columns: Type.Array(Name),
        rows: Count,
        /** Of the compressed file `database/<name>.copy.gz`. */
        sha256: Sha256,
      }),
    ),
    sequences: Type.Array(Type.Object({ name: Name, value: Type.String({ pattern: '^\\d{1,19}$' }) })),
  }),
  recordings: Type.Object({
    /** Name of the disk that the rows refer to; null: there was no folder of recordings. */
    disk: Type.Union([Type.String({ pattern: '^[\\w-]{1,64}$' }), Type.Null()]),
    files: Count,
    bytes: Count,
    /** Of the file that lists them. */
    sha256: Sha256,
    /** Rows without a file, because it was deleted before or while the backup ran. */
    missing: Count,
    moved_to_store: Type.Array(Type.String()),
    in_store: Count,
    on_other_disks: Count,
  }),
  /** Absent: an earlier version made the backup. */
  tombstones: Type.Optional(
    Type.Object({
      /** Names the key of the list outside the backups; null: the installation had none yet. */
      key: Type.Union([Type.String({ pattern: '^[0-9a-f]{16}$' }), Type.Null()]),
    }),
  ),
  secret_key: Type.Object({
    /** Shows whether a process has the key of the backup. */
    check: Type.String(),
    /** Of the key file in the backup; null: the key was in SECRET_KEY. */
    sha256: Type.Union([Sha256, Type.Null()]),
  }),
});
export type Manifest = Static<typeof ManifestSchema>;

/** Why a backup or restore did not run; the message is for the operator. */
export class BackupFailure extends CommandFailure {}

/** The manifest of a backup; throws BackupFailure for a folder that has none, which a backup writes last. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new BackupFailure(`${folder} has no ${MANIFEST}: it is no backup, or the backup was interrupted.`);
  });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new BackupFailure(`${MANIFEST} is damaged: it is not JSON.`);
  }
  const format = (parsed as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > 1) {
    throw new BackupFailure('A newer version of the program made this backup: restore it with that version.');
  }
  if (!Value.Check(ManifestSchema, parsed)) {
    const [first] = Value.Errors(ManifestSchema, parsed);
    throw new BackupFailure(`${MANIFEST} is damaged: ${first?.instancePath ?? ''} ${first?.message ?? ''}.`);
  }
  return parsed;
}

export const tableFile = (folder: string, table: string): string =>
  join(folder, 'database', `${encodeURIComponent(table)}.copy.gz`);
