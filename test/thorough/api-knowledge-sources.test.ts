import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAgent } from '../helpers/api/api.ts';
import { eventually } from '../helpers/service/service.ts';
import { openLibrary, type Library } from '../helpers/knowledge/knowledge-api.ts';

let library: Library;
// The fetcher must refuse inner addresses that were saved while SAFE_FETCH_ALLOW listed them.
const guard = { refusal: () => null, innerRule: () => null };
beforeAll(async () => {
  library = await openLibrary(2_147_483_648, { guard });
});
afterAll(() => library.close());

describe('unreadable sources', () => {
  it('fail with a reason; the other sources are searchable', async () => {
    library.site.seen.length = 0;
    const paths = ['/loop', '/inner', '/file-scheme', '/image', '/huge', '/gone'];
    const urls = [
      ...paths.map((path) => library.site.url + path),
      'http://169.254.169.254/latest/meta-data',
      'http://[::ffff:10.0.0.1]/',
    ];
    const id = await library.create([
      ['urls', JSON.stringify(urls)],
      ['files', 'broken.pdf', '%PDF-1.7 and no more'],
      ['files', 'blank.txt', '   \n\n  '],
      ['files', 'good.txt', 'Parking is free.'],
    ]);
    const base = await library.settled(id);
    expect(base).toMatchObject({ processing_status: 'partial', failed_sources: 10 });
    expect(base['urls'].map((u: any) => [u.url.replace(library.site.url, ''), u.status, u.error])).toEqual([
      ['/loop', 'failed', 'redirects too often'],
      ['/inner', 'failed', 'leads to an inner address that SAFE_FETCH_ALLOW does not list for knowledge'],
      ['/file-scheme', 'failed', 'leads to an address that is not an http or https URL'],
      ['/image', 'failed', 'is not a PDF, DOCX, TXT, MD, HTML or CSV document'],
      ['/huge', 'failed', 'is larger than 10 MB'],
      ['/gone', 'failed', 'answers with status 404'],
      [
        'http://169.254.169.254/latest/meta-data',
        'failed',
        'leads to an inner address that SAFE_FETCH_ALLOW does not list for knowledge',
      ],
      [
        'http://[::ffff:a00:1]/',
        'failed',
        'leads to an inner address that SAFE_FETCH_ALLOW does not list for knowledge',
      ],
    ]);
    expect(library.site.seen.filter((path) => path === '/loop')).toHaveLength(6);
    expect(base['files'].map((f: any) => [f.name, f.status, f.error])).toEqual([
      ['broken.pdf', 'failed', expect.stringMatching(/damaged|no text/)],
      ['blank.txt', 'failed', 'holds no text'],
      ['good.txt', 'completed', null],
    ]);
    const onlyBad = await library.create([['files', 'b.txt', ' ']]);
    expect((await library.settled(onlyBad))['processing_status']).toBe('failed');
  });

  it('are counted in one event when the last source is read', async () => {
    const { agentId } = await createTestAgent(library.api, library.tenant);
    const subscribed = await library.api.request('PATCH', '/api/v0/agent/v1', {
      key: library.tenant.key,
      body: {
        operation: 'edit_event_subscriptions',
        agent_id: agentId,
        event_subscriptions: [
          { event_type: 'knowledge_processed', callback_url: 'https://example.com/hook' },
        ],
      },
    });
    expect(subscribed.status).toBe(200);
    const id = await library.create([
      ['files', 'blank.txt', '  '],
      ['files', 'good.txt', 'Parking is free.'],
      ['files', 'more.txt', 'We open at nine.'],
    ]);
    await library.settled(id);
    const events = await library.api.db
      .selectFrom('events')
      .innerJoin('deliveries', 'deliveries.event_id', 'events.id')
      .select(['events.body', 'deliveries.url', 'deliveries.state'])
      .where('events.event_type', '=', 'knowledge_processed')
      .execute();
    expect(events).toEqual([
      {
        url: 'https://example.com/hook',
        state: 'due',
        body: expect.objectContaining({
          workspace_id: library.tenant.workspaceId,
          kb_id: id,
          processing_status: 'partial',
          completed_sources: 2,
          failed_sources: 1,
        }),
      },
    ]);
  });

  it('are retried after transient failures, then fail', async () => {
    const id = await library.create([['urls', JSON.stringify(['http://127.0.0.1:9/closed'])]]);
    const attempts = async (): Promise<{ attempt: number; state: string } | undefined> =>
      library.api.db
        .selectFrom('jobs')
        .select(['attempt', 'state'])
        .where('payload', '@>', JSON.stringify({ kbId: id }) as never)
        .executeTakeFirst();
    for (const [number, waitMs] of [
      [1, 5000],
      [2, 30_000],
      [3, 120_000],
    ] as const) {
      await eventually(`attempt ${number} to fail`, async () => {
        const job = await library.api.db
          .selectFrom('jobs')
          .select(['attempt', 'last_error', 'due_at'])
          .where('payload', '@>', JSON.stringify({ kbId: id }) as never)
          .executeTakeFirstOrThrow();
        const isOver = job.attempt === number && job.due_at.getTime() <= library.api.clock.now() + waitMs;
        return isOver && job.last_error === 'Unreachable' ? true : null;
      });
      expect((await library.read(id))['processing_status']).toBe('pending');
      library.api.clock.advance(waitMs);
      library.runner.kick();
    }
    const base = await library.settled(id);
    expect(base['urls']).toMatchObject([{ status: 'failed', error: 'cannot be reached' }]);
    expect(
      await eventually('the job to end', async () => ((await attempts())?.state === 'dead' ? true : null)),
    ).toBe(true);
  });
});

