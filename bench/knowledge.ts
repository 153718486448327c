import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { embedSources, fillMissingNear } from '../src/domain/knowledge/embed-sources.ts';
import { createKnowledgeBase } from '../src/domain/knowledge/change-knowledge.ts';
import { storedChunks } from '../src/domain/knowledge/search-form.ts';
import { finishSource } from '../src/domain/knowledge/finish-source.ts';
import { MeaningSearch } from '../src/domain/knowledge/meaning-search.ts';
import { searchKnowledge } from '../src/domain/knowledge/search-knowledge.ts';
import { wordVector } from '../test/helpers/word-vectors.ts';
import { systemClock } from '../src/shared/clock.ts';
import { newId } from '../src/shared/ids.ts';
import type { Embedder } from '../src/shared/knowledge/embedder.ts';
import { unitVector } from '../src/shared/knowledge/vectors.ts';
import { silentLog } from '../src/shared/log.ts';
import { openDatabase, type Db } from '../src/store/database.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { openPgvector } from '../src/store/knowledge/pgvector.ts';
import { migrate } from '../src/store/migrate.ts';
import { percentile } from './conversation/run.ts';
import { QUESTIONS } from './knowledge/questions.ts';
import { heading, saveResult, table } from './report.ts';

/**
 * Latency and quality of knowledge search: keywords, vectors, merged. By default with the embedded database and vector
 * comparison in the process; with `--url` of an empty database on a server with pgvector, there.
 */
