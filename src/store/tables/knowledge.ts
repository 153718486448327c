import type { Nullable, WithDefault } from './columns.ts';

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
  status: 'pending' | 'ready' | 'failed';
  error: Nullable<string>;
  chunk_count: WithDefault<number>;
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
