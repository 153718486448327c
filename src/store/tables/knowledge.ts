import type { Nullable, WithDefault } from './types.ts';

export interface KnowledgeBaseTable {
  workspace_id: string;
  id: string;
  name: string;
  created_at: Date;
  updated_at: Date;
}

export interface KnowledgeSourceTable {
  workspace_id: string;
  kb_id: string;
  id: string;
  kind: 'file' | 'url' | 'faq';
  name: string;
  answer: Nullable<string>;
  format: Nullable<string>;
  content: Nullable<Buffer>;
  size_bytes: Nullable<number>;
  stored_bytes: WithDefault<number>;
  status: 'pending' | 'ready' | 'failed';
  error: Nullable<string>;
  chunk_count: WithDefault<number>;
  vector_model: Nullable<string>;
  vector_target: Nullable<string>;
  vector_tries: WithDefault<number>;
  vector_error: Nullable<string>;
  vector_due_at: Nullable<Date>;
  created_at: Date;
  updated_at: Date;
}

export interface KnowledgeChunkTable {
  workspace_id: string;
  kb_id: string;
  source_id: string;
  seq: number;
  heading: WithDefault<string>;
  question: Nullable<string>;
  asked: Nullable<string>;
  body: string;
  search: string;
}

export interface KnowledgeVectorTable {
  workspace_id: string;
  kb_id: string;
  source_id: string;
  seq: number;
  model: string;
  vector: Buffer;
}
