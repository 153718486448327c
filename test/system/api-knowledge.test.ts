import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INGEST_JOB } from '../../src/domain/knowledge/change-knowledge.ts';
import { ingestSource } from '../../src/jobs/ingest-source.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { SafeFetcher } from '../../src/jobs/safe-fetch.ts';
import { newId } from '../../src/shared/ids.ts';
import { silentLog } from '../../src/shared/log.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../helpers/api.ts';
import { docxOf, pdfOf } from '../helpers/documents.ts';
import { eventually } from '../helpers/service.ts';

let api: TestApi;
let tenant: Tenant;
let other: Tenant;
let site: Server;
let siteUrl: string;
let runner: JobRunner;
let fetcher: SafeFetcher;
const seen: string[] = [];
beforeAll(async () => {
  site = createServer((request, response) => {
    seen.push(request.url ?? '');
    const pages: Record<string, [number, Record<string, string>, string]> = {
      '/prices': [
        200,
        { 'content-type': 'text/html; charset=utf-8' },
        '<h1>Prices</h1><p>A cleaning costs 80 dollars.</p>',
      ],
      '/moved': [302, { location: '/moved-again' }, ''],
      '/moved-again': [301, { location: '/prices' }, ''],
      '/loop': [302, { location: '/loop' }, ''],
      '/inner': [302, { location: 'http://10.0.0.1/secret' }, ''],
      '/file-scheme': [302, { location: 'file:///etc/passwd' }, ''],
      '/image': [200, { 'content-type': 'image/png' }, 'x'],
      '/huge': [200, { 'content-type': 'text/plain' }, 'word '.repeat(2_200_000)],
      '/gone': [404, {}, ''],
    };
    const [status, headers, body] = pages[request.url ?? ''] ?? [404, {}, ''];
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  siteUrl = `http://127.0.0.1:${port}`;
  api = await createTestApi();
  [tenant, other] = [await createTenant(api), await createTenant(api)];
  fetcher = new SafeFetcher({ allow: ['127.0.0.1'] });
  runner = new JobRunner({
    db: api.db,
    clock: api.clock,
    log: silentLog,
    pollMs: 50,
    handlers: { [INGEST_JOB]: ingestSource({ db: api.db, clock: api.clock, fetcher }) },
  });
  runner.start();
});
afterAll(async () => {
  await runner.stop();
  await fetcher.close();
  await api.close();
  await new Promise((resolve) => site.close(resolve));
});

type Part = [name: string, value: string] | [name: string, file: string, content: Buffer | string];

/** A multipart form as a browser sends it. */
async function form(
  method: 'POST' | 'PATCH',
  parts: readonly Part[],
  options: { key?: string | null; headers?: Record<string, string> } = {},
): Promise<Answer> {
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
}

const FAQS = JSON.stringify([
  { question: 'Where can I park?', answer: 'The garage below the house is free.' },
]);
const create = async (parts: readonly Part[], key = tenant.key): Promise<string> => {
  const answer = await form('POST', [['kb_name', 'Clinic'], ...parts], { key });
  expect([answer.status, answer.body]).toMatchObject([200, { processing_status: 'pending' }]);
  return answer.body['kb_id'] as string;
};
const read = async (id: string, key = tenant.key): Promise<Record<string, any>> =>
  (await api.request('GET', `/api/v0/external/kb/${id}`, { key })).body;
const settled = (id: string): Promise<Record<string, any>> =>
  eventually('the sources to be read', async () => {
    const base = await read(id);
    return base['processing_status'] === 'pending' ? null : base;
  });
const query = (id: string, body: unknown, key = tenant.key): Promise<Answer> =>
  api.request('POST', `/api/v0/external/kb/${id}/query`, { key, body });
const find = async (id: string, question: string): Promise<Record<string, any>[]> => {
  const answer = await query(id, { query: question });
  expect(answer.status).toBe(200);
  return answer.body['chunks'] as Record<string, any>[];
};

describe('POST /external/kb', () => {
  it('takes every format, an address and questions, and finds what each says', async () => {
    const answer = await form('POST', [
      ['kb_name', ' Clinic '],
      ['files', 'refunds.pdf', pdfOf(['Refunds take five working days.'])],
      ['files', 'C:\\docs\\garden.docx', docxOf('Garden', ['The garden opens at noon.'])],
      ['files', 'pets.md', '# Pets\n\nDogs are welcome on a leash.'],
      ['files', 'staff.csv', 'Name,Room\nDoctor Rao,Room twelve\n'],
      ['files', 'wifi.TXT', 'The wireless network is called Riverside Guest.'],
      ['files', 'hours.html', '<h2>Hours</h2><p>The pharmacy closes at eight.</p>'],
      ['urls', JSON.stringify([`${siteUrl}/moved#part`])],
      ['faqs', FAQS],
    ]);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: 'Knowledge base created',
        kb_id: expect.any(String),
        processing_status: 'pending',
        files_queued: 6,
        urls_queued: 1,
        faqs_added: 1,
      },
    ]);
    const id = answer.body['kb_id'] as string;
    const base = await settled(id);
    expect(base).toMatchObject({
      kb_name: 'Clinic',
      processing_status: 'completed',
      files_count: 6,
      agents: [],
    });
    expect(base['files'].map((f: any) => [f.name, f.format, f.status, f.error, f.chunks])).toEqual([
      ['refunds.pdf', 'pdf', 'completed', null, 1],
      ['garden.docx', 'docx', 'completed', null, 1],
      ['pets.md', 'md', 'completed', null, 1],
      ['staff.csv', 'csv', 'completed', null, 1],
      ['wifi.TXT', 'txt', 'completed', null, 1],
      ['hours.html', 'html', 'completed', null, 1],
    ]);
    expect(base['urls']).toMatchObject([{ url: `${siteUrl}/moved`, status: 'completed', chunks: 1 }]);
    for (const [question, text, source] of [
      ['How long do refunds take?', 'Refunds take five working days.', 'refunds.pdf'],
      ['When does the garden open?', 'The garden opens at noon.', 'garden.docx'],
      ['Are dogs welcome?', 'Dogs are welcome on a leash.', 'pets.md'],
      ['Which room is Doctor Rao in?', 'Name: Doctor Rao; Room: Room twelve', 'staff.csv'],
      ['What is the wireless network called?', 'The wireless network is called Riverside Guest.', 'wifi.TXT'],
      ['When does the pharmacy close?', 'The pharmacy closes at eight.', 'hours.html'],
      ['How much does a cleaning cost?', 'A cleaning costs 80 dollars.', `${siteUrl}/moved`],
    ] as const) {
      const [best] = await find(id, question);
      expect([question, best?.['text'], best?.['source'].name]).toEqual([question, text, source]);
    }
    const [exact] = await find(id, 'where can i PARK');
    expect(exact).toMatchObject({
      score: 1,
      question: 'Where can I park?',
      text: 'The garage below the house is free.',
      source: { type: 'faq' },
    });
    const stored = await api.db
      .selectFrom('knowledge_sources')
      .select('content')
      .where('kb_id', '=', id)
      .where('content', 'is not', null)
      .execute();
    expect(stored).toEqual([]);
  });

  it('takes the same fields as JSON where there are no files', async () => {
    const answer = await api.request('POST', '/api/v0/external/kb', {
      key: tenant.key,
      body: { kb_name: 'Plain', faqs: [{ question: 'क्या आप खुले हैं?', answer: 'हाँ, हम नौ बजे तक खुले हैं।' }] },
    });
    expect(answer.status).toBe(200);
    const [hit] = await find(answer.body['kb_id'] as string, 'आप कब तक खुले हैं');
    expect(hit?.['text']).toBe('हाँ, हम नौ बजे तक खुले हैं।');
  });

  const NAME: Part = ['kb_name', 'x'];
  it.each<[string, Part[], string]>([
    ['kb_name', [['faqs', FAQS]], 'kb_name is required'],
    [
      'kb_name',
      [
        ['kb_name', ' '],
        ['faqs', FAQS],
      ],
      'kb_name must be a text of 1 to 100 characters',
    ],
    [
      'kb_name',
      [
        ['kb_name', 'x'.repeat(101)],
        ['faqs', FAQS],
      ],
      'kb_name must be a text of 1 to 100 characters',
    ],
    ['nothing', [NAME], 'files or urls or faqs must be given'],
    ['urls', [NAME, ['urls', 'https://a.example']], 'urls must be a JSON array'],
    ['urls', [NAME, ['urls', '{"a":1}']], 'urls must be an array'],
    ['urls', [NAME, ['urls', '[5]']], 'urls[0] must be a string'],
    [
      'urls',
      [NAME, ['urls', '["https://a.example","ftp://b.example"]']],
      'urls[1] must be an http or https URL',
    ],
    ['urls', [NAME, ['urls', '["https://u:p@a.example"]']], 'urls[0] must not hold a user name or password'],
    [
      'urls',
      [NAME, ['urls', JSON.stringify(Array(21).fill('https://a.example'))]],
      'urls must hold at most 20 items',
    ],
    ['faqs', [NAME, ['faqs', '[{"answer":"x"}]']], 'faqs[0].question is required'],
    ['faqs', [NAME, ['faqs', '[{"question":"?!","answer":"x"}]']], 'faqs[0].question must hold words'],
    ['faqs', [NAME, ['faqs', '[{"question":"x","answer":" "}]']], 'faqs[0].answer must not be empty'],
    ['faqs', [NAME, ['faqs', '[{"question":"x\\u0000","answer":"y"}]']], 'faqs[0].question holds NUL'],
    ['files', [NAME, ['files', 'not a file']], 'files must be sent as files'],
    ['files', [NAME, ['files', 'a.exe', 'MZ']], 'files[0] must be a PDF, DOCX, TXT, MD, HTML or CSV file'],
    ['files', [NAME, ['files', 'a.txt', 'x'], ['files', 'b.txt', '']], 'files[1] must not be empty'],
    ['files', [NAME, ['files', 'a.pdf', 'MZ']], 'files[0] must be a PDF file, as its name says'],
    ['files', [NAME, ['files', 'a.docx', '%PDF-1.4']], 'files[0] must be a DOCX file, as its name says'],
    ['files', [NAME, ['other', 'a.txt', 'x']], 'other must not be a file; files are sent as files'],
    [
      'files',
      [NAME, ['files', 'a.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 0x41)]],
      'files[0] must be at most 10 MB',
    ],
    [
      'files',
      [NAME, ...Array.from({ length: 11 }, (_, at): Part => ['files', `${at}.txt`, 'x'])],
      'files must hold at most 10 files',
    ],
  ])('answers 422 and names %s', async (_field, parts, message) => {
    const answer = await form('POST', parts);
    expect([answer.status, answer.body['message']]).toEqual([422, expect.stringContaining(message)]);
  });

  it('answers 401 before it reads the form, 415 and 400 to what is no form', async () => {
    expect((await form('POST', [], { key: null })).status).toBe(401);
    const send = (type: string, raw: string): Promise<Answer> =>
      api.request('POST', '/api/v0/external/kb', { key: tenant.key, raw, headers: { 'content-type': type } });
    expect((await send('text/plain', 'x')).status).toBe(415);
    expect((await send('multipart/form-data', 'x')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=b', '--b\r\nContent-Disp')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=b', 'no parts at all')).status).toBe(400);
  });

  it('leaves forms to its own routes', async () => {
    const answer = await api.request('PATCH', '/api/v0/agent/v1', {
      key: tenant.key,
      raw: '--b--',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(answer.status).toBe(415);
  });

  it('replays under an Idempotency-Key and compares the files', async () => {
    const headers = { 'idempotency-key': 'kb-1' };
    const parts: Part[] = [
      ['kb_name', 'Once'],
      ['files', 'a.txt', 'one'],
    ];
    const first = await form('POST', parts, { headers });
    const again = await form('POST', parts, { headers });
    expect([again.status, again.body['kb_id']]).toEqual([200, first.body['kb_id']]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const changed = await form('POST', [parts[0]!, ['files', 'a.txt', 'two']], { headers });
    expect(changed.status).toBe(422);
  });
});

describe('sources that cannot be read', () => {
  it('stay with their reasons, and the others count', async () => {
    seen.length = 0;
    const paths = ['/loop', '/inner', '/file-scheme', '/image', '/huge', '/gone'];
    const urls = [
      ...paths.map((path) => siteUrl + path),
      'http://169.254.169.254/latest/meta-data',
      'http://[::ffff:10.0.0.1]/',
    ];
    const id = await create([
      ['urls', JSON.stringify(urls)],
      ['files', 'broken.pdf', '%PDF-1.7 and no more'],
      ['files', 'blank.txt', '   \n\n  '],
      ['files', 'good.txt', 'Parking is free.'],
    ]);
    const base = await settled(id);
    expect(base['processing_status']).toBe('completed');
    expect(base['urls'].map((u: any) => [u.url.replace(siteUrl, ''), u.status, u.error])).toEqual([
      ['/loop', 'failed', 'redirects too often'],
      ['/inner', 'failed', 'leads to an address that may not be fetched'],
      ['/file-scheme', 'failed', 'leads to an address that is no http or https URL'],
      ['/image', 'failed', 'is not a PDF, DOCX, TXT, MD, HTML or CSV document'],
      ['/huge', 'failed', 'is larger than 10 MB'],
      ['/gone', 'failed', 'answers with status 404'],
      ['http://169.254.169.254/latest/meta-data', 'failed', 'leads to an address that may not be fetched'],
      ['http://[::ffff:a00:1]/', 'failed', 'leads to an address that may not be fetched'],
    ]);
    expect(seen.filter((path) => path === '/loop')).toHaveLength(6);
    expect(base['files'].map((f: any) => [f.name, f.status, f.error])).toEqual([
      ['broken.pdf', 'failed', expect.stringMatching(/damaged|no text/)],
      ['blank.txt', 'failed', 'holds no text'],
      ['good.txt', 'completed', null],
    ]);
    const onlyBad = await create([['files', 'b.txt', ' ']]);
    expect((await settled(onlyBad))['processing_status']).toBe('failed');
  });

  it('are tried again while they may come back, then given up', async () => {
    const id = await create([['urls', JSON.stringify(['http://127.0.0.1:9/closed'])]]);
    const attempts = async (): Promise<{ attempt: number; state: string } | undefined> =>
      api.db
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
        const job = await api.db
          .selectFrom('jobs')
          .select(['attempt', 'last_error', 'due_at'])
          .where('payload', '@>', JSON.stringify({ kbId: id }) as never)
          .executeTakeFirstOrThrow();
        const isOver = job.attempt === number && job.due_at.getTime() <= api.clock.now() + waitMs;
        return isOver && job.last_error === 'Unreachable' ? true : null;
      });
      expect((await read(id))['processing_status']).toBe('pending');
      api.clock.advance(waitMs);
      runner.kick();
    }
    const base = await settled(id);
    expect(base['urls']).toMatchObject([{ status: 'failed', error: 'cannot be reached' }]);
    expect(
      await eventually('the job to end', async () => ((await attempts())?.state === 'dead' ? true : null)),
    ).toBe(true);
  });
});

