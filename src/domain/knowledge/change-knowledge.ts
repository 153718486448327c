import { errors } from '../../errors.ts';
import type { AddressRules } from '../../shared/address-rules.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import { insertJob } from '../../store/jobs.ts';
import { replaceChunks } from '../../store/knowledge/chunks.ts';
import {
  agentsWith,
  deleteKnowledgeBase,
  insertKnowledgeBase,
  lockKnowledgeBase,
  updateKnowledgeBase,
} from '../../store/knowledge/bases.ts';
import { deleteSources, insertSources, listSources, type NewSource } from '../../store/knowledge/sources.ts';
import { MAX_SOURCES, toSources, type KnowledgeInput } from './knowledge-input.ts';
import { lockKnowledgeUsage } from '../../store/knowledge/usage.ts';
import { toStored } from './search-form.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export interface KnowledgeDeps {
  db: Db;
  clock: Clock;
  /** Limit of all knowledge of a workspace. */
  knowledgeMaxBytes: number;
  guard: AddressRules;
}
export interface QueuedKnowledge {
  kbId: string;
  filesQueued: number;
  urlsQueued: number;
  faqsAdded: number;
}
type OnStored = (tx: Tx, queued: QueuedKnowledge) => Promise<void>;

/** The ingestion job of a file or URL; its payload is a SourceRef. */
export const INGEST_JOB = 'knowledge.ingest';

/** Creates a knowledge base. FAQs are searchable at once; jobs ingest files and URLs. */
export async function createKnowledgeBase(
  deps: KnowledgeDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  input: KnowledgeInput & { name: string },
  onStored: OnStored = async () => undefined,
): Promise<QueuedKnowledge> {
  const sources = toSources(deps.guard, workspaceId, input, { files: 'files', urls: 'urls', faqs: 'faqs' });
  if (sources.length === 0) throw errors.invalid('files', 'or urls or faqs must be given');
  const at = new Date(deps.clock.now());
  return commitChange(deps.db, change, async (tx) => {
    const kbId = newId();
    await checkQuota(deps, tx, workspaceId, input.files.length > 0 ? 'files' : 'faqs', sources);
    await insertKnowledgeBase(tx, workspaceId, { id: kbId, name: input.name }, at);
    const queued = await addSources(tx, workspaceId, kbId, sources, at);
    await onStored(tx, queued);
    return queued;
  });
}

export interface KnowledgeChange extends KnowledgeInput {
  readonly kbId: string;
  readonly name: string | null;
  /** Sources by id; files and URLs also by name, FAQs also by question. */
  readonly filesToRemove: readonly string[];
  readonly urlsToRemove: readonly string[];
  readonly faqsToRemove: readonly string[];
}

/** Removes and adds sources. Throws 404 for an unknown knowledge base and 422 for an unknown source. */
export async function changeKnowledgeBase(
  deps: KnowledgeDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  input: KnowledgeChange,
): Promise<QueuedKnowledge & { removed: number }> {
  const fields = { files: 'new_files', urls: 'new_urls', faqs: 'new_faqs' };
  const added = toSources(deps.guard, workspaceId, input, fields);
  const removals = input.filesToRemove.length + input.urlsToRemove.length + input.faqsToRemove.length;
  if (added.length + removals === 0 && input.name === null) {
    throw errors.invalid('new_files', 'or another change must be given');
  }
  if (!isUuid(input.kbId)) throw errors.knowledgeBaseNotFound();
  const at = new Date(deps.clock.now());
  return commitChange(deps.db, change, async (tx) => {
    const base = await lockKnowledgeBase(tx, workspaceId, input.kbId);
    if (base === undefined) throw errors.knowledgeBaseNotFound();
    const present = await listSources(tx, workspaceId, base.id);
    const removed = new Set([
      ...named(present, 'file', input.filesToRemove, 'files_to_remove'),
      ...named(present, 'url', input.urlsToRemove, 'urls_to_remove'),
      ...named(present, 'faq', input.faqsToRemove, 'faqs_to_remove'),
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
    const field = input.files.length > 0 ? 'new_files' : 'new_faqs';
    await checkQuota(deps, tx, workspaceId, field, added);
    await updateKnowledgeBase(tx, workspaceId, base.id, input.name, at);
    const queued = await addSources(tx, workspaceId, base.id, added, at);
    return { ...queued, removed: removed.size };
  });
}

/** Deletes a knowledge base with its sources. Throws 409 while a version of an agent uses it. */
export async function removeKnowledgeBase(
  deps: KnowledgeDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  kbId: string,
): Promise<void> {
  if (!isUuid(kbId)) throw errors.knowledgeBaseNotFound();
  await commitChange(deps.db, change, async (tx) => {
    const base = await lockKnowledgeBase(tx, workspaceId, kbId);
    if (base === undefined) throw errors.knowledgeBaseNotFound();
    const agents = await agentsWith(tx, workspaceId, base.id);
    if (agents.length > 0) throw errors.knowledgeBaseAttached(agents.map((agent) => agent.name));
    await deleteKnowledgeBase(tx, workspaceId, base.id);
  });
}

/** Ids of the sources that `names` refer to. */
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

/**
 * Throws 422 naming `field` if the files and FAQs would exceed the workspace's quota; the text of a URL is checked when it
 * is read.
 */
async function checkQuota(
  { knowledgeMaxBytes: maximum }: KnowledgeDeps,
  tx: Tx,
  workspaceId: string,
  field: string,
  sources: readonly NewSource[],
): Promise<void> {
  const added = sources.reduce(
    (sum, { kind, name, answer, content }) =>
      sum + (kind === 'faq' ? Buffer.byteLength(name + (answer ?? '')) : (content?.length ?? 0)),
    0,
  );
  if (added === 0) return;
  const used = await lockKnowledgeUsage(tx, workspaceId);
  if (used + added <= maximum) return;
  const mb = (bytes: number): string => (bytes / 1_048_576).toFixed(1);
  throw errors.invalid(
    field,
    `would exceed the knowledge quota of the workspace: the limit is ${mb(maximum)} MB, ${mb(used)} MB are in use and ${mb(added)} MB would be added`,
  );
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
