import { once } from 'node:events';
import type { Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { UploadRef } from './uploads.ts';
import type { Db } from '../database.ts';

export type PieceKind = 'file' | 'rejects';

export async function insertPiece(
  db: Db,
  ref: UploadRef,
  piece: { kind: PieceKind; seq: number; content: Buffer },
): Promise<void> {
  await db
    .insertInto('campaign_upload_pieces')
    .values({ workspace_id: ref.workspaceId, upload_id: ref.uploadId, ...piece })
    .execute();
}

/** One piece; undefined past the last one. */
export async function findPiece(
  db: Db,
  ref: UploadRef,
  kind: PieceKind,
  seq: number,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('campaign_upload_pieces')
    .select('content')
    .where('workspace_id', '=', ref.workspaceId)
    .where('upload_id', '=', ref.uploadId)
    .where('kind', '=', kind)
    .where('seq', '=', seq)
    .executeTakeFirst();
  return row?.content;
}

export async function deletePieces(db: Db, ref: UploadRef, kind: PieceKind): Promise<void> {
  await db
    .deleteFrom('campaign_upload_pieces')
    .where('workspace_id', '=', ref.workspaceId)
    .where('upload_id', '=', ref.uploadId)
    .where('kind', '=', kind)
    .execute();
}

const COPY =
  'copy campaign_upload_pieces (workspace_id, upload_id, kind, seq, content) from stdin (format binary)';

const SIGNATURE = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1');

const FIELDS = 5;

const uuid = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/**
 * Writes one piece of an uploaded file by binary COPY, which passes the buffer to the socket without a copy. As a
 * statement parameter it would be copied twice, and a large file would leave garbage that is collected late.
 */
export async function copyPiece(pool: Pool, ref: UploadRef, seq: number, content: Buffer): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const copy = client.query(copyFrom(COPY));
    const done = once(copy, 'finish');
    copy.write(headOf(ref, seq, content.length));
    copy.write(content);
    copy.end(END);
    await done;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

/**
 * The bytes before the content: the COPY header without flags or extension, and the row up to its last field's length.
 */
function headOf({ workspaceId, uploadId }: UploadRef, seq: number, bytes: number): Buffer {
  const begin = Buffer.concat([SIGNATURE, Buffer.alloc(8), int16(FIELDS)]);
  const fields = [uuid(workspaceId), uuid(uploadId), Buffer.from('file'), int32(seq)];
  return Buffer.concat([begin, ...fields.flatMap((field) => [int32(field.length), field]), int32(bytes)]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const END = int16(-1);