describe('PATCH /external/kb', () => {
  it('adds, removes and renames', async () => {
    const id = await create([
      ['files', 'old.txt', 'The old lobby is blue.'],
      ['faqs', FAQS],
    ]);
    const before = await settled(id);
    const answer = await form('PATCH', [
      ['kb_id', id],
      ['kb_name', 'Renamed'],
      ['files_to_remove', '["old.txt"]'],
      ['faqs_to_remove', JSON.stringify([before['faqs'][0].id])],
      ['new_faqs', '[{"question":"Is there a lift?","answer":"Yes, two."}]'],
      ['new_files', 'new.txt', 'The new lobby is green.'],
      ['new_urls', JSON.stringify([`${siteUrl}/prices`])],
    ]);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { kb_id: id, processing_status: 'pending', files_queued: 1, urls_queued: 1, faqs_added: 1 },
    ]);
    const after = await settled(id);
    expect(after['kb_name']).toBe('Renamed');
    expect(after['files'].map((f: any) => f.name)).toEqual(['new.txt']);
    expect(after['faqs']).toMatchObject([{ question: 'Is there a lift?', answer: 'Yes, two.' }]);
    expect((await find(id, 'What colour is the lobby?')).map((c) => c['text'])).toEqual([
      'The new lobby is green.',
    ]);
    expect(await find(id, 'Where can I park?')).toEqual([]);
    const removed = await api.request('PATCH', '/api/v0/external/kb', {
      key: tenant.key,
      body: { kb_id: id, urls_to_remove: [`${siteUrl}/prices`] },
    });
    expect(removed.body).toMatchObject({ processing_status: 'completed' });
    expect((await read(id))['urls']).toEqual([]);
  });

  it('refuses what does not fit and then changes nothing', async () => {
    const id = await create([['faqs', FAQS]]);
    const patch = (body: Record<string, unknown>): Promise<Answer> =>
      api.request('PATCH', '/api/v0/external/kb', { key: tenant.key, body });
    const refusals: [Record<string, unknown>, number, string][] = [
      [{}, 422, 'kb_id is required'],
      [{ kb_id: id }, 422, 'new_files or another change must be given'],
      [
        { kb_id: id, kb_name: 'y', files_to_remove: ['a.txt'] },
        422,
        'files_to_remove[0] is not in this knowledge base',
      ],
      [{ kb_id: id, new_files: ['x'] }, 422, 'new_files must be sent as files'],
      [{ kb_id: newId(), kb_name: 'y' }, 404, 'Knowledge base not found'],
      [{ kb_id: 'x', kb_name: 'y' }, 404, 'Knowledge base not found'],
      [{ kb_id: 'x' }, 422, 'new_files or another change must be given'],
    ];
    for (const [body, status, message] of refusals) {
      const answer = await patch(body);
      expect([answer.status, answer.body['message']]).toEqual([status, expect.stringContaining(message)]);
    }
    expect((await read(id))['kb_name']).toBe('Clinic');
  });
});

