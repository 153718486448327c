import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import type { NewChunk } from './chunks.ts';

/** The text of chunks in bytes. */
export const bytesOf = (chunks: readonly NewChunk[]): number =>
  chunks.reduce(
    (sum, { heading, question, body }) => sum + Buffer.byteLength(heading + (question ?? '') + body),
    0,
  );

/**
 * The bytes of all knowledge sources of a workspace but `except`. Holds an advisory lock until the transaction ends, so
 * that concurrent additions cannot exceed the quota together. Lock order: knowledge base, then this.
 */
export async function lockKnowledgeUsage(
  tx: Tx,
  workspaceId: string,
  except: string | null = null,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`knowledge ${workspaceId}`}, 0))`.execute(tx);
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(stored_bytes), 0)::float8 as bytes from knowledge_sources
    where workspace_id = ${workspaceId} and id is distinct from ${except}::uuid`.execute(tx);
  return rows[0]?.bytes ?? 0;
}
