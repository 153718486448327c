import { Type, type TObject } from 'typebox';
import { MAX_FAQS, MAX_FILES, MAX_URLS } from '../../domain/knowledge/knowledge-input.ts';
import { IsoTime, LookupId, nullable, Offset, oneOf, Uuid } from '../common/schemas.ts';

const KbName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  'x-rule': 'must be a text of 1 to 100 characters',
});
const Urls = Type.Array(
  Type.String({ minLength: 1, maxLength: 2048, example: 'https://example.com/prices' }),
  {
    maxItems: MAX_URLS,
    description: 'JSON array. Each page or document is fetched once, up to 10 MB, redirects followed.',
  },
);
const Faqs = Type.Array(
  Type.Object({
    question: Type.String({ minLength: 1, maxLength: 500 }),
    answer: Type.String({ minLength: 1, maxLength: 5000 }),
  }),
  { maxItems: MAX_FAQS, description: 'JSON array of questions with their answers.' },
);
const Names = (what: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
    maxItems: 1000,
    description: `JSON array of ${what}.`,
  });
const Files = {
  type: 'array',
  maxItems: MAX_FILES,
  items: { type: 'string', format: 'binary' },
  description: 'PDF, DOCX, TXT, MD, HTML or CSV, up to 10 MB each.',
};

/** The fields without the files. */
export const CreateKnowledgeFields = Type.Object({
  kb_name: KbName,
  urls: Type.Optional(Urls),
  faqs: Type.Optional(Faqs),
});
export const ChangeKnowledgeFields = Type.Object({
  kb_id: LookupId,
  kb_name: Type.Optional(KbName),
  new_urls: Type.Optional(Urls),
  new_faqs: Type.Optional(Faqs),
  files_to_remove: Type.Optional(Names('file ids or names')),
  urls_to_remove: Type.Optional(Names('URL ids or URLs')),
  faqs_to_remove: Type.Optional(Names('FAQ ids or questions')),
});

/** A form as the reference shows it. */
const documented = (fields: TObject, fileField: string) => ({
  type: 'object',
  required: fields.required,
  properties: { ...fields.properties, [fileField]: Files },
});
export const CreateKnowledgeDocumented = documented(CreateKnowledgeFields, 'files');
export const ChangeKnowledgeDocumented = documented(ChangeKnowledgeFields, 'new_files');

const Status = oneOf(['pending', 'completed', 'failed'], {
  description: 'pending while files or URLs wait for ingestion; failed when every ingestion failed.',
});
export const BaseStatus = oneOf(['pending', 'completed', 'partial', 'failed'], {
  description:
    'pending while files or URLs wait for ingestion; partial when some could not be read, failed when none could.',
});
const EmbeddingStatus = nullable(
  oneOf(['pending', 'completed', 'failed'], {
    description:
      'Status of semantic search. failed: the embedding is retried, and full-text search works meanwhile; null: the service has no embeddings, or there is nothing to embed.',
  }),
);
export const QueuedKnowledge = Type.Object({
  message: Type.String(),
  kb_id: Uuid,
  processing_status: Status,
  files_queued: Type.Integer(),
  urls_queued: Type.Integer(),
  faqs_added: Type.Integer(),
});

const Summary = {
  kb_id: Uuid,
  kb_name: Type.String(),
  processing_status: BaseStatus,
  failed_sources: Type.Integer({ description: 'Files and URLs that could not be read.' }),
  embedding_status: EmbeddingStatus,
  files_count: Type.Integer(),
  urls_count: Type.Integer(),
  faqs_count: Type.Integer(),
  created_at: IsoTime,
  updated_at: IsoTime,
};
const Embedding = {
  embedding_status: EmbeddingStatus,
  embedding_error: nullable(Type.String({ description: 'Why the embedding failed.' })),
};
const ReadAt = Type.String({
  ...IsoTime,
  description: 'When the source was added, read, or failed.',
});
const Source = {
  id: Uuid,
  status: Status,
  error: nullable(Type.String({ description: 'Why the ingestion failed.' })),
  chunks: Type.Integer(),
  updated_at: ReadAt,
  ...Embedding,
};
export const KnowledgeList = Type.Array(Type.Object(Summary));
export const KnowledgeRecord = Type.Object({
  ...Summary,
  files: Type.Array(
    Type.Object({
      ...Source,
      name: Type.String(),
      format: nullable(Type.String()),
      size_bytes: nullable(Type.Integer()),
    }),
  ),
  urls: Type.Array(Type.Object({ ...Source, url: Type.String() })),
  faqs: Type.Array(
    Type.Object({
      id: Uuid,
      question: Type.String(),
      answer: Type.String(),
      chunks: Type.Integer(),
      updated_at: ReadAt,
      ...Embedding,
    }),
  ),
  agents: Type.Array(Type.Object({ agent_id: Uuid, agent_display_name: Type.String() }), {
    description: 'Agents with a version that uses it.',
  }),
});
export const KnowledgeParams = Type.Object({ kb_id: LookupId });
export const SourceParams = Type.Object({ kb_id: LookupId, source_id: LookupId });
export const ChunksQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'More answers 400.' }),
  ),
  offset: Type.Optional(Offset),
});
const SourceType = oneOf(['file', 'url', 'faq']);
export const SourceChunks = Type.Object({
  source: Type.Object({ ...Source, type: SourceType, name: Type.String() }),
  total: Type.Integer({ description: 'Chunks of the source.' }),
  limit: Type.Integer(),
  offset: Type.Integer(),
  chunks: Type.Array(
    Type.Object({
      position: Type.Integer({ description: 'Index of the chunk in its source.' }),
      length: Type.Integer({ description: 'Characters of the text.' }),
      heading: nullable(Type.String({ description: 'The headings above the text.' })),
      question: nullable(Type.String({ description: 'Of a question with its answer.' })),
      text: Type.String(),
    }),
    { description: 'In the order of the source.' },
  ),
});
export const DeletedKnowledge = Type.Object({ message: Type.String(), kb_id: Uuid });

export const QueryKnowledgeBody = Type.Object({
  query: Type.String({ minLength: 1, maxLength: 1000 }),
  top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Default 5.' })),
});
export const KnowledgeAnswer = Type.Object({
  kb_id: Uuid,
  query: Type.String(),
  chunks: Type.Array(
    Type.Object({
      text: Type.String(),
      question: nullable(Type.String()),
      heading: nullable(Type.String()),
      score: Type.Number({
        description: '0 to 1; 1 means an identical question. Comparable within one answer only.',
      }),
      found_by: Type.Array(oneOf(['question', 'words', 'meaning']), {
        description: 'Identical question, full-text search, semantic search.',
      }),
      source: Type.Object({ id: Uuid, type: SourceType, name: Type.String() }),
      position: Type.Integer({ description: 'Index of the chunk in its source.' }),
    }),
    { description: 'Best first.' },
  ),
});