describe('another workspace', () => {
  it('sees and changes nothing of it', async () => {
    const id = await create([['faqs', FAQS]]);
    const { agentId } = await createTestAgent(api, other);
    const attempts: [Promise<Answer>, string][] = [
      [api.request('GET', `/api/v0/external/kb/${id}`, { key: other.key }), 'get'],
      [api.request('DELETE', `/api/v0/external/kb/${id}`, { key: other.key }), 'delete'],
      [query(id, { query: 'park' }, other.key), 'query'],
      [
        api.request('PATCH', '/api/v0/external/kb', { key: other.key, body: { kb_id: id, kb_name: 'mine' } }),
        'patch',
      ],
      [
        api.request('PATCH', '/api/v0/agent/v1', {
          key: other.key,
          body: { operation: 'attach_kb', agent_id: agentId, kb_id: id },
        }),
        'attach',
      ],
    ];
    for (const [attempt, what] of attempts) {
      const answer = await attempt;
      expect([what, answer.status, answer.body['message']]).toEqual([what, 404, 'Knowledge base not found']);
    }
    const list = await api.request('GET', '/api/v0/external/kb/all', { key: other.key });
    expect(list.text).toBe('[]');
    expect((await read(id))['kb_name']).toBe('Clinic');
  });
});

describe('POST /external/kb/{id}/query', () => {
  it('checks its body and bounds what it answers', async () => {
    const faqs = Array.from({ length: 12 }, (_, at) => ({
      question: `Is room ${at} quiet?`,
      answer: `Room ${at} is.`,
    }));
    const id = await create([['faqs', JSON.stringify(faqs)]]);
    expect((await query(id, {})).body['message']).toBe('query is required');
    expect((await query(id, { query: 'x', top_k: 21 })).body['message']).toBe('top_k must be at most 20');
    expect((await query(id, { query: 'x'.repeat(1001) })).status).toBe(422);
    expect((await query('nope', { query: 'x' })).status).toBe(404);
    expect((await query(id, { query: '?!', top_k: 3 })).body['chunks']).toEqual([]);
    expect((await query(id, { query: "room ' | & ! :* quiet", top_k: 3 })).body['chunks']).toHaveLength(3);
    expect(await find(id, 'quiet room')).toHaveLength(5);
    const scores = (await find(id, 'Is room 7 quiet?')).map((c) => c['score']);
    expect(scores[0]).toBe(1);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

describe('attach_kb and remove_kb', () => {
  it('show on the agent and hold the knowledge base', async () => {
    const id = await create([['faqs', FAQS]]);
    const { agentId, versionId } = await createTestAgent(api, tenant);
    const edit = (operation: string, kbId: unknown): Promise<Answer> =>
      api.request('PATCH', '/api/v0/agent/v1', {
        key: tenant.key,
        body: { operation, agent_id: agentId, kb_id: kbId },
      });
    const shown = async (): Promise<unknown> => {
      const answer = await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key });
      return (answer.body['agents'] as any).version_details[versionId].knowledge_bases;
    };
    const remove = (): Promise<Answer> =>
      api.request('DELETE', `/api/v0/external/kb/${id}`, { key: tenant.key });

    expect(await edit('attach_kb', newId())).toMatchObject({
      status: 404,
      body: { message: 'Knowledge base not found' },
    });
    expect(await edit('attach_kb', 'x')).toMatchObject({ status: 404 });
    expect(await edit('attach_kb', 5)).toMatchObject({
      status: 422,
      body: { message: 'kb_id must be a string' },
    });
    expect(await edit('remove_kb', id)).toMatchObject({
      status: 400,
      body: { code: 'KNOWLEDGE_BASE_NOT_ATTACHED' },
    });
    expect((await edit('attach_kb', id)).body).toMatchObject({ agent_id: agentId });
    expect((await edit('attach_kb', id)).status).toBe(200);
    expect(await shown()).toEqual([{ knowledge_base_id: id, knowledge_base_name: 'Clinic' }]);
    expect((await read(id))['agents']).toEqual([{ agent_id: agentId, agent_display_name: 'Reminder' }]);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'KNOWLEDGE_BASE_ATTACHED' } });
    expect((await edit('remove_kb', id)).status).toBe(200);
    expect(await shown()).toEqual([]);
    expect(await remove()).toMatchObject({ status: 200, body: { kb_id: id } });
    expect((await remove()).status).toBe(404);
    expect((await api.request('GET', `/api/v0/external/kb/${id}`, { key: tenant.key })).status).toBe(404);
  });

  it('never leave an agent with a deleted one, however they meet', async () => {
    const { agentId } = await createTestAgent(api, tenant);
    for (let round = 0; round < 8; round += 1) {
      const id = await create([['faqs', FAQS]]);
      const [attached, deleted] = await Promise.all([
        api.request('PATCH', '/api/v0/agent/v1', {
          key: tenant.key,
          body: { operation: 'attach_kb', agent_id: agentId, kb_id: id },
        }),
        api.request('DELETE', `/api/v0/external/kb/${id}`, { key: tenant.key }),
      ]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([attached.status, deleted.status]);
      if (attached.status === 200) {
        await api.request('PATCH', '/api/v0/agent/v1', {
          key: tenant.key,
          body: { operation: 'remove_kb', agent_id: agentId, kb_id: id },
        });
      }
    }
  });
});
