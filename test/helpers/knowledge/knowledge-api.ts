import { expect } from 'vitest';
import { INGEST_JOB } from '../../../src/domain/knowledge/change-knowledge.ts';
import { ingestSource } from '../../../src/jobs/ingest-source.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createTenant, createTestApi, type Answer, type Tenant, type TestApi } from '../api/api.ts';
import { startPageSite, type PageSite } from '../browser/page-site.ts';
import { eventually } from '../service/service.ts';

/** A form field; with a third member a file. */
export type Part = [name: string, value: string] | [name: string, file: string, content: Buffer | string];

export const FAQS = JSON.stringify([
  { question: 'Where can I park?', answer: 'The garage below the house is free.' },
]);

/** A workspace whose knowledge bases are created, read and queried through the API. */
export interface Library {
  readonly api: TestApi;
  readonly tenant: Tenant;
  /** Key of another workspace. */
  readonly other: Tenant;
  readonly site: PageSite;
  readonly runner: JobRunner;
  /** Sends a multipart form as a browser does. */
  form(
    method: 'POST' | 'PATCH',
    parts: readonly Part[],
    options?: { key?: string | null; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** Creates a knowledge base and returns its ID. */
  create(parts: readonly Part[], key?: string): Promise<string>;
  read(id: string, key?: string): Promise<Record<string, any>>;
  /** Waits until all sources are read and returns the knowledge base. */
  settled(id: string): Promise<Record<string, any>>;
  query(id: string, body: unknown, key?: string): Promise<Answer>;
  /** Queries the knowledge base. */
  find(id: string, question: string): Promise<Record<string, any>[]>;
  close(): Promise<void>;
}

/** Starts an API with a web site to fetch from and a job runner that reads sources. */
export async function openLibrary(
  knowledgeMaxBytes = 2_147_483_648,
  overrides: Parameters<typeof createTestApi>[0] = {},
): Promise<Library> {
  const site = await startPageSite();
  const api = await createTestApi({ knowledgeMaxBytes, ...overrides });
  const [tenant, other] = [await createTenant(api), await createTenant(api)];
  const fetcher = new SafeFetcher({ allow: ['knowledge=127.0.0.1'], purpose: 'knowledge' });
  const runner = new JobRunner({
    db: api.db,
    clock: api.clock,
    log: silentLog,
    pollMs: 50,
    kind: INGEST_JOB,
    handler: ingestSource({ db: api.db, clock: api.clock, fetcher, knowledgeMaxBytes }),
  });
  runner.start();
  const library: Library = {
    api,
    tenant,
    other,
    site,
    runner,
    async form(method, parts, options = {}) {
      const data = new FormData();
      for (const [name, value, content] of parts) {
        if (content === undefined) data.append(name, value);
        else data.append(name, new Blob([new Uint8Array(Buffer.from(content))]), value);
      }
      const request = new Request('http://x/', { method: 'POST', body: data });
      return api.request(method, '/api/v0/external/kb', {
        key: options.key === undefined ? tenant.key : options.key,
        raw: Buffer.from(await request.arrayBuffer()),
        headers: { 'content-type': request.headers.get('content-type') ?? '', ...options.headers },
      });
    },
    async create(parts, key = tenant.key) {
      const answer = await library.form('POST', [['kb_name', 'Clinic'], ...parts], { key });
      expect([answer.status, answer.body]).toMatchObject([200, { processing_status: 'pending' }]);
      return answer.body['kb_id'] as string;
    },
    read: async (id, key = tenant.key) =>
      (await api.request('GET', `/api/v0/external/kb/${id}`, { key })).body,
    settled: (id) =>
      eventually('the sources to be read', async () => {
        const base = await library.read(id);
        return base['processing_status'] === 'pending' ? null : base;
      }),
    query: (id, body, key = tenant.key) =>
      api.request('POST', `/api/v0/external/kb/${id}/query`, { key, body }),
    async find(id, question) {
      const answer = await library.query(id, { query: question });
      expect(answer.status).toBe(200);
      return answer.body['chunks'] as Record<string, any>[];
    },
    async close() {
      await runner.stop();
      await fetcher.close();
      await api.close();
      await site.close();
    },
  };
  return library;
}
