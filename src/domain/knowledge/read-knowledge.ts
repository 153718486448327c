import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import {
  agentsWith,
  countSources,
  findKnowledgeBase,
  listKnowledgeBases,
  listSources,
  type KnowledgeBaseRow,
  type SourceRow,
} from '../../store/knowledge.ts';
import { searchKnowledge, type SearchDeps } from './search-knowledge.ts';

type Counts = readonly {
  kind: SourceRow['kind'];
  status: SourceRow['status'];
  embedding: EmbeddingStatus;
  count: number;
}[];
/** Null: no model for it is set, or there is nothing to embed. */
type EmbeddingStatus = 'pending' | 'completed' | 'failed' | null;

/** No caller is on the line: a slow answer is waited for. */
const WAIT_MS = 3000;

/** Every knowledge base of the workspace, newest first. */
export async function readKnowledgeBases(deps: SearchDeps, workspaceId: string) {
  const bases = await listKnowledgeBases(deps.db, workspaceId);
  const model = deps.meaning?.model ?? null;
  const counts = await countSources(deps.db, workspaceId, model);
  return bases.map((base) =>
    toSummary(
      base,
      counts
        .filter((count) => count.kb_id === base.id)
        .map((count) => ({ ...count, embedding: model === null ? null : count.embedding })),
    ),
  );
}

/** One knowledge base with its sources, and the agents that use it. */
export async function readKnowledgeBase(deps: SearchDeps, workspaceId: string, kbId: string) {
  const base = isUuid(kbId) ? await findKnowledgeBase(deps.db, workspaceId, kbId) : undefined;
  if (base === undefined) throw errors.knowledgeBaseNotFound();
  const sources = await listSources(deps.db, workspaceId, base.id);
  const agents = await agentsWith(deps.db, workspaceId, base.id);
  const model = deps.meaning?.model ?? null;
  const counts = sources.map((source) => {
    const { kind, status } = source;
    return { kind, status, embedding: embeddingOf(source, model).embedding_status, count: 1 };
  });
  const stateOf = (source: SourceRow) => ({ ...readingOf(source), ...embeddingOf(source, model) });
  const of = (kind: SourceRow['kind']): SourceRow[] => sources.filter((source) => source.kind === kind);
  return {
    ...toSummary(base, counts),
    files: of('file').map((s) => ({
      id: s.id,
      name: s.name,
      format: s.format,
      size_bytes: s.size_bytes,
      ...stateOf(s),
    })),
    urls: of('url').map((s) => ({ id: s.id, url: s.name, ...stateOf(s) })),
    faqs: of('faq').map((s) => ({
      id: s.id,
      question: s.name,
      answer: s.answer ?? '',
      ...embeddingOf(s, model),
    })),
    agents: agents.map(({ id, name }) => ({ agent_id: id, agent_display_name: name })),
  };
}

const readingOf = (source: SourceRow) => ({
  status: source.status === 'ready' ? ('completed' as const) : source.status,
  error: source.error,
  chunks: source.chunk_count,
});

/** How far a source is to be found by its meaning, by the model that is set now. */
function embeddingOf(
  source: SourceRow,
  model: string | null,
): { embedding_status: EmbeddingStatus; embedding_error: string | null } {
  const isWanted = model !== null && source.status === 'ready' && source.chunk_count > 0;
  if (!isWanted) return { embedding_status: null, embedding_error: null };
  if (source.vector_model === model) return { embedding_status: 'completed', embedding_error: null };
  const error = source.vector_target === model ? source.vector_error : null;
  return { embedding_status: error === null ? 'pending' : 'failed', embedding_error: error };
}

function toSummary(base: KnowledgeBaseRow, counts: Counts) {
  const count = (kind: string): number =>
    counts.filter((c) => c.kind === kind).reduce((sum, c) => sum + c.count, 0);
  return {
    kb_id: base.id,
    kb_name: base.name,
    processing_status: processingStatus(counts),
    embedding_status: embeddingStatus(counts),
    files_count: count('file'),
    urls_count: count('url'),
    faqs_count: count('faq'),
    created_at: base.created_at.toISOString(),
    updated_at: base.updated_at.toISOString(),
  };
}

/** Pending while anything waits to be read; failed when nothing could be. */
function processingStatus(counts: Counts): 'pending' | 'completed' | 'failed' {
  const has = (status: string): boolean => counts.some((c) => c.status === status && c.count > 0);
  if (has('pending')) return 'pending';
  return has('failed') && !has('ready') ? 'failed' : 'completed';
}

/** Failed as long as any failed: words find it meanwhile, and it is tried again. */
function embeddingStatus(counts: Counts): EmbeddingStatus {
  const has = (status: EmbeddingStatus): boolean => counts.some((c) => c.embedding === status && c.count > 0);
  return (['failed', 'pending', 'completed'] as const).find(has) ?? null;
}

/** The chunks that answer a question best, as a call would find them. */
export async function queryKnowledgeBase(
  deps: SearchDeps,
  workspaceId: string,
  kbId: string,
  question: string,
  topK: number,
) {
  const base = isUuid(kbId) ? await findKnowledgeBase(deps.db, workspaceId, kbId) : undefined;
  if (base === undefined) throw errors.knowledgeBaseNotFound();
  const at = { workspaceId, kbIds: [base.id] };
  const { chunks } = await searchKnowledge(deps, at, question, topK, WAIT_MS);
  return chunks.map(({ item: row, score, foundBy }) => ({
    text: row.body,
    question: row.question,
    heading: row.heading === '' ? null : row.heading,
    score,
    found_by: [...foundBy],
    source: { id: row.sourceId, type: row.sourceKind, name: row.sourceName },
    position: row.seq,
  }));
}
