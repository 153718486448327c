import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../helpers/service.ts';
import { openLibrary, type Library } from '../helpers/library.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

describe('sources that cannot be read', () => {
  it('stay with their reasons, and the others count', async () => {
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
    expect(base['processing_status']).toBe('completed');
    expect(base['urls'].map((u: any) => [u.url.replace(library.site.url, ''), u.status, u.error])).toEqual([
      ['/loop', 'failed', 'redirects too often'],
      ['/inner', 'failed', 'leads to an address that may not be fetched'],
      ['/file-scheme', 'failed', 'leads to an address that is no http or https URL'],
      ['/image', 'failed', 'is not a PDF, DOCX, TXT, MD, HTML or CSV document'],
      ['/huge', 'failed', 'is larger than 10 MB'],
      ['/gone', 'failed', 'answers with status 404'],
      ['http://169.254.169.254/latest/meta-data', 'failed', 'leads to an address that may not be fetched'],
      ['http://[::ffff:a00:1]/', 'failed', 'leads to an address that may not be fetched'],
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

  it('are tried again while they may come back, then given up', async () => {
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
