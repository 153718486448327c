import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Contact } from './contact-row.ts';
import { campaignTime } from './campaign-time.ts';
import { lineEnds } from './csv-reader.ts';
import { ListRefused, type ImportOutcome, type ImportPlan } from './import-plan.ts';
import { NumberSet } from './number-set.ts';
import { readContacts } from './read-contacts.ts';

const plan = (change: Partial<ImportPlan> = {}, map: Record<string, string> = {}): ImportPlan => ({
  agentId: 'a',
  versionId: 'v',
  columns: { variablesMap: map, promptVariables: [], declaredVariables: [] },
  numbers: { callingCode: null, allowPremium: false, allowUnassigned: false },
  removeInvalidRows: true,
  maxRows: 100_000,
  campaign: { name: 'c', callConfig: null, countryCode: null, startAt: null, endAt: null },
  ...change,
});

interface Read extends ImportOutcome {
  contacts: Contact[];
  rejects: string;
}
/** Reads bytes cut into pieces of `size`. */
async function read(
  bytes: Buffer,
  rules: ImportPlan = plan(),
  size = 7,
  listed: readonly string[] = [],
): Promise<Read> {
  const contacts: Contact[] = [];
  let rejects = '';
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const outcome = await readContacts(rules, {
    // Delimiter detection reads only the first piece; in production that is half a megabyte.
    pieces:
      size === 0
        ? async function* () {
            yield bytes;
          }
        : pieces,
    listed: async (numbers) => numbers.filter((n) => listed.includes(n)),
    contact: async (contact) => void contacts.push(contact),
    reject: async (text) => void (rejects += text),
    progress: () => undefined,
  });
  return { ...outcome, contacts, rejects };
}

const number = fc.integer({ min: 0, max: 9_999_999 }).map((n) => `+9198${String(10_000_000 + n).slice(-8)}`);
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((s) => s.replaceAll('\0', '').trim());
const written = fc
  .string({
    unit: fc.constantFrom('a', 'ü', '"', ',', ';', '\t', '|', '\n', '\r\n', ' ', '=', 'म'),
    maxLength: 10,
  })
  .map((s) => s.trim());
const table = fc.record({
  rows: fc.uniqueArray(fc.tuple(number, fc.oneof(text, written), fc.oneof(text, written)), {
    selector: ([n]) => n,
    minLength: 1,
    maxLength: 12,
  }),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 3, maxLength: 3 }),
});
const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  end: fc.constantFrom('\n', '\r\n', '\r'),
  quotes: fc.constantFrom('all', 'needed'),
  last: fc.boolean(),
  encoding: fc.constantFrom('utf8', 'utf8-bom', 'utf16le', 'utf16be', 'utf16le-bare', 'utf16be-bare'),
  size: fc.constantFrom(0, 4096),
});
const HEADER = ['Mobile Number', 'callee_name', 'Order; no, 1'];

