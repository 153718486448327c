import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDeflate } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../src/domain/knowledge/blocks.ts';
import type { DocumentFormat } from '../../src/domain/knowledge/document-format.ts';
import { CONFINED, extractBlocks, type ExtractionLimits } from '../../src/jobs/ingest/extractor.ts';
import { docxOf, docxParts, pdfOf, pdfWith, zipOf } from '../helpers/knowledge/documents.ts';

const read = (format: DocumentFormat, content: Buffer | string): Promise<Block[]> =>
  extractBlocks(format, Buffer.from(content));
const heading = (level: number, text: string): Block => ({ type: 'heading', level, text });
const text = (body: string): Block => ({ type: 'text', text: body });

describe('text is extracted from', () => {
  it.each([true, false])('PDF with compression: %s', async (packed) => {
    const blocks = await read(
      'pdf',
      pdfOf(['Refunds take five working days.', 'Ask (at) the desk.'], packed),
    );
    expect(blocks).toHaveLength(1);
    expect(blocks[0]).toMatchObject({ type: 'text' });
    expect(JSON.stringify(blocks)).toContain('Refunds take five working days.');
    expect(JSON.stringify(blocks)).toContain('Ask (at) the desk.');
  });

  it('DOCX', async () => {
    const docx = docxOf('Parking', [
      'The garage is free for guests.',
      'It closes at ten &amp; opens at six.',
    ]);
    expect(await read('docx', docx)).toEqual([
      heading(1, 'Parking'),
      text('The garage is free for guests.'),
      text('It closes at ten & opens at six.'),
    ]);
  });

  it('HTML without navigation and scripts', async () => {
    const page = `<!doctype html><html><head><title>T</title><style>x</style><script>evil()</script></head><body>
      <nav>Home About</nav><main><h1>Hours</h1><p>We are <b>open</b> from 9&nbsp;to&nbsp;5.<br>Closed on Sunday.</p>
      <table><tr><th>Day</th><th>Till</th></tr><tr><td>Friday</td><td>18:00</td></tr></table>
      <p>${'Further words. '.repeat(20)}</p></main><footer>Imprint</footer></body></html>`;
    const blocks = await read('html', page);
    expect(blocks.slice(0, 4)).toEqual([
      heading(1, 'Hours'),
      text('We are open from 9 to 5.\nClosed on Sunday.'),
      text('Day; Till'),
      text('Friday; 18:00'),
    ]);
    expect(JSON.stringify(blocks)).not.toMatch(/evil|Imprint|Home/);
  });

  it('Markdown', async () => {
    const source =
      '# Fees\n\nThe **fee** is [here](https://x.example).\n\n- one\n- two\n\nLate\n====\n\n`Ten` a day.';
    expect(await read('md', source)).toEqual([
      heading(1, 'Fees'),
      text('The fee is here.'),
      text('one\ntwo'),
      heading(1, 'Late'),
      text('Ten a day.'),
    ]);
  });

  it('CSV rows with their columns, and FAQs', async () => {
    expect(await read('csv', 'Plan;Price\nBasic;10\n"Pro; big";"2""0"\n')).toEqual([
      text('Plan: Basic; Price: 10'),
      text('Plan: Pro; big; Price: 2"0'),
    ]);
    expect(await read('csv', 'Question,Answer\nDo you ship?,"Yes, everywhere."\n')).toEqual([
      { type: 'faq', question: 'Do you ship?', answer: 'Yes, everywhere.' },
    ]);
  });

  it.each([
    ['UTF-8', Buffer.from('Größe\r\n\r\nनमस्ते')],
    ['UTF-8 with a mark', Buffer.from('\uFEFFGröße\n\nनमस्ते')],
    ['UTF-16', Buffer.from('\uFEFFGröße\n\nनमस्ते', 'utf16le')],
  ])('text in %s', async (_name, bytes) => {
    expect(await read('txt', bytes)).toEqual([text('Größe'), text('नमस्ते')]);
  });

  it('text in a legacy encoding and with NUL', async () => {
    expect(await read('txt', Buffer.from([0x47, 0x72, 0xf6, 0xdf, 0x65, 0, 0x21]))).toEqual([
      text('Größe !'),
    ]);
  });
});