const { values: args } = parseArgs({
  options: {
    chunks: { type: 'string', default: '50000' },
    dimensions: { type: 'string', default: '256' },
    url: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
});
const chunks = Number(args.chunks);
const dimensions = Number(args.dimensions);
const SEARCHES = 30;
const OF_BASE = 10_000;
const OF_SOURCE = 2000;
const PATIENT_MS = 60_000;

/** The fake embedding model without its server, so that only our code is measured. */
const embedder: Embedder = {
  name: `fake@${dimensions}`,
  embed: (texts) => Promise.resolve(texts.map((text) => unitVector(wordVector(text, dimensions))!)),
};

const STEMS = 'clin den par rem vis bil car gar lam pon tor sel mir nov fal ket dro win hal bor'.split(' ');
const ENDS =
  'ic tal king oval itor ling den age ette ulum ander ous inder ine ard urn ona elle ish ume'.split(' ');
/** About 8,000 words with a skewed frequency, the same in every run. */
const wordOf = (n: number): string => {
  const mixed = Math.imul(n ^ (n >>> 15), 0x2c1b3c6d) >>> 0;
  const rank = Math.floor(8000 * (mixed / 2 ** 32) ** 3);
  return `${STEMS[rank % 20]}${ENDS[Math.floor(rank / 20) % 20]}${STEMS[Math.floor(rank / 400) % 20]}`;
};
const passage = (n: number, words: number): string =>
  Array.from({ length: words }, (_, at) => wordOf(n * 131 + at)).join(' ');

async function fill(db: Db): Promise<{ workspaceId: string; kbIds: string[]; byStranger: boolean }> {
  const workspaceId = newId();
  const at = new Date();
  await db
    .insertInto('workspaces')
    .values({ id: workspaceId, name: 'Bench', settings: '{}', created_at: at, updated_at: at })
    .execute();
  const guard = { refusal: () => null, innerRule: () => null };
  const deps = { db, clock: systemClock, guard, knowledgeMaxBytes: Number.MAX_SAFE_INTEGER };
  const kbIds: string[] = [];
  for (let done = 0; done < chunks; done += OF_BASE) {
    const inBase = Math.min(OF_BASE, chunks - done);
    const faqs = Array.from({ length: Math.ceil(inBase / OF_SOURCE) }, (_, n) => ({
      question: `Source ${n}?`,
      answer: 'To be replaced.',
    }));
    const input = { name: `Base ${done}`, files: [], urls: [], faqs };
    const { kbId } = await createKnowledgeBase(deps, workspaceId, null, input);
    kbIds.push(kbId);
    const sources = await db
      .selectFrom('knowledge_sources')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('kb_id', '=', kbId)
      .execute();
    for (const [part, { id }] of sources.entries()) {
      const from = done + part * OF_SOURCE;
      const count = Math.min(OF_SOURCE - 1, inBase - part * OF_SOURCE);
      const blocks = Array.from({ length: count }, (_, n) => ({
        type: 'faq' as const,
        question: passage(from + n, 6),
        answer: passage(from + n + 7, 90),
      }));
      await finishSource(deps, { workspaceId, kbId, sourceId: id }, storedChunks(blocks));
    }
  }
  return { workspaceId, kbIds, byStranger: false };
}

const embedAll = async (db: Db): Promise<void> => {
  const { signal } = new AbortController();
  while ((await embedSources({ db, clock: systemClock, embedder }, signal)) > 0);
};
const seconds = async (work: () => Promise<unknown>): Promise<string> => {
  const begin = performance.now();
  await work();
  return `${((performance.now() - begin) / 1000).toFixed(1)} s`;
};

async function speed(db: Db, hasNear: boolean): Promise<string> {
  const at = await fill(db);
  const embedding = await seconds(() => embedAll(db));
  const { signal } = new AbortController();
  const indexing = hasNear ? await seconds(() => fillMissingNear(db, embedder.name, signal)) : '–';
  await db.executeQuery({ sql: 'vacuum analyze', parameters: [], query: { kind: 'RawNode' } } as never);
  const meaning = new MeaningSearch({ db, clock: systemClock, log: silentLog, embedder, hasNear });
  const queries = Array.from({ length: SEARCHES }, (_, n) => passage(n * 977 + 3, 5));
  const first = await seconds(() => meaning.search(at, 'first of all', 30, PATIENT_MS));
  const times = async (search: (question: string) => Promise<unknown>): Promise<string[]> => {
    const taken: number[] = [];
    for (const question of queries) {
      const begin = performance.now();
      await search(question);
      taken.push(performance.now() - begin);
    }
    return [percentile(taken, 0.5), percentile(taken, 0.95)].map((ms) => `${ms.toFixed(0)} ms`);
  };
  const words = await times((q) => searchKnowledge({ db }, at, q, 3, 0));
  const near = await times((q) => meaning.search(at, `${q} .`, 30, PATIENT_MS));
  const merged = await times((q) => searchKnowledge({ db, meaning }, at, `${q} !`, 3, PATIENT_MS));
  return [
    table(
      [
        `search in ${chunks.toLocaleString('en')} chunks of ${at.kbIds.length} knowledge base${at.kbIds.length === 1 ? '' : 's'}`,
        'p50',
        'p95',
      ],
      [
        ['keywords only', ...words],
        ['vectors only', ...near],
        ['both, merged', ...merged],
      ],
    ),
    `Vectors computed and stored in ${embedding}, indexed in ${indexing}; the first vector search took ${first}.`,
  ].join('\n');
}

async function quality(db: Db, hasNear: boolean): Promise<string> {
  const workspaceId = newId();
  const at = new Date();
  await db
    .insertInto('workspaces')
    .values({ id: workspaceId, name: 'Quality', settings: '{}', created_at: at, updated_at: at })
    .execute();
  const guard = { refusal: () => null, innerRule: () => null };
  const deps = { db, clock: systemClock, guard, knowledgeMaxBytes: Number.MAX_SAFE_INTEGER };
  const faqs = [{ question: 'Source?', answer: 'To be replaced.' }];
  const { kbId } = await createKnowledgeBase(deps, workspaceId, null, {
    name: 'Clinic',
    files: [],
    urls: [],
    faqs,
  });
  const { id: sourceId } = await db
    .selectFrom('knowledge_sources')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  // Empty headings keep every sentence in its own chunk.
  const blocks = QUESTIONS.flatMap(({ says }) => [
    { type: 'heading' as const, level: 1, text: '' },
    { type: 'text' as const, text: says },
  ]);
  await finishSource(deps, { workspaceId, kbId, sourceId }, storedChunks(blocks));
  await embedAll(db);
  if (hasNear) await fillMissingNear(db, embedder.name, new AbortController().signal);
  const meaning = new MeaningSearch({ db, clock: systemClock, log: silentLog, embedder, hasNear });
  const search = { workspaceId, kbIds: [kbId], byStranger: false };
  const ranks = async (find: (question: string) => Promise<readonly string[]>): Promise<string[]> => {
    const places: number[] = [];
    for (const { says, asks } of QUESTIONS) places.push((await find(asks)).indexOf(says));
    return [1, 3].map((most) => `${places.filter((place) => place >= 0 && place < most).length}`);
  };
  const found = (m: MeaningSearch | null) => async (question: string) =>
    (await searchKnowledge({ db, meaning: m }, search, question, 3, PATIENT_MS)).chunks.map(
      (c) => c.item.body,
    );
  return table(
    [`of ${QUESTIONS.length} paraphrased questions`, 'answer in the first chunk', 'in the first three'],
    [
      ['keywords only', ...(await ranks(found(null)))],
      ['keywords and fake vectors, merged', ...(await ranks(found(meaning)))],
    ],
  );
}

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const server =
  args.url === undefined ? new EmbeddedPostgres({ dataDir, durable: false, log: silentLog }) : null;
const url = args.url ?? (await server!.start());
try {
  await migrate(url);
  const database = openDatabase(url, { statementTimeoutMs: 600_000 });
  const hasNear = await openPgvector(database.kysely);
  const where = hasNear ? 'pgvector (HNSW)' : 'embedded database, vectors compared in the process';
  const text = [
    heading(`Knowledge: ${where}`, `Vectors of ${dimensions} dimensions derived from words (no model)`),
    await quality(database.kysely, hasNear),
    await speed(database.kysely, hasNear),
  ].join('\n');
  console.log(text);
  if (args.save) saveResult(hasNear ? 'knowledge-pgvector' : 'knowledge', text);
  await database.close();
} finally {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