describe('the knowledge quota of a workspace', () => {
  let small: Library;
  beforeAll(async () => {
    small = await openLibrary(1_048_576);
  });
  afterAll(() => small.close());
  const text = (bytes: number): string => 'Guests park below the house. '.repeat(bytes / 29);
  const bytesIn = async (): Promise<number> =>
    Number(
      (
        await small.api.db
          .selectFrom('knowledge_sources')
          .select((e) => e.fn.sum<string>('stored_bytes').as('bytes'))
          .executeTakeFirstOrThrow()
      ).bytes,
    );

  it('refuses files and FAQs beyond it with the limit and the use, stores none of them, and binds no other workspace', async () => {
    const id = await small.create([['files', 'a.txt', text(700_000)]]);
    await small.settled(id);
    const used = await bytesIn();
    expect(used).toBeGreaterThan(200_000);
    const tooMuch: [string, string, string] = ['files', 'b.txt', text(1_000_000)];
    const refused = await small.form('POST', [['kb_name', 'More'], tooMuch]);
    expect([refused.status, refused.body['message']]).toEqual([
      422,
      expect.stringMatching(/^files would exceed.*limit is 1\.0 MB, 0\.\d MB are in use/),
    ]);
    const changed = await small.form('PATCH', [
      ['kb_id', id],
      ['new_files', 'b.txt', text(1_000_000)],
    ]);
    expect([changed.status, changed.body['message']]).toEqual([
      422,
      expect.stringMatching(/^new_files would exceed/),
    ]);
    expect(await bytesIn()).toBe(used);
    await small.create([tooMuch], small.other.key);
  });

  it('fails a web page whose text exceeds it', async () => {
    const id = await small.create([['urls', JSON.stringify([`${small.site.url}/large`])]]);
    expect((await small.settled(id))['urls']).toMatchObject([
      { status: 'failed', error: 'exceeds the knowledge quota of the workspace' },
    ]);
  });
});

describe('a text of 10 MB', () => {
  it('is cut into chunks without blocking the event loop', async () => {
    const blockedMs = async (path: string): Promise<number> => {
      const delay = monitorEventLoopDelay({ resolution: 10 });
      delay.enable();
      const id = await library.create([['urls', JSON.stringify([library.site.url + path])]]);
      library.runner.kick();
      expect((await library.settled(id))['processing_status']).toBe('completed');
      delay.disable();
      return delay.max / 1e6;
    };
    await blockedMs('/prices');
    const idle = await blockedMs('/prices');
    const large = await blockedMs('/large');
    // On the main thread it took over 1,000 ms.
    expect(large - idle).toBeLessThan(500);
  });
});

describe('a server that never answers', () => {
  it("delays no other workspace's sources", async () => {
    const urls = (from: number): string =>
      JSON.stringify(Array.from({ length: 10 }, (_, at) => `${library.site.url}/hangs/${from + at}`));
    for (let at = 0; at < 3; at += 1) await library.create([['urls', urls(at * 10)]]);
    await eventually('a request to hang', async () =>
      library.site.seen.some((path) => path.startsWith('/hangs')) ? true : null,
    );
    const { key } = library.other;
    const id = await library.create([['urls', JSON.stringify([`${library.site.url}/prices`])]], key);
    library.runner.kick();
    await eventually('the source of the other workspace', async () =>
      (await library.read(id, key))['processing_status'] === 'completed' ? true : null,
    );
    // The first request still hangs.
    expect(library.site.seen.filter((path) => path.startsWith('/hangs'))).toHaveLength(1);
  });
});
