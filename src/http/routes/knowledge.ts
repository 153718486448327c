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
} from '../../domain/knowledge/read-knowledge.ts';
import { idempotent } from '../idempotent.ts';
import { readForm, UploadRoom, type FormRules } from '../multipart-form.ts';
import { answers, IdempotencyHeader } from '../schemas/common.ts';
import {
  ChangeKnowledgeDocumented,
  ChangeKnowledgeFields,
  CreateKnowledgeDocumented,
  CreateKnowledgeFields,
  DeletedKnowledge,
  KnowledgeAnswer,
  KnowledgeList,
  KnowledgeParams,
  KnowledgeRecord,
  QueryKnowledgeBody,
  QueuedKnowledge as Queued,
} from '../schemas/knowledge.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';
import { createBodyCheck } from '../validation.ts';

const tags = ['Knowledge bases'];
const consumes = ['multipart/form-data'];
const limits = { maxFiles: MAX_FILES, maxFileBytes: MAX_FILE_BYTES };
const CREATE_FORM: FormRules = { ...limits, fileField: 'files', jsonFields: ['urls', 'faqs'] };
const CHANGE_FORM: FormRules = {
  ...limits,
  fileField: 'new_files',
  jsonFields: ['new_urls', 'new_faqs', 'files_to_remove', 'urls_to_remove', 'faqs_to_remove'],
};

const toAnswer = (queued: QueuedKnowledge, status: 'pending' | 'completed', message: string) => ({
  message,
  kb_id: queued.kbId,
  processing_status: status,
  files_queued: queued.filesQueued,
  urls_queued: queued.urlsQueued,
  faqs_added: queued.faqsAdded,
});

/** /external/kb: POST, PATCH, GET all, GET and DELETE one, POST query. In a scope of its own: forms are read here only. */
export async function knowledgeRoutes(app: Server, deps: ServerDeps): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: true });
  formRoutes(app, deps);
  readRoutes(app, deps);
}

function formRoutes(app: Server, deps: ServerDeps): void {
  const room = new UploadRoom();
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
          'FAQs can be found at once; files and URLs are read in the background. Without files the same fields may come as application/json.',
        tags,
        consumes,
        headers: IdempotencyHeader,
        response: answers(Queued, 400, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      room.within(async () => {
        const { fields, files } = await readForm(request, CREATE_FORM);
        const { kb_name: name, urls = [], faqs = [] } = checkCreate(fields);
        return idempotent(deps, request, reply, async (store) => {
          const answer = (queued: QueuedKnowledge) => toAnswer(queued, 'pending', 'Knowledge base created');
          const input = { name: name.trim(), files, urls, faqs };
          const created = await createKnowledgeBase(deps, request.caller.workspaceId, input, (tx, queued) =>
            store(tx, answer(queued)),
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
          'Calls that run look up what it holds then; only an agent without a language model keeps what its call began with. Without files the body may be application/json.',
        tags,
        consumes,
        response: answers(Queued, 400, 404, 413, 415, 422),
      },
    },
    (request) =>
      room.within(async () => {
        const { fields, files } = await readForm(request, CHANGE_FORM);
        const body = checkChange(fields);
        const changed = await changeKnowledgeBase(deps, request.caller.workspaceId, {
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
        return toAnswer(changed, waits ? 'pending' : 'completed', 'Knowledge base updated');
      }),
  );
}

function readRoutes(app: Server, deps: ServerDeps): void {
  app.get(
    '/external/kb/all',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listKnowledgeBases',
        summary: 'List knowledge bases, newest first',
        tags,
        response: answers(KnowledgeList),
      },
    },
    (request) => readKnowledgeBases(deps, request.caller.workspaceId),
  );

  app.get(
    '/external/kb/:kb_id',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getKnowledgeBase',
        summary: 'One knowledge base with its sources and how far they are read',
        tags,
        params: KnowledgeParams,
        response: answers(KnowledgeRecord, 404),
      },
    },
    (request) => readKnowledgeBase(deps, request.caller.workspaceId, request.params.kb_id),
  );

  app.delete(
    '/external/kb/:kb_id',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'deleteKnowledgeBase',
        summary: 'Delete a knowledge base that no agent uses',
        tags,
        params: KnowledgeParams,
        response: answers(DeletedKnowledge, 404, 409),
      },
    },
    async (request) => {
      await removeKnowledgeBase(deps, request.caller.workspaceId, request.params.kb_id);
      return { message: 'Knowledge base deleted', kb_id: request.params.kb_id };
    },
  );

  app.post(
    '/external/kb/:kb_id/query',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'queryKnowledgeBase',
        summary: 'What an agent would find for a question',
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
      return {
        kb_id: kbId,
        query,
        chunks: await queryKnowledgeBase(deps, workspaceId, kbId, query, topK),
      };
    },
  );
}