function write(
  rows: readonly (readonly string[])[],
  d: { delimiter: string; end: string; quotes: string; last: boolean },
): string {
  const cell = (value: string): string =>
    d.quotes === 'all' || /["\r\n]/.test(value) || value.includes(d.delimiter)
      ? `"${value.replaceAll('"', '""')}"`
      : value;
  return rows.map((row) => row.map(cell).join(d.delimiter)).join(d.end) + (d.last ? d.end : '');
}
function encode(content: string, encoding: string): Buffer {
  if (encoding === 'utf8') return Buffer.from(content);
  if (encoding === 'utf8-bom') return Buffer.from(`\uFEFF${content}`);
  const little = Buffer.from(encoding.endsWith('-bare') ? content : `\uFEFF${content}`, 'utf16le');
  return encoding.startsWith('utf16le') ? little : Buffer.from(little).swap16();
}

describe('reading a contact list', () => {
  it('finds the same contacts in every dialect, column order and encoding', async () => {
    await fc.assert(
      fc.asyncProperty(table, dialect, async ({ rows, order }, d) => {
        const shuffle = (row: readonly string[]): string[] => order.map((at) => row[at] ?? '');
        const bytes = encode(write([HEADER, ...rows].map(shuffle), d), d.encoding);
        const found = await read(bytes, plan({}, { order: HEADER[2] ?? '' }), d.size);
        expect(found.report.invalidRows).toEqual([]);
        expect(found.contacts.map((c) => [c.number, c.name, c.args])).toEqual(
          rows.map(([n, name, order]) => [
            n,
            name.trim(),
            { callee_name: name.trim(), order: order.trim(), mobile_number: n },
          ]),
        );
      }),
      { numRuns: 400 },
    );
  });

  it('never shifts a value into another column: an incomplete row is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(number, fc.nat(4)), { minLength: 1, maxLength: 10 }),
        async (rows) => {
          const lines = rows.map(([n, cells], i) =>
            [n, ...Array.from({ length: cells }, (_, c) => `r${i}c${c}`)].join(','),
          );
          const found = await read(
            Buffer.from(`Mobile Number,callee_name,order\n${lines.join('\n')}`),
            plan({}, { order: 'order' }),
            4096,
          ).catch((error: unknown) => {
            if (error instanceof ListRefused) return null;
            throw error;
          });
          for (const contact of found?.contacts ?? []) {
            const at = contact.row - 1;
            expect(rows[at]?.[1]).toBe(2);
            expect(contact.args).toMatchObject({ callee_name: `r${at}c0`, order: `r${at}c1` });
          }
          const seen = new Set<string>();
          const valid = rows.filter(([n, cells]) => cells === 2 && !seen.has(n) && seen.add(n)).length;
          expect(found?.successfulRows ?? 0).toBe(valid);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('refuses a row with a blank before an opening quote, because its cell boundaries are ambiguous', async () => {
    const found = await read(
      Buffer.from(
        'Mobile Number,callee_name,city\n+919876543210, "Kumar, Ravi"\n+919876543211,\t"Rao",Pune\n+919876543212,5" pipe, Pune "\n',
      ),
      plan(),
      4096,
    );
    expect(found.contacts).toMatchObject([{ row: 3, name: '5" pipe' }]);
    const reason = 'has a blank before its opening quote';
    expect(found.report.invalidRows).toMatchObject([
      { row: 1, column: 'callee_name', value: ' "Kumar', reason },
      { row: 2, column: 'callee_name', reason },
    ]);
  });

  it('reads and reports Windows-1252; a few invalid bytes in UTF-8 refuse only their own rows', async () => {
    const latin = await read(
      Buffer.from('Mobile Number,callee_name\n+919876543210,M\u00fcller\n', 'latin1'),
      plan(),
      4096,
    );
    expect([latin.report.encoding, latin.contacts[0]?.name]).toEqual(['windows-1252', 'Müller']);
    const mixed = Buffer.concat([
      Buffer.from('Mobile Number,callee_name\n+919876543210,Müller ü ü\n+919876543211,'),
      Buffer.from([0xfc]),
      Buffer.from('x\n+919876543212,ü\n'),
    ]);
    const found = await read(mixed, plan(), 4096);
    expect(found.contacts.map((c) => c.name)).toEqual(['Müller ü ü', 'ü']);
    expect(found.report.invalidRows).toMatchObject([
      { row: 2, column: 'callee_name', reason: 'holds bytes that are not UTF-8' },
    ]);
  });

  it('refuses only the ill-formed rows of a UTF-16 file', async () => {
    const text =
      'Mobile Number,callee_name\n+919876543210,Ra\uD800vi\n+919876543211,\u092e\n+919876543212,Asha';
    for (const encoding of ['utf16le', 'utf16be']) {
      const found = await read(encode(text, encoding).subarray(0, -1), plan(), 4096);
      expect(found.contacts).toMatchObject([{ row: 2, name: '\u092e' }]);
      const reason = 'holds bytes that are not UTF-16';
      expect(found.report.invalidRows).toMatchObject([
        { row: 1, column: 'callee_name', reason },
        { row: 3, column: 'callee_name', reason },
      ]);
    }
  });

  it('skips blank lines, obeys a sep= line and numbers rows as a spreadsheet does', async () => {
    const found = await read(
      Buffer.from('sep=;\r\nMobile Number;callee_name\r\n\r\n;\r\n+919876543210;a,b\r\n'),
      plan(),
      4096,
    );
    expect(found.contacts).toMatchObject([{ row: 3, name: 'a,b' }]);
    expect(found.totalRows).toBe(1);
  });

  it('reports the first hundred refused rows, including those found late', async () => {
    const bad = Array.from({ length: 150 }, (_, i) => `bad${i},x`).join('\n');
    const text = `Mobile Number,callee_name\n+919876543210,x\n${bad}\n+919876543211,ok\n`;
    const found = await read(Buffer.from(text), plan(), 4096, ['+919876543210']);
    expect(found.failedRows).toBe(151);
    expect(found.report.invalidRows.map(({ row }) => row)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
    expect(found.report.invalidRows[0]?.reason).toBe('is on the do-not-call list');
  });

  it('refuses a list over the row limit', async () => {
    const rows = Array.from({ length: 11 }, (_, i) => `+9198765432${10 + i}`).join('\n');
    await expect(read(Buffer.from(`Mobile Number\n${rows}`), plan({ maxRows: 10 }), 4096)).rejects.toThrow(
      'file must have at most 10 rows',
    );
  });
});

describe('the parts', () => {
  it('finds a duplicate among many numbers', () => {
    const set = new NumberSet(300_000);
    const of = (i: number): string => `+91${7_000_000_000 + i * 13}`;
    const first = Array.from({ length: 300_000 }, (_, i) => set.add(of(i), i + 1));
    expect(first.every((row) => row === 0)).toBe(true);
    const again = Array.from({ length: 300_000 }, (_, i) => set.add(of(i), 7));
    expect(again.every((row, i) => row === i + 1)).toBe(true);
    expect(() => set.add('+911', 8)).toThrow(RangeError);
  });

  it('never counts fewer lines than rows, for every kind of line ending', () => {
    const texts = fc.array(fc.constantFrom('a', '\n', '\r', '\r\n', '"', ',', 'é'), { maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.nat(20), fc.constantFrom('utf8', 'utf16le'), (parts, cut, encoding) => {
        const text = parts.join('');
        const bytes = Buffer.from(text, encoding as BufferEncoding);
        const counted = lineEnds(bytes.subarray(0, cut)) + lineEnds(bytes.subarray(cut));
        expect(counted).toBeGreaterThanOrEqual(text.split(/\r\n|\r|\n/).length - 1);
      }),
    );
    expect(lineEnds(Buffer.from('a\r\nb\r\nc\r\n'))).toBe(3);
  });

  it('parses campaign times in a zone, clock changes included', () => {
    const iso = (time: string, zone: string) => campaignTime(time, zone)?.toISOString();
    expect(iso('05/01/2026, 09:30', 'Asia/Kolkata')).toBe('2026-01-05T04:00:00.000Z');
    // Skipped local time: the instant of the change. Ambiguous local time: the earlier instant.
    expect(iso('08/03/2026, 02:30', 'America/New_York')).toBe('2026-03-08T07:00:00.000Z');
    expect(iso('01/11/2026, 01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
    for (const wrong of [
      '5/1/2026, 09:30',
      '05/13/2026, 09:30',
      '31/04/2026, 09:30',
      '05/01/2026, 24:00',
      '05/01/2026 09:30',
    ]) {
      expect(campaignTime(wrong, 'Etc/GMT')).toBeNull();
    }
  });
});
