import type { VersionConfig } from '../store/json/agent-version.ts';
import type { Config } from '../config.ts';
import { callKnowledge } from '../domain/knowledge/call-knowledge.ts';
import type { EmbeddingChargeDeps } from '../domain/knowledge/embedding-charges.ts';
import { MeaningSearch } from '../domain/knowledge/meaning-search.ts';
import { createEmbedder } from '../vendors/openai-compatible/embeddings.ts';
import type { Embedder } from '../shared/knowledge/embedder.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';
import { openPgvector } from '../store/knowledge/pgvector.ts';

export interface KnowledgeMeaning {
  readonly embedder: Embedder;
  /** pgvector is available: the database compares vectors. */
  readonly hasNear: boolean;
  readonly search: MeaningSearch;
}

/** Semantic knowledge search; null without an embedding model. */
export async function openMeaning(
  settings: Config['embeddings'],
  deps: EmbeddingChargeDeps & { readonly log: Log },
): Promise<KnowledgeMeaning | null> {
  if (settings === null) return null;
  const { db, log } = deps;
  const embedder = createEmbedder(settings);
  const hasNear = await openPgvector(db).catch((error: unknown) => {
    log.warn(
      { err: error },
      'pgvector is installed but cannot be used: vectors are compared in this process',
    );
    return false;
  });
  return { embedder, hasNear, search: new MeaningSearch({ ...deps, embedder, hasNear }) };
}

type ReadKnowledge = (workspaceId: string, config: VersionConfig) => Promise<readonly KnowledgeItem[]>;

/** A call goes on without knowledge that cannot be read: the agent answers that it does not know. */
export const knowledgeReader =
  (db: Db, log: Log, meaning: MeaningSearch | null): ReadKnowledge =>
  (workspaceId, config) => {
    meaning?.warm(workspaceId, config.knowledgeBaseIds ?? []);
    return callKnowledge(db, workspaceId, config).catch((error: unknown) => {
      log.error({ err: error, workspaceId }, 'the knowledge of a call could not be read');
      return [];
    });
  };
