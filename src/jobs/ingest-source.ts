import { formatOfAnswer, type DocumentFormat } from '../domain/knowledge/document-format.ts';
import { finishSource, refuseSource } from '../domain/knowledge/finish-source.ts';
import type { Clock } from '../shared/clock.ts';
import { Shares } from '../shared/shares/shares.ts';
import type { Db } from '../store/database.ts';
import type { SourceRef } from '../store/knowledge/chunks.ts';
import { findSource } from '../store/knowledge/sources.ts';
import { extractChunks } from './ingest/extractor.ts';
import { UnreadableDocument } from './ingest/zip-entries.ts';
import type { DueJob, JobHandler } from './job-runner.ts';
import type { FetchFailure, SafeFetcher } from '../net/safe-fetch.ts';

const FETCH_MS = 20_000;
const MAX_BYTES = 10 * 1024 * 1024;
const REDIRECTS = 5;
/** Document readers in parallel: each may use a core and 512 MB. A job waits for one, and reads, for less than its lease. */
const READERS = { places: 2, parts: 2, waiting: { perTenant: 8, ms: 90_000 } };

/** Transient failures: the job is retried. */
const TRANSIENT: ReadonlySet<FetchFailure> = new Set(['dns', 'refused', 'timeout', 'network']);
const REASONS: Readonly<Record<FetchFailure, string>> = {
  invalid_url: 'leads to an address that is not an http or https URL',
  blocked: 'leads to an inner address that SAFE_FETCH_ALLOW does not list for knowledge',
  dns: 'names a host that does not resolve',
  refused: 'refuses connections',
  tls: 'has no valid certificate',
  timeout: 'does not answer in time',
  invalid_request: 'cannot be requested',
  network: 'cannot be reached',
};

/** Job that reads one file or URL of a knowledge base. Idempotent: a second run replaces the chunks by equal ones. */
export function ingestSource(deps: {
  db: Db;
  clock: Clock;
  fetcher: Pick<SafeFetcher, 'of'>;
  knowledgeMaxBytes: number;
}): JobHandler {
  const refOf = ({ payload }: DueJob): SourceRef => ({
    workspaceId: String(payload['workspaceId']),
    kbId: String(payload['kbId']),
    sourceId: String(payload['sourceId']),
  });
  const readers = new Shares(READERS);
  return {
    async run(job) {
      const ref = refOf(job);
      const source = await findSource(deps.db, ref);
      if (source === undefined || source.status !== 'pending') return;
      try {
        const document =
          source.kind === 'url'
            ? await download(deps.fetcher.of(ref.workspaceId), source.name)
            : { format: source.format as DocumentFormat, bytes: source.content ?? Buffer.alloc(0) };
        const chunks = await readers.within(ref.workspaceId, () =>
          extractChunks(document.format, document.bytes),
        );
        await finishSource(deps, ref, chunks);
      } catch (error) {
        if (!(error instanceof UnreadableDocument)) throw error;
        await refuseSource(deps, ref, error.message);
      }
    },
    async gaveUp(job) {
      const ref = refOf(job);
      const source = await findSource(deps.db, ref);
      await refuseSource(deps, ref, source?.kind === 'url' ? 'cannot be reached' : 'cannot be read');
    },
  };
}

class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

async function download(
  fetcher: Pick<SafeFetcher, 'fetch'>,
  url: string,
): Promise<{ format: DocumentFormat; bytes: Buffer }> {
  const answer = await fetcher.fetch({
    url,
    method: 'GET',
    headers: {
      'user-agent': 'Callwright-Knowledge/1',
      accept: 'text/html,application/pdf,text/markdown,text/plain,text/csv;q=0.9,*/*;q=0.1',
    },
    body: null,
    timeoutMs: FETCH_MS,
    maxBytes: MAX_BYTES,
    redirects: REDIRECTS,
  });
  if (!answer.ok) {
    if (TRANSIENT.has(answer.failure)) throw new Unreachable(answer.failure);
    throw new UnreadableDocument(REASONS[answer.failure]);
  }
  const { status } = answer;
  if (status >= 500 || status === 429 || status === 408) throw new Unreachable(`status ${status}`);
  if (status >= 300 && status < 400) throw new UnreadableDocument('redirects too often');
  if (status !== 200) throw new UnreadableDocument(`answers with status ${status}`);
  if (answer.isTruncated) throw new UnreadableDocument('is larger than 10 MB');
  const format = formatOfAnswer(answer.contentType, new URL(answer.url).pathname);
  if (format === null) throw new UnreadableDocument('is not a PDF, DOCX, TXT, MD, HTML or CSV document');
  return { format, bytes: answer.body };
}
