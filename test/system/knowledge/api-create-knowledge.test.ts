import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../helpers/api/api.ts';
import { docxOf, pdfOf } from '../../helpers/knowledge/documents.ts';
import { FAQS, openLibrary, type Library, type Part } from '../../helpers/knowledge/knowledge-api.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

describe('POST /external/kb', () => {
  it('ingests every format, a URL and FAQs, and finds their content', async () => {
    const answer = await library.form('POST', [
      ['kb_name', ' Clinic '],
      ['files', 'refunds.pdf', pdfOf(['Refunds take five working days.'])],
      ['files', 'C:\\docs\\garden.docx', docxOf('Garden', ['The garden opens at noon.'])],
      ['files', 'pets.md', '# Pets\n\nDogs are welcome on a leash.'],
      ['files', 'staff.csv', 'Name,Room\nDoctor Rao,Room twelve\n'],
      ['files', 'wifi.TXT', 'The wireless network is called Riverside Guest.'],
      ['files', 'hours.html', '<h2>Hours</h2><p>The pharmacy closes at eight.</p>'],
      ['urls', JSON.stringify([`${library.site.url}/moved#part`])],
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
    const base = await library.settled(id);
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
    expect(base['urls']).toMatchObject([
      { url: `${library.site.url}/moved`, status: 'completed', chunks: 1 },
    ]);
    for (const [question, text, source] of [
      ['How long do refunds take?', 'Refunds take five working days.', 'refunds.pdf'],
      ['When does the garden open?', 'The garden opens at noon.', 'garden.docx'],
      ['Are dogs welcome?', 'Dogs are welcome on a leash.', 'pets.md'],
      ['Which room is Doctor Rao in?', 'Name: Doctor Rao; Room: Room twelve', 'staff.csv'],
      ['What is the wireless network called?', 'The wireless network is called Riverside Guest.', 'wifi.TXT'],
      ['When does the pharmacy close?', 'The pharmacy closes at eight.', 'hours.html'],
      ['How much does a cleaning cost?', 'A cleaning costs 80 dollars.', `${library.site.url}/moved`],
    ] as const) {
      const [best] = await library.find(id, question);
      expect([question, best?.['text'], best?.['source'].name]).toEqual([question, text, source]);
    }
    const [exact] = await library.find(id, 'where can i PARK');
    expect(exact).toMatchObject({
      score: 1,
      question: 'Where can I park?',
      text: 'The garage below the house is free.',
      source: { type: 'faq' },
    });
    const stored = await library.api.db
      .selectFrom('knowledge_sources')
      .select('content')
      .where('kb_id', '=', id)
      .where('content', 'is not', null)
      .execute();
    expect(stored).toEqual([]);
  });

  it('accepts the same fields as JSON without files', async () => {
    const answer = await library.api.request('POST', '/api/v0/external/kb', {
      key: library.tenant.key,
      body: { kb_name: 'Plain', faqs: [{ question: 'क्या आप खुले हैं?', answer: 'हाँ, हम नौ बजे तक खुले हैं।' }] },
    });
    expect(answer.status).toBe(200);
    const [hit] = await library.find(answer.body['kb_id'] as string, 'आप कब तक खुले हैं');
    expect(hit?.['text']).toBe('हाँ, हम नौ बजे तक खुले हैं।');
  });

  const NAME: Part = ['kb_name', 'x'];
  const REFUSED: [field: string, parts: Part[], message: string][] = [
    ['kb_name', [['faqs', FAQS]], 'kb_name is required'],
    [
      'kb_name, blank',
      [
        ['kb_name', ' '],
        ['faqs', FAQS],
      ],
      'kb_name must be a text of 1 to 100 characters',
    ],
    [
      'kb_name, too long',
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
  ];
  it.each(REFUSED.map(([field, parts, message]) => [field, message, parts] as const))(
    'answers 422 and names %s: %s',
    async (_field, message, parts) => {
      const answer = await library.form('POST', parts);
      expect([answer.status, answer.body['message']]).toEqual([422, expect.stringContaining(message)]);
    },
  );

  it('answers 401 before reading the form, and 415 or 400 for invalid forms', async () => {
    expect((await library.form('POST', [], { key: null })).status).toBe(401);
    const send = (type: string, raw: string): Promise<Answer> =>
      library.api.request('POST', '/api/v0/external/kb', {
        key: library.tenant.key,
        raw,
        headers: { 'content-type': type },
      });
    expect((await send('text/plain', 'x')).status).toBe(415);
    expect((await send('multipart/form-data', 'x')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=b', '--b\r\nContent-Disp')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=b', 'no parts at all')).status).toBe(400);
  });

  it('does not parse forms on other routes', async () => {
    const answer = await library.api.request('PATCH', '/api/v0/agent/v1', {
      key: library.tenant.key,
      raw: '--b--',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(answer.status).toBe(415);
  });

  it('replays under an Idempotency-Key, which covers the files', async () => {
    const headers = { 'idempotency-key': 'kb-1' };
    const parts: Part[] = [
      ['kb_name', 'Once'],
      ['files', 'a.txt', 'one'],
    ];
    const first = await library.form('POST', parts, { headers });
    const again = await library.form('POST', parts, { headers });
    expect([again.status, again.body['kb_id']]).toEqual([200, first.body['kb_id']]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const changed = await library.form('POST', [parts[0]!, ['files', 'a.txt', 'two']], { headers });
    expect(changed.status).toBe(422);
  });
});
