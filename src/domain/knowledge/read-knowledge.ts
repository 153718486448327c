import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { KnowledgeIndex, type KnowledgeItem } from '../../shared/knowledge/knowledge-index.ts';
import type { Db } from '../../store/database.ts';
import { searchChunks, type ChunkRow } from '../../store/knowledge-chunks.ts';
import {
  agentsWith,
  countSources,
  findKnowledgeBase,
  listKnowledgeBases,
  listSources,
  type KnowledgeBaseRow,
  type SourceRow,
} from '../../store/knowledge.ts';
import { toQuery } from './search-form.ts';

type Counts = readonly { kind: SourceRow['kind']; status: SourceRow['status']; count: number }[];

/** Chunks the database's rank hands on to the finer one. */
const CANDIDATES = 200;

/** Every knowledge base of the workspace, newest first. */
export async function readKnowledgeBases(deps: { db: Db }, workspaceId: string) {
  const bases = await listKnowledgeBases(deps.db, workspaceId);
  const counts = await countSources(deps.db, workspaceId);
  return bases.map((base) =>
    toSummary(
      base,
      counts.filter((count) => count.kb_id === base.id),
    ),
  );
}

/** One knowledge base with its sources, and the agents that use it. */
export async function readKnowledgeBase(deps: { db: Db }, workspaceId: string, kbId: string) {
  const base = isUuid(kbId) ? await findKnowledgeBase(deps.db, workspaceId, kbId) : undefined;
  if (base === undefined) throw errors.knowledgeBaseNotFound();
  const sources = await listSources(deps.db, workspaceId, base.id);
  const agents = await agentsWith(deps.db, workspaceId, base.id);
  const counts = sources.map(({ kind, status }) => ({ kind, status, count: 1 }));
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
    faqs: of('faq').map((s) => ({ id: s.id, question: s.name, answer: s.answer ?? '' })),
    agents: agents.map(({ id, name }) => ({ agent_id: id, agent_display_name: name })),
  };
}

const stateOf = (source: SourceRow) => ({
  status: source.status === 'ready' ? ('completed' as const) : source.status,
  error: source.error,
  chunks: source.chunk_count,
});

function toSummary(base: KnowledgeBaseRow, counts: Counts) {
  const count = (kind: string): number =>
    counts.filter((c) => c.kind === kind).reduce((sum, c) => sum + c.count, 0);
  return {
    kb_id: base.id,
    kb_name: base.name,
    processing_status: processingStatus(counts),
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

/** The chunks that answer a question best. The same question comes first, then by rank. */
export async function queryKnowledgeBase(
  deps: { db: Db },
  workspaceId: string,
  kbId: string,
  question: string,
  topK: number,
) {
  const base = isUuid(kbId) ? await findKnowledgeBase(deps.db, workspaceId, kbId) : undefined;
  if (base === undefined) throw errors.knowledgeBaseNotFound();
  const query = toQuery(question);
  if (query === null) return [];
  const rows = await searchChunks(deps.db, { workspaceId, kbId: base.id }, query, CANDIDATES);
  return new KnowledgeIndex(rows.map(toItem)).search(question, topK).map(({ at, score }) => {
    const row = rows[at]!;
    return {
      text: row.body,
      question: row.question,
      heading: row.heading === '' ? null : row.heading,
      score,
      source: { id: row.sourceId, type: row.sourceKind, name: row.sourceName },
      position: row.seq,
    };
  });
}

/** A chunk as a conversation looks it up. */
export const toItem = (row: ChunkRow): KnowledgeItem => ({
  ...(row.question === null ? {} : { question: row.question }),
  ...(row.heading === '' ? {} : { heading: row.heading }),
  text: row.body,
  source: row.sourceKind === 'faq' ? 'FAQ' : row.sourceName,
});
