import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKnowledgeBase, changeKnowledgeBase } from '../../src/domain/knowledge/change-knowledge.ts';
import { embedSources, fillMissingNear } from '../../src/domain/knowledge/embed-sources.ts';
import { storedChunks } from '../../src/domain/knowledge/search-form.ts';
import { finishSource } from '../../src/domain/knowledge/finish-source.ts';
import { lookUpKnowledge } from '../../src/domain/knowledge/look-up.ts';
import { MeaningSearch } from '../../src/domain/knowledge/meaning-search.ts';
import { searchKnowledge } from '../../src/domain/knowledge/search-knowledge.ts';
import { KnowledgeEmbedder } from '../../src/jobs/embed-knowledge.ts';
import { createEmbedder } from '../../src/vendors/openai-compatible/embeddings.ts';
import { startFakeEmbeddingsServer, type FakeEmbeddingsServer } from '../helpers/embeddings-server.ts';
import { ManualClock } from '../../src/shared/clock.ts';
import type { Embedder } from '../../src/shared/knowledge/embedder.ts';
import { silentLog } from '../../src/shared/log.ts';
import { createTenant } from '../helpers/api/api.ts';
import { eventually } from '../helpers/service/service.ts';
import { vectorDatabases, type VectorDatabase } from '../helpers/database/vector-databases.ts';

/** Longer than any response of a healthy server in this test. */
const PATIENT_MS = 10_000;
const FAQS = [
  { question: 'Where can I leave my car?', answer: 'The garage below the house is free.' },
  { question: 'How much is a cleaning?', answer: 'A cleaning costs 80 dollars.' },
  { question: 'May I bring my dog?', answer: 'Guide dogs only.' },
];

