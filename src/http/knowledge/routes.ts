import multipart from '@fastify/multipart';
import {
  changeKnowledgeBase,
  createKnowledgeBase,
  removeKnowledgeBase,
  type QueuedKnowledge,
} from '../../domain/knowledge/change-knowledge.ts';
import { MAX_FILE_BYTES, MAX_FILES } from '../../domain/knowledge/knowledge-input.ts';
import {
  queryKnowledgeBase,
  readKnowledgeBase,
  readKnowledgeBases,
  readSourceChunks,
} from '../../domain/knowledge/read-knowledge.ts';
import { requireSpace } from '../server/free-space.ts';
import { idempotent } from '../server/idempotent.ts';
import { readForm, type FormRules } from '../server/multipart-form.ts';
import { UploadPlaces } from '../server/upload-places.ts';
import { answers, IdempotencyHeader } from '../common/schemas.ts';
import {
  ChangeKnowledgeDocumented,
  ChangeKnowledgeFields,
  ChunksQuery,
  CreateKnowledgeDocumented,
  CreateKnowledgeFields,
  DeletedKnowledge,
  KnowledgeAnswer,
  KnowledgeList,
  KnowledgeParams,
  KnowledgeRecord,
  QueryKnowledgeBody,
  QueuedKnowledge as Queued,
  SourceChunks,
  SourceParams,
} from './schemas.ts';
import { toFoundChunk, toKnowledgeBase, toKnowledgeDetails, toQueued, toSourceChunks } from './wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { createBodyCheck } from '../server/validation.ts';

type KnowledgeRouteDeps = Pick<
  ServerDeps,
  'db' | 'clock' | 'kickJobs' | 'knowledgeMaxBytes' | 'guard' | 'space'
>;

const tags = ['Knowledge bases'];
const DEFAULT_CHUNKS = 20;
const consumes = ['application/json', 'multipart/form-data'];
/** Concurrent uploads, which are buffered in memory. */
const UPLOADS = { places: 3, parts: 2, heldMs: 10_000 };
const limits = { maxFiles: MAX_FILES, maxFileBytes: MAX_FILE_BYTES };
const CREATE_FORM: FormRules = { ...limits, fileField: 'files', jsonFields: ['urls', 'faqs'] };
const CHANGE_FORM: FormRules = {
  ...limits,
  fileField: 'new_files',
  jsonFields: ['new_urls', 'new_faqs', 'files_to_remove', 'urls_to_remove', 'faqs_to_remove'],
};

/** The endpoints of /external/kb, in an encapsulated scope with the multipart parser. */
export async function knowledgeRoutes(app: Server, deps: KnowledgeRouteDeps): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: true });
  formRoutes(app, deps);
  readRoutes(app, deps);
}