describe('a hostile document is rejected with a reason', () => {
  const zeros = (mb: number): Buffer => Buffer.alloc(mb * 1024 * 1024, 0x20);

  it('DOCX that unpacks beyond the limit, with any declared size', async () => {
    const parts = { ...docxParts('x', ['y']), 'word/document.xml': zeros(64).toString('latin1') };
    await expect(read('docx', zipOf(parts))).rejects.toThrow('unpacks to more than is allowed');
    await expect(read('docx', zipOf(parts, { 'word/document.xml': 10 }))).rejects.toThrow(
      'unpacks to more than is allowed',
    );
  });

  it('DOCX whose parts exceed the limit in sum', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`word/header${at}.xml`, zeros(20).toString('latin1')]),
    );
    await expect(read('docx', zipOf({ ...docxParts('x', ['y']), ...many }))).rejects.toThrow(
      'unpacks to more than is allowed',
    );
  });

  it('DOCX with an entity expansion bomb', async () => {
    const entities = Array.from(
      { length: 12 },
      (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
    ).join('');
    const parts = docxParts('x', ['&e12;']);
    parts['word/document.xml'] = parts['word/document.xml']!.replace(
      '?>',
      `?><!DOCTYPE w [<!ENTITY e0 "lol">${entities}]>`,
    );
    const outcome = await read('docx', zipOf(parts)).catch((error: Error) => error);
    expect(JSON.stringify(outcome).length).toBeLessThan(1000);
  });

  it('PDF with a decompression bomb', async () => {
    const packed: Buffer[] = [];
    const deflate = createDeflate({ level: 9 });
    deflate.on('data', (chunk: Buffer) => packed.push(chunk));
    const piece = zeros(16);
    for (let at = 0; at < 64; at += 1) {
      if (!deflate.write(piece)) await once(deflate, 'drain');
    }
    deflate.end();
    await once(deflate, 'end');
    const bomb = Buffer.concat(packed);
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
    await expect(read('pdf', pdfWith(bomb, '/Filter /FlateDecode'))).rejects.toThrow('needs more memory');
  });

  const limited = (format: DocumentFormat, content: Buffer | string, limits: Partial<ExtractionLimits>) =>
    extractBlocks(format, Buffer.from(content), limits);
  it('limits of time, memory and output', async () => {
    const big = `<p>${'<b>x'.repeat(300_000)}`;
    await expect(limited('html', big, { timeMs: 5 })).rejects.toThrow('takes too long to read');
    await expect(limited('html', big, { memoryBytes: 20 * 1024 * 1024 })).rejects.toThrow('more memory');
    await expect(limited('txt', 'word '.repeat(10_000), { outputBytes: 1000 })).rejects.toThrow('more text');
  });

  it.each<[DocumentFormat, string, string | Buffer]>([
    ['pdf', 'with nothing behind its head', '%PDF-1.4 and nothing'],
    ['docx', 'with nothing behind its head', 'PK\u0003\u0004 and nothing'],
    ['docx', 'without a document', zipOf({ 'a.txt': 'x' })],
  ])('a %s %s', async (format, _fault, content) => {
    await expect(read(format, content)).rejects.toMatchObject({ name: 'UnreadableDocument' });
  });

  it('random damage in any format never causes another error', async () => {
    const samples: [DocumentFormat, Buffer][] = [
      ['pdf', pdfOf(['Hello there.'])],
      ['docx', docxOf('Title', ['Body.'])],
      ['csv', Buffer.from('a,b\n1,"2\n')],
      ['html', Buffer.from('<table><tr><td><p>x</table>')],
    ];
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (const [format, sample] of samples) {
      for (let round = 0; round < 3; round += 1) {
        const bytes = Buffer.from(sample);
        for (let hit = 0; hit < 1 + round * 10; hit += 1) {
          bytes[next(bytes.length)] = next(256);
        }
        const outcome = await read(format, bytes).catch((error: Error) => error);
        expect(outcome instanceof Error ? outcome.name : 'read').toMatch(/^(?:read|UnreadableDocument)$/);
      }
    }
  });
});

describe('the extraction process', () => {
  it.each([
    ['read other files', (path: string) => `fs.readFileSync(${path})`],
    ['write files', (path: string) => `fs.writeFileSync(${path}, 'x')`],
    ['start processes', () => "require('node:child_process').spawnSync('true')"],
    ['start threads', () => "new (require('node:worker_threads').Worker)('1', { eval: true })"],
  ])('may not %s', (_what, deed) => {
    const folder = mkdtempSync(join(tmpdir(), 'confined-'));
    try {
      const path = join(folder, 'secret');
      writeFileSync(path, 'secret');
      const script = `const fs = require('node:fs'); try { ${deed(JSON.stringify(path))}; console.log('done'); } catch (error) { console.log(error.code); }`;
      const { stdout } = spawnSync(process.execPath, [...CONFINED, '-e', script], {
        encoding: 'utf8',
        env: {},
      });
      expect(stdout.trim()).toBe('ERR_ACCESS_DENIED');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