describe.each(vectorDatabases)('semantic search with vectors compared $where', ({ open }) => {
  let database: VectorDatabase;
  let server: FakeEmbeddingsServer;
  const clock = new ManualClock();
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    server = await startFakeEmbeddingsServer();
    clock.advance(1000);
  });
  afterEach(() => server.close());

  const embedderOf = (model: string, dimensions: number | null = null): Embedder =>
    createEmbedder({ baseUrl: server.baseUrl, apiKey: 'key', model, dimensions });
  const meaningOf = (embedder: Embedder): MeaningSearch =>
    new MeaningSearch({ ...database, clock, log: silentLog, embedder });
  const guard = { refusal: () => null, innerRule: () => null };
  const deps = () => ({ db: database.db, clock, guard, knowledgeMaxBytes: Number.MAX_SAFE_INTEGER });
  const never = new AbortController().signal;

  /** Runs the embedder of a job process until nothing is due. */
  async function embedAll(embedder: Embedder): Promise<void> {
    // Another model's vectors are complete by now.
    clock.advance(600_001);
    const runner = new KnowledgeEmbedder({ ...database, clock, log: silentLog, embedder, pollMs: 10 });
    runner.start();
    await eventually('everything to be embedded', async () => {
      const { count } = await database.db
        .selectFrom('knowledge_sources')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('chunk_count', '>', 0)
        .where((e) => e.or([e('vector_model', 'is', null), e('vector_model', '!=', embedder.name)]))
        .executeTakeFirstOrThrow();
      return count === 0 ? true : null;
    });
    await runner.stop();
    // The pgvector index is filled after the sources are done, so the stop may have come first.
    if (!database.hasNear) return;
    await fillMissingNear(database.db, embedder.name, never);
    const { rows } = await sql<{ missing: number }>`
      select count(*) as missing from knowledge_vectors where near is null`.execute(database.db);
    expect(Number(rows[0]?.missing)).toBe(0);
  }

  async function baseOf(faqs: readonly { question: string; answer: string }[] = FAQS) {
    const { workspaceId } = await createTenant({ db: database.db, clock });
    const { kbId } = await createKnowledgeBase(deps(), workspaceId, null, {
      name: 'Base',
      files: [],
      urls: [],
      faqs,
    });
    return { workspaceId, kbId, at: { workspaceId, kbIds: [kbId], byStranger: false } };
  }
  const sourcesOf = (workspaceId: string) =>
    database.db
      .selectFrom('knowledge_sources')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('name')
      .execute();
  const vectorsOf = async (workspaceId: string) =>
    database.db
      .selectFrom('knowledge_vectors')
      .select(['source_id', 'model', 'vector'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('source_id')
      .execute();

  it('finds a chunk without a common word, with found_by', async () => {
    const embedder = embedderOf('words');
    const { at, workspaceId } = await baseOf();
    const question = 'kleaning?';
    const before = await searchKnowledge(deps(), at, question, 3, PATIENT_MS);
    expect(before).toEqual({ chunks: [], meaning: 'off' });
    await embedAll(embedder);
    const found = await searchKnowledge(
      { ...deps(), meaning: meaningOf(embedder) },
      at,
      question,
      3,
      PATIENT_MS,
    );
    expect(found.meaning).toBe('used');
    expect(found.chunks[0]).toMatchObject({
      item: { question: 'How much is a cleaning?' },
      foundBy: ['meaning'],
    });
    const both = await searchKnowledge(
      { ...deps(), meaning: meaningOf(embedder) },
      at,
      'price of cleanings',
      3,
      PATIENT_MS,
    );
    expect(both.chunks[0]).toMatchObject({
      item: { question: 'How much is a cleaning?' },
      foundBy: ['words', 'meaning'],
    });
    expect(server.requests.every(({ authorization }) => authorization === 'Bearer key')).toBe(true);
    expect((await vectorsOf(workspaceId)).map(({ vector }) => vector.byteLength)).toEqual([2048, 2048, 2048]);
  });

  it('ranks an identical question first without calling the model', async () => {
    const embedder = embedderOf('words');
    const { at } = await baseOf();
    await embedAll(embedder);
    server.behaviour.fault = { type: 'hang' };
    const found = await searchKnowledge(
      { ...deps(), meaning: meaningOf(embedder) },
      at,
      'may i bring my DOG',
      2,
      PATIENT_MS,
    );
    expect(found).toMatchObject({ meaning: 'not_needed', chunks: [{ score: 1, foundBy: ['question'] }] });
  });

  it('falls back to full-text results after its timeout', async () => {
    const embedder = embedderOf('words');
    const { at } = await baseOf();
    await embedAll(embedder);
    const meaning = meaningOf(embedder);
    const plain = await searchKnowledge(deps(), at, 'cleaning of a car', 3, 0);
    expect(plain.chunks.length).toBeGreaterThan(0);
    server.behaviour.fault = { type: 'hang' };
    const late = await searchKnowledge({ ...deps(), meaning }, at, 'cleaning of a car', 3, 50);
    expect(late).toEqual({ chunks: plain.chunks, meaning: 'late' });
    // The tool log of the call contains it.
    const outcome = await lookUpKnowledge({ db: database.db, meaning, log: silentLog, waitMs: 50 }, at, {
      question: 'cleaning of a car',
    });
    expect(outcome).toMatchObject({ ok: true, result: { meaning: 'late' } });
  });

  it.each([
    { type: 'status', status: 401 },
    { type: 'status', status: 500 },
    { type: 'garbage' },
    { type: 'reset' },
    { type: 'fewer' },
    { type: 'longer' },
    { type: 'null' },
  ] as const)('falls back to full-text results while the server fails with %o', async (fault) => {
    const embedder = embedderOf('words', 64);
    const { at } = await baseOf();
    await embedAll(embedder);
    server.behaviour.fault = fault;
    const meaning = meaningOf(embedder);
    const plain = await searchKnowledge(deps(), at, 'cleaning of a car', 3, 0);
    const found = await searchKnowledge({ ...deps(), meaning }, at, 'cleaning of a car', 3, PATIENT_MS);
    expect(found).toEqual({ chunks: plain.chunks, meaning: 'failed' });
    // The circuit breaker opens, then closes.
    server.behaviour.fault = null;
    const sentBefore = server.requests.length;
    expect(await meaning.search(at, 'cleaning', 3, PATIENT_MS)).toEqual({ state: 'failed' });
    expect(server.requests).toHaveLength(sentBefore);
    clock.advance(5001);
    expect(await meaning.search(at, 'cleaning', 3, PATIENT_MS)).toMatchObject({ state: 'used' });
  });

  it('embeds concurrent equal questions once', async () => {
    const embedder = embedderOf('words');
    const { at } = await baseOf();
    await embedAll(embedder);
    const meaning = meaningOf(embedder);
    const sentBefore = server.requests.length;
    await Promise.all(['a dog', 'A dog ', 'a dog'].map((text) => meaning.search(at, text, 3, PATIENT_MS)));
    await meaning.search(at, 'a dog', 3, PATIENT_MS);
    expect(server.requests.length - sentBefore).toBe(1);
  });

  it('keeps a failing source in full-text search, shows the error, and retries it alone', async () => {
    const embedder = embedderOf('words');
    server.behaviour.refuses = 'Guide dogs';
    const { at, workspaceId } = await baseOf();
    const failing = embedSources({ ...deps(), embedder }, never);
    await expect(failing).rejects.toThrow('the embeddings server answered 400');
    expect((await sourcesOf(workspaceId)).map((s) => s.vector_error)).toEqual(
      FAQS.map(() => 'the embeddings server answered 400'),
    );
    expect(await embedSources({ ...deps(), embedder }, never)).toBe(0);
    expect((await searchKnowledge(deps(), at, 'dog', 1, 0)).chunks).toHaveLength(1);
    // One request per source, so that a rejected source does not block others.
    clock.advance(5001);
    for (let turn = 0; turn < 3; turn += 1) {
      await embedSources({ ...deps(), embedder }, never).catch(() => undefined);
    }
    const states = (await sourcesOf(workspaceId)).map(
      (s) => [s.name, s.vector_model, s.vector_tries] as const,
    );
    expect(states).toEqual([
      ['How much is a cleaning?', 'words', 2],
      ['May I bring my dog?', null, 2],
      ['Where can I leave my car?', 'words', 2],
    ]);
    // The delay grows; a new process tries at once.
    clock.advance(5001);
    expect(await embedSources({ ...deps(), embedder }, never)).toBe(0);
    delete server.behaviour.refuses;
    await embedAll(embedder);
    expect((await sourcesOf(workspaceId)).map((s) => s.vector_error)).toEqual([null, null, null]);
  });

  it('re-embeds sources for another model or dimension, and ignores old vectors', async () => {
    const [first, second] = [embedderOf('one', 64), embedderOf('one', 128)];
    expect([first.name, second.name]).toEqual(['one@64', 'one@128']);
    const { at, workspaceId } = await baseOf();
    await embedAll(first);
    const meaning = meaningOf(second);
    expect(await meaning.search(at, 'dog', 3, PATIENT_MS)).toEqual({ state: 'used', chunks: [] });
    // Two processes with different models would overwrite each other for ever.
    expect(await embedSources({ ...deps(), embedder: second }, never)).toBe(0);
    clock.advance(600_001);
    await embedAll(second);
    expect((await vectorsOf(workspaceId)).map((v) => [v.model, v.vector.byteLength])).toEqual(
      FAQS.map(() => ['one@128', 512]),
    );
    const found = await meaning.search(at, 'dog', 3, PATIENT_MS);
    expect(found).toMatchObject({ state: 'used', chunks: expect.arrayContaining([expect.anything()]) });
    expect(server.requests.some(({ dimensions }) => dimensions === 128)).toBe(true);
  });

  it('deletes vectors with their chunks, and finds added chunks', async () => {
    const embedder = embedderOf('words');
    const { at, workspaceId, kbId } = await baseOf();
    await embedAll(embedder);
    const meaning = meaningOf(embedder);
    const texts = async (question: string): Promise<string[]> =>
      (await searchKnowledge({ ...deps(), meaning }, at, question, 5, PATIENT_MS)).chunks.map(
        (c) => c.item.body,
      );
    expect(await texts('doggie')).toContain('Guide dogs only.');
    const none = { kbId, name: null, files: [], urls: [], faqs: [], filesToRemove: [], urlsToRemove: [] };
    clock.advance(1);
    await changeKnowledgeBase(deps(), workspaceId, null, {
      ...none,
      faqs: [{ question: 'Is there a catflap?', answer: 'Cats come and go.' }],
      faqsToRemove: ['May I bring my dog?'],
    });
    expect(await vectorsOf(workspaceId)).toHaveLength(2);
    await embedAll(embedder);
    expect(await vectorsOf(workspaceId)).toHaveLength(3);
    expect(await texts('doggie')).not.toContain('Guide dogs only.');
    expect((await texts('catflaps'))[0]).toBe('Cats come and go.');
  });

  it('stores no vector of a chunk that was replaced during its embedding', async () => {
    const embedder = embedderOf('words');
    const { workspaceId, kbId } = await baseOf([{ question: 'Old?', answer: 'Old words.' }]);
    const [source] = await sourcesOf(workspaceId);
    const slow: Embedder = {
      name: embedder.name,
      async embed(texts, limits) {
        const vectors = await embedder.embed(texts, limits);
        clock.advance(1);
        const ref = { workspaceId, kbId, sourceId: source!.id };
        await finishSource(
          deps(),
          ref,
          storedChunks([{ type: 'faq', question: 'New?', answer: 'New words.' }]),
        );
        return vectors;
      },
    };
    expect(await embedSources({ ...deps(), embedder: slow }, never)).toBeGreaterThan(0);
    expect(await vectorsOf(workspaceId)).toEqual([]);
    await embedAll(embedder);
    const [vector] = await vectorsOf(workspaceId);
    const [wanted] = await embedder.embed(['New?\nNew words.'], { timeoutMs: PATIENT_MS });
    expect(vector?.vector).toEqual(Buffer.from(wanted!.buffer));
  });

  it('sends requests of bounded size, each text once, from concurrent processes', async () => {
    const embedder = embedderOf('words');
    const { workspaceId } = await baseOf(
      Array.from({ length: 150 }, (_, at) => ({ question: `Number ${at}?`, answer: `${at} `.repeat(1500) })),
    );
    const sentBefore = server.requests.length;
    const runs = [1, 2, 3].map(async () => {
      while ((await embedSources({ ...deps(), embedder }, never)) > 0);
    });
    await Promise.all(runs);
    const sent = server.requests.slice(sentBefore);
    const texts = sent.flatMap((request) => request.texts);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toHaveLength(150);
    expect(Math.max(...texts.map((text) => text.length))).toBe(2000);
    for (const request of sent) {
      expect(request.texts.length).toBeLessThanOrEqual(64);
      expect(request.texts.join('').length).toBeLessThanOrEqual(60_000);
    }
    expect(await vectorsOf(workspaceId)).toHaveLength(150);
  });

  it('searches only the given workspace and knowledge bases', async () => {
    const embedder = embedderOf('words');
    const mine = await baseOf([{ question: 'Shared words?', answer: 'Mine alone.' }]);
    const other = await baseOf(
      Array.from({ length: 300 }, (_, at) => ({ question: `Shared words ${at}?`, answer: `Theirs ${at}.` })),
    );
    await embedAll(embedder);
    const meaning = meaningOf(embedder);
    const bodies = async (at: typeof mine.at): Promise<string[]> =>
      (await searchKnowledge({ ...deps(), meaning }, at, 'sharedwordings', 20, PATIENT_MS)).chunks.map(
        (c) => c.item.body,
      );
    expect(await bodies(mine.at)).toEqual(['Mine alone.']);
    expect((await bodies(other.at)).every((body) => body.startsWith('Theirs'))).toBe(true);
    expect(await bodies({ workspaceId: mine.workspaceId, kbIds: [other.kbId], byStranger: false })).toEqual(
      [],
    );
  });

  it('finds the same nearest chunks as a full scan', async () => {
    const embedder = embedderOf('words', 64);
    const { workspaceId, kbId, at } = await baseOf();
    const words = [
      'garage',
      'garden',
      'cleaner',
      'dentist',
      'weekend',
      'invoice',
      'holiday',
      'parking',
      'window',
    ];
    const text = (n: number): string =>
      [n, n >> 2, n >> 4, n * 7, n * 3].map((i) => words[i % words.length]).join(' ');
    const blocks = Array.from({ length: 1400 }, (_, n) => ({
      type: 'faq' as const,
      question: `${text(n)} ${n}`,
      answer: text(n + 5),
    }));
    const sourceId = (await sourcesOf(workspaceId))[0]!.id;
    await finishSource(deps(), { workspaceId, kbId, sourceId }, storedChunks(blocks));
    await embedAll(embedder);
    const near = await meaningOf(embedder).search(at, 'parking at weekends', 10, PATIENT_MS);
    const all = await database.db
      .selectFrom('knowledge_vectors')
      .select(['source_id', 'seq', 'vector'])
      .where('workspace_id', '=', workspaceId)
      .execute();
    expect(all).toHaveLength(1402);
    const [query] = await embedder.embed(['parking at weekends'], { timeoutMs: PATIENT_MS });
    const likeness = ({ vector }: { vector: Buffer }): number => {
      const numbers = new Float32Array(Uint8Array.from(vector).buffer);
      return numbers.reduce((sum, value, i) => sum + value * query![i]!, 0);
    };
    const best = all
      .map(likeness)
      .toSorted((a, b) => b - a)
      .slice(0, 10);
    expect(near.state).toBe('used');
    const found = near.state === 'used' ? near.chunks.map((chunk) => chunk.likeness) : [];
    expect(found).toHaveLength(10);
    for (const [rank, value] of found.entries()) expect(value).toBeCloseTo(best[rank]!, 4);
  });
});
