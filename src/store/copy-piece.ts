import { once } from 'node:events';
import type { Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { UploadRef } from './campaign-uploads.ts';

const COPY =
  'copy campaign_upload_pieces (workspace_id, upload_id, kind, seq, content) from stdin (format binary)';
const SIGNATURE = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1');
const FIELDS = 5;
const uuid = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/**
 * Writes one piece of an uploaded file. Its bytes go to the connection as they are: as the value of a statement they
 * would be copied twice, and what a large file leaves behind so is collected late. They are not needed afterwards.
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

/** What comes before the bytes: the file's header, with neither flags nor extension, and the row up to its last field. */
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
