import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import { insertJob } from '../../store/jobs.ts';
import { replaceChunks } from '../../store/knowledge-chunks.ts';
import {
  agentsWith,
  deleteKnowledgeBase,
  deleteSources,
  insertKnowledgeBase,
  insertSources,
  listSources,
  lockKnowledgeBase,
  updateKnowledgeBase,
  type NewSource,
} from '../../store/knowledge.ts';
import { MAX_SOURCES, toSources, type KnowledgeInput } from './knowledge-input.ts';
import { toStored } from './search-form.ts';

export interface KnowledgeDeps {
  db: Db;
  clock: Clock;
}
export interface QueuedKnowledge {
  kbId: string;
  filesQueued: number;
  urlsQueued: number;
  faqsAdded: number;
}
type OnStored = (tx: Tx, queued: QueuedKnowledge) => Promise<void>;

/** The job that reads a file or an address; its payload is a SourceRef. */
export const INGEST_JOB = 'knowledge.ingest';

/** Makes a knowledge base. Questions with answers can be found at once; files and addresses are read by jobs. */
export async function createKnowledgeBase(
  deps: KnowledgeDeps,
  workspaceId: string,
  input: KnowledgeInput & { name: string },
  onStored: OnStored = async () => undefined,
): Promise<QueuedKnowledge> {
  const sources = toSources(input, { files: 'files', urls: 'urls', faqs: 'faqs' });
  if (sources.length === 0) throw errors.invalid('files', 'or urls or faqs must be given');
  const at = new Date(deps.clock.now());
  return deps.db.transaction().execute(async (tx) => {
    const kbId = newId();
    await insertKnowledgeBase(tx, workspaceId, { id: kbId, name: input.name }, at);
    const queued = await addSources(tx, workspaceId, kbId, sources, at);
    await onStored(tx, queued);
    return queued;
  });
}

export interface KnowledgeChange extends KnowledgeInput {
  readonly kbId: string;
  readonly name: string | null;
  /** Each names a source by its id, or files and addresses by their names and questions by their words. */
  readonly filesToRemove: readonly string[];
  readonly urlsToRemove: readonly string[];
  readonly faqsToRemove: readonly string[];
}

/** Removes and adds sources. Throws 404 for an unknown knowledge base and 422 for a source that it does not have. */
export async function changeKnowledgeBase(
  deps: KnowledgeDeps,
  workspaceId: string,
  change: KnowledgeChange,
): Promise<QueuedKnowledge & { removed: number }> {
  const added = toSources(change, { files: 'new_files', urls: 'new_urls', faqs: 'new_faqs' });
  const removals = change.filesToRemove.length + change.urlsToRemove.length + change.faqsToRemove.length;
  if (added.length + removals === 0 && change.name === null) {
    throw errors.invalid('new_files', 'or another change must be given');
  }
  if (!isUuid(change.kbId)) throw errors.knowledgeBaseNotFound();
  const at = new Date(deps.clock.now());
  return deps.db.transaction().execute(async (tx) => {
    const base = await lockKnowledgeBase(tx, workspaceId, change.kbId);
    if (base === undefined) throw errors.knowledgeBaseNotFound();
    const present = await listSources(tx, workspaceId, base.id);
    const removed = new Set([
      ...named(present, 'file', change.filesToRemove, 'files_to_remove'),
      ...named(present, 'url', change.urlsToRemove, 'urls_to_remove'),
      ...named(present, 'faq', change.faqsToRemove, 'faqs_to_remove'),
    ]);
    const kept = present.filter((source) => !removed.has(source.id));
    for (const kind of ['file', 'url', 'faq'] as const) {
      const count = [...kept, ...added].filter((source) => source.kind === kind).length;
      if (count > MAX_SOURCES[kind]) {
        throw errors.invalid(
          `new_${kind}s`,
          `would make more than ${MAX_SOURCES[kind]} in this knowledge base`,
        );
      }
    }
    await deleteSources(tx, workspaceId, base.id, [...removed]);
    await updateKnowledgeBase(tx, workspaceId, base.id, change.name, at);
    const queued = await addSources(tx, workspaceId, base.id, added, at);
    return { ...queued, removed: removed.size };
  });
}

/** Deletes it with all it holds. Throws 409 while a version of an agent uses it. */
export async function removeKnowledgeBase(
  deps: KnowledgeDeps,
  workspaceId: string,
  kbId: string,
): Promise<void> {
  if (!isUuid(kbId)) throw errors.knowledgeBaseNotFound();
  await deps.db.transaction().execute(async (tx) => {
    const base = await lockKnowledgeBase(tx, workspaceId, kbId);
    if (base === undefined) throw errors.knowledgeBaseNotFound();
    const agents = await agentsWith(tx, workspaceId, base.id);
    if (agents.length > 0) throw errors.knowledgeBaseAttached(agents.map((agent) => agent.name));
    await deleteKnowledgeBase(tx, workspaceId, base.id);
  });
}

/** Ids of the sources meant by `names`. */
function* named(
  sources: readonly { id: string; kind: string; name: string }[],
  kind: string,
  names: readonly string[],
  field: string,
): Generator<string> {
  for (const [at, name] of names.entries()) {
    const meant = sources.filter(
      (s) => s.kind === kind && (s.id === name.toLowerCase() || s.name === name.trim()),
    );
    if (meant.length === 0) throw errors.invalid(`${field}[${at}]`, 'is not in this knowledge base');
    for (const source of meant) yield source.id;
  }
}

async function addSources(
  tx: Tx,
  workspaceId: string,
  kbId: string,
  sources: readonly NewSource[],
  at: Date,
): Promise<QueuedKnowledge> {
  await insertSources(tx, workspaceId, kbId, sources, at);
  for (const source of sources) {
    const ref = { workspaceId, kbId, sourceId: source.id };
    if (source.kind === 'faq') {
      const chunk = { heading: '', question: source.name, body: source.answer ?? '' };
      await replaceChunks(tx, ref, [toStored(chunk)], at);
    } else {
      await insertJob(tx, { workspaceId, kind: INGEST_JOB, dedup: source.id, payload: { ...ref } }, at);
    }
  }
  const count = (kind: string): number => sources.filter((source) => source.kind === kind).length;
  return { kbId, filesQueued: count('file'), urlsQueued: count('url'), faqsAdded: count('faq') };
}
