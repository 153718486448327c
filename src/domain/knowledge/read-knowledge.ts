import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import {
  agentsWith,
  findKnowledgeBase,
  listKnowledgeBases,
  type KnowledgeBaseRow,
} from '../../store/knowledge/bases.ts';
import { chunksOfSource, type ChunkRow } from '../../store/knowledge/chunks.ts';
import { countSources, findSourceRow, listSources, type SourceRow } from '../../store/knowledge/sources.ts';
import type { Ranked } from './merge-ranks.ts';
import { processingStatus, type ProcessingStatus } from './processing-status.ts';
import { searchKnowledge, type SearchDeps } from './search-knowledge.ts';

/** Null: no embedding model is set, or there is nothing to embed. */
export type EmbeddingStatus = 'pending' | 'completed' | 'failed' | null;

export interface KnowledgeBase {
  readonly id: string;
  readonly name: string;
  readonly processingStatus: ProcessingStatus;
  /** Files and URLs that could not be read. */
  readonly failedSources: number;
  readonly embeddingStatus: EmbeddingStatus;
  /** Sources by kind. */
  readonly counts: Readonly<Record<SourceRow['kind'], number>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface KnowledgeSource {
  readonly id: string;
  readonly kind: SourceRow['kind'];
  readonly name: string;
  readonly answer: string | null;
  readonly format: string | null;
  readonly sizeBytes: number | null;
  readonly status: SourceRow['status'];
  readonly error: string | null;
  readonly chunks: number;
  /** When it was added, read, or failed. */
  readonly updatedAt: Date;
  /** With the embedding model that is set now. */
  readonly embedding: { readonly status: EmbeddingStatus; readonly error: string | null };
}

export interface KnowledgeBaseDetails {
  readonly base: KnowledgeBase;
  readonly sources: readonly KnowledgeSource[];
  /** Agents with a version that uses the knowledge base. */
  readonly agents: readonly { readonly id: string; readonly name: string }[];
}

export interface FoundChunk {
  readonly text: string;
  readonly question: string | null;
  readonly heading: string | null;
  readonly score: number;
  readonly foundBy: Ranked<ChunkRow>['foundBy'];
  readonly source: { readonly id: string; readonly type: SourceRow['kind']; readonly name: string };
  /** The index of the chunk in its source. */
  readonly position: number;
}

/** A page of the chunks of a source. */
export interface SourceChunks {
  readonly source: KnowledgeSource;
  readonly chunks: readonly {
    readonly position: number;
    readonly heading: string | null;
    readonly question: string | null;
    readonly text: string;
  }[];
}

type Counts = readonly {
  kind: SourceRow['kind'];
  status: SourceRow['status'];
  embedding: EmbeddingStatus;
  count: number;
}[];

/** No caller is on the line, so a query may wait for a slow embedding. */
const WAIT_MS = 3000;
const MAX_CHUNKS = 100;

/** Every knowledge base of the workspace, newest first. */
export async function readKnowledgeBases(deps: SearchDeps, workspaceId: string): Promise<KnowledgeBase[]> {
  const bases = await listKnowledgeBases(deps.db, workspaceId);
  const model = deps.meaning?.model ?? null;
  const counts = await countSources(deps.db, workspaceId, model);
  return bases.map((base) =>
    toBase(
      base,
      counts
        .filter((count) => count.kbId === base.id)
        .map((count) => ({ ...count, embedding: model === null ? null : count.embedding })),
    ),
  );
}

/** One knowledge base with its sources and agents. Throws 404. */
export async function readKnowledgeBase(
  deps: SearchDeps,
  workspaceId: string,
  kbId: string,
): Promise<KnowledgeBaseDetails> {
  const base = await knownBase(deps, workspaceId, kbId);
  const rows = await listSources(deps.db, workspaceId, base.id);
  const agents = await agentsWith(deps.db, workspaceId, base.id);
  const sources = rows.map((row) => toSource(row, deps.meaning?.model ?? null));
  const counts = sources.map(({ kind, status, embedding }) => ({
    kind,
    status,
    embedding: embedding.status,
    count: 1,
  }));
  return { base: toBase(base, counts), sources, agents };
}

/** The chunks that a call would find for the question, best first. Throws 404. */
export async function queryKnowledgeBase(
  deps: SearchDeps,
  workspaceId: string,
  kbId: string,
  question: string,
  topK: number,
): Promise<FoundChunk[]> {
  const base = await knownBase(deps, workspaceId, kbId);
  const at = { workspaceId, kbIds: [base.id], byStranger: false };
  const { chunks } = await searchKnowledge(deps, at, question, topK, WAIT_MS);
  return chunks.map(({ item: row, score, foundBy }) => ({
    text: row.body,
    question: row.question,
    heading: row.heading === '' ? null : row.heading,
    score,
    foundBy,
    source: { id: row.sourceId, type: row.sourceKind, name: row.sourceName },
    position: row.seq,
  }));
}

/** The chunks of a source in their order, from the position `offset` on. Throws 404; 400 for a limit above 100. */
export async function readSourceChunks(
  deps: SearchDeps,
  workspaceId: string,
  at: { readonly kbId: string; readonly sourceId: string },
  page: { readonly offset: number; readonly limit: number },
): Promise<SourceChunks> {
  if (page.limit > MAX_CHUNKS) throw errors.limitTooHigh(MAX_CHUNKS);
  const base = await knownBase(deps, workspaceId, at.kbId);
  const ref = { workspaceId, kbId: base.id, sourceId: at.sourceId };
  const row = isUuid(at.sourceId) ? await findSourceRow(deps.db, ref) : undefined;
  if (row === undefined) throw errors.knowledgeSourceNotFound();
  const chunks = await chunksOfSource(deps.db, ref, page.offset, page.limit);
  return {
    source: toSource(row, deps.meaning?.model ?? null),
    chunks: chunks.map(({ seq, heading, question, body }) => ({
      position: seq,
      heading: heading === '' ? null : heading,
      question,
      text: body,
    })),
  };
}

async function knownBase(deps: SearchDeps, workspaceId: string, kbId: string): Promise<KnowledgeBaseRow> {
  const base = isUuid(kbId) ? await findKnowledgeBase(deps.db, workspaceId, kbId) : undefined;
  if (base === undefined) throw errors.knowledgeBaseNotFound();
  return base;
}

const toSource = (row: SourceRow, model: string | null): KnowledgeSource => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  answer: row.answer,
  format: row.format,
  sizeBytes: row.sizeBytes,
  status: row.status,
  error: row.error,
  chunks: row.chunkCount,
  updatedAt: row.updatedAt,
  embedding: embeddingOf(row, model),
});

