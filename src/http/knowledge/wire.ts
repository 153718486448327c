import type { QueuedKnowledge } from '../../domain/knowledge/change-knowledge.ts';
import type {
  FoundChunk,
  KnowledgeBase,
  KnowledgeBaseDetails,
  KnowledgeSource,
  SourceChunks,
} from '../../domain/knowledge/read-knowledge.ts';
import { iso } from '../common/values.ts';

export const toQueued = (queued: QueuedKnowledge, status: 'pending' | 'completed', message: string) => ({
  message,
  kb_id: queued.kbId,
  processing_status: status,
  files_queued: queued.filesQueued,
  urls_queued: queued.urlsQueued,
  faqs_added: queued.faqsAdded,
});

export const toKnowledgeBase = (base: KnowledgeBase) => ({
  kb_id: base.id,
  kb_name: base.name,
  processing_status: base.processingStatus,
  failed_sources: base.failedSources,
  embedding_status: base.embeddingStatus,
  files_count: base.counts.file,
  urls_count: base.counts.url,
  faqs_count: base.counts.faq,
  created_at: iso(base.createdAt),
  updated_at: iso(base.updatedAt),
});

export function toKnowledgeDetails({ base, sources, agents }: KnowledgeBaseDetails) {
  const of = (kind: KnowledgeSource['kind']): KnowledgeSource[] => sources.filter((s) => s.kind === kind);
  return {
    ...toKnowledgeBase(base),
    files: of('file').map((source) => ({
      id: source.id,
      name: source.name,
      format: source.format,
      size_bytes: source.sizeBytes,
      ...toReading(source),
      ...toEmbedding(source),
    })),
    urls: of('url').map((source) => ({
      id: source.id,
      url: source.name,
      ...toReading(source),
      ...toEmbedding(source),
    })),
    faqs: of('faq').map((source) => ({
      id: source.id,
      question: source.name,
      answer: source.answer ?? '',
      chunks: source.chunks,
      updated_at: iso(source.updatedAt),
      ...toEmbedding(source),
    })),
    agents: agents.map(({ id, name }) => ({ agent_id: id, agent_display_name: name })),
  };
}

const toReading = ({ status, error, chunks, updatedAt }: KnowledgeSource) => ({
  status: status === 'ready' ? ('completed' as const) : status,
  error,
  chunks,
  updated_at: iso(updatedAt),
});
const toEmbedding = ({ embedding }: KnowledgeSource) => ({
  embedding_status: embedding.status,
  embedding_error: embedding.error,
});

export const toFoundChunk = (chunk: FoundChunk) => ({
  text: chunk.text,
  question: chunk.question,
  heading: chunk.heading,
  score: chunk.score,
  found_by: [...chunk.foundBy],
  source: chunk.source,
  position: chunk.position,
});

/** `offset` and `limit` as requested. */
export const toSourceChunks = (
  { source, chunks }: SourceChunks,
  page: { readonly offset: number; readonly limit: number },
) => ({
  source: {
    id: source.id,
    type: source.kind,
    name: source.name,
    ...toReading(source),
    ...toEmbedding(source),
  },
  ...page,
  total: source.chunks,
  chunks: chunks.map(({ position, heading, question, text }) => ({
    position,
    length: Array.from(text).length,
    heading,
    question,
    text,
  })),
});