function formRoutes(app: Server, deps: KnowledgeRouteDeps): void {
  const uploads = new UploadPlaces(UPLOADS);
  const checkCreate = createBodyCheck(CreateKnowledgeFields);
  const checkChange = createBodyCheck(ChangeKnowledgeFields);

  app.post(
    '/external/kb',
    {
      config: { rateClass: 'write', documentedBody: CreateKnowledgeDocumented },
      schema: {
        operationId: 'createKnowledgeBase',
        summary: 'Create a knowledge base from files, URLs and FAQs',
        description:
          'FAQs are searchable at once; files and URLs are ingested in the background. Without files the body may be application/json.',
        tags,
        consumes,
        headers: IdempotencyHeader,
        response: answers(Queued, 400, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      uploads.within(request, async () => {
        await requireSpace(deps);
        const { fields, files } = await readForm(request, CREATE_FORM);
        const { kb_name: name, urls = [], faqs = [] } = checkCreate(fields);
        return idempotent(deps, request, reply, async (store) => {
          const answer = (queued: QueuedKnowledge) => toQueued(queued, 'pending', 'Knowledge base created');
          const input = { name: name.trim(), files, urls, faqs };
          const { caller, changeEntry } = request;
          const created = await createKnowledgeBase(
            deps,
            caller.workspaceId,
            changeEntry,
            input,
            (tx, queued) => store(tx, answer(queued)),
          );
          deps.kickJobs?.();
          return answer(created);
        });
      }),
  );

  app.patch(
    '/external/kb',
    {
      config: { rateClass: 'write', documentedBody: ChangeKnowledgeDocumented },
      schema: {
        operationId: 'changeKnowledgeBase',
        summary: 'Add and remove files, URLs and FAQs, or rename',
        description:
          'Live calls search the changed content; only an agent without a language model searches the content from the start of its call. Without files the body may be application/json.',
        tags,
        consumes,
        response: answers(Queued, 400, 404, 413, 415, 422),
      },
    },
    (request) =>
      uploads.within(request, async () => {
        await requireSpace(deps);
        const { fields, files } = await readForm(request, CHANGE_FORM);
        const body = checkChange(fields);
        const changed = await changeKnowledgeBase(deps, request.caller.workspaceId, request.changeEntry, {
          kbId: body.kb_id,
          name: body.kb_name?.trim() ?? null,
          files,
          urls: body.new_urls ?? [],
          faqs: body.new_faqs ?? [],
          filesToRemove: body.files_to_remove ?? [],
          urlsToRemove: body.urls_to_remove ?? [],
          faqsToRemove: body.faqs_to_remove ?? [],
        });
        deps.kickJobs?.();
        const waits = changed.filesQueued + changed.urlsQueued > 0;
        return toQueued(changed, waits ? 'pending' : 'completed', 'Knowledge base updated');
      }),
  );
}

function readRoutes(app: Server, deps: KnowledgeRouteDeps): void {
  app.get(
    '/external/kb/all',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listKnowledgeBases',
        summary: 'List knowledge bases, newest first',
        description: 'With the state of their ingestion.',
        tags,
        response: answers(KnowledgeList),
      },
    },
    async ({ caller }) => (await readKnowledgeBases(deps, caller.workspaceId)).map(toKnowledgeBase),
  );

  app.get(
    '/external/kb/:kb_id',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getKnowledgeBase',
        summary: 'One knowledge base with the ingestion status of its sources',
        description: 'A source that could not be read has the reason in error.',
        tags,
        params: KnowledgeParams,
        response: answers(KnowledgeRecord, 404),
      },
    },
    async ({ caller, params }) =>
      toKnowledgeDetails(await readKnowledgeBase(deps, caller.workspaceId, params.kb_id)),
  );

  app.get(
    '/external/kb/:kb_id/sources/:source_id/chunks',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listKnowledgeChunks',
        summary: 'The chunks of a source, in its order',
        description: 'What searches find. A source that waits for its ingestion, or failed, has none.',
        tags,
        params: SourceParams,
        querystring: ChunksQuery,
        response: answers(SourceChunks, 400, 404, 422),
      },
    },
    async ({ caller, params, query }) => {
      const page = { limit: query.limit ?? DEFAULT_CHUNKS, offset: query.offset ?? 0 };
      const at = { kbId: params.kb_id, sourceId: params.source_id };
      return toSourceChunks(await readSourceChunks(deps, caller.workspaceId, at, page), page);
    },
  );

  app.delete(
    '/external/kb/:kb_id',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'deleteKnowledgeBase',
        summary: 'Delete a knowledge base that no agent uses',
        description: '409 names the agents that use it.',
        tags,
        params: KnowledgeParams,
        response: answers(DeletedKnowledge, 404, 409),
      },
    },
    async (request) => {
      await removeKnowledgeBase(deps, request.caller.workspaceId, request.changeEntry, request.params.kb_id);
      return { message: 'Knowledge base deleted', kb_id: request.params.kb_id };
    },
  );

  app.post(
    '/external/kb/:kb_id/query',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'queryKnowledgeBase',
        summary: 'The chunks that an agent would find for a question',
        description: 'The same search that runs on a call, with the score of each chunk.',
        tags,
        params: KnowledgeParams,
        body: QueryKnowledgeBody,
        response: answers(KnowledgeAnswer, 400, 404, 413, 415, 422),
      },
    },
    async (request) => {
      const { query, top_k: topK = 5 } = request.body;
      const { workspaceId } = request.caller;
      const { kb_id: kbId } = request.params;
      const chunks = await queryKnowledgeBase(deps, workspaceId, kbId, query, topK);
      return { kb_id: kbId, query, chunks: chunks.map(toFoundChunk) };
    },
  );
}