function embeddingOf(source: SourceRow, model: string | null): KnowledgeSource['embedding'] {
  const isWanted = model !== null && source.status === 'ready' && source.chunkCount > 0;
  if (!isWanted) return { status: null, error: null };
  if (source.vectorModel === model) return { status: 'completed', error: null };
  const error = source.vectorTarget === model ? source.vectorError : null;
  return { status: error === null ? 'pending' : 'failed', error };
}

function toBase(base: KnowledgeBaseRow, counts: Counts): KnowledgeBase {
  const count = (kind: string): number =>
    counts.filter((c) => c.kind === kind).reduce((sum, c) => sum + c.count, 0);
  const inState = (status: SourceRow['status']): number =>
    counts.filter((c) => c.status === status).reduce((sum, c) => sum + c.count, 0);
  const states = { pending: inState('pending'), ready: inState('ready'), failed: inState('failed') };
  return {
    id: base.id,
    name: base.name,
    processingStatus: processingStatus(states),
    failedSources: states.failed,
    embeddingStatus: embeddingStatus(counts),
    counts: { file: count('file'), url: count('url'), faq: count('faq') },
    createdAt: base.createdAt,
    updatedAt: base.updatedAt,
  };
}

/** Failed while the embedding of a source has failed: it is retried, and full-text search finds the source meanwhile. */
function embeddingStatus(counts: Counts): EmbeddingStatus {
  const has = (status: EmbeddingStatus): boolean => counts.some((c) => c.embedding === status && c.count > 0);
  return (['failed', 'pending', 'completed'] as const).find(has) ?? null;
}
