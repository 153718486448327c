import type { ImportReport, RefusedCounts, RowProblem } from '../../../store/json/contact-import.ts';
import { zoneKey } from '../../call-windows/callee-zone.ts';
import { findColumns, type ContactColumns } from './contact-columns.ts';
import { readContactRow, type Contact } from './contact-row.ts';
import { findDialect } from './csv-dialect.ts';
import { BrokenCsv, CsvReader, lineEnds, type CsvRecord } from './csv-reader.ts';
import { FirstProblems } from './first-problems.ts';
import { ListRefused, type ImportOutcome, type ImportPlan } from './import-plan.ts';
import { NumberSet } from './number-set.ts';
import {
  cellsBeforeRefusal,
  columnsBeforeRefusal,
  listedHeader,
  rejectsHeader,
  rejectsLine,
} from './rejects-csv.ts';
import { EncodingFinder, type FileEncoding } from './text-encoding.ts';

/** I/O of an import, injected. */
export interface ContactPorts {
  /** Streams the file from its beginning; called twice, because the survey reads it first. */
  readonly pieces: () => AsyncIterable<Buffer>;
  /** Returns those of the numbers that are on the do-not-call list. */
  readonly listed: (numbers: readonly string[]) => Promise<readonly string[]>;
  /** Queues a contact. */
  readonly contact: (contact: Contact) => Promise<void>;
  /** Appends text to the CSV of refused rows. */
  readonly reject: (text: string) => Promise<void>;
  readonly progress: (readBytes: number, rows: number) => void;
}

const KEPT_PROBLEMS = 100;
const BATCH = 2000;
const PROGRESS_ROWS = 2000;

/**
 * Reads a whole list: every row becomes a contact or a refused row. Memory is constant apart from about 14 bytes a
 * number for finding duplicates. Throws ListRefused.
 */
export async function readContacts(plan: ImportPlan, ports: ContactPorts): Promise<ImportOutcome> {
  const { encoding, lines } = await survey(ports.pieces());
  const reading = new Reading(plan, ports, encoding, Math.min(lines, plan.maxRows));
  try {
    await reading.run();
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    const where = error.index === 0 ? 'in the header' : `in row ${error.index}`;
    throw refusal(`cannot be divided into rows: cell ${error.cell + 1} ${where} ${error.message}`);
  }
  return reading.outcome();
}

const refusal = (message: string): ListRefused => new ListRefused([{ field: 'file', message }]);

/** First pass: finds the encoding, and the number of lines as an upper bound of the rows. */
async function survey(pieces: AsyncIterable<Buffer>): Promise<{ encoding: FileEncoding; lines: number }> {
  const finder = new EncodingFinder();
  let lines = 1;
  for await (const piece of pieces) {
    finder.push(piece);
    lines += lineEnds(piece);
  }
  return { encoding: finder.end(), lines };
}

class Reading {
  readonly #plan: ImportPlan;
  readonly #ports: ContactPorts;
  readonly #encoding: FileEncoding;
  readonly #numbers: NumberSet;
  readonly #problems = new FirstProblems(KEPT_PROBLEMS);
  #reader: CsvReader | null = null;
  #delimiter = ',';
  #columns: ContactColumns | null = null;
  /** When the list is a corrected CSV of refused rows: how many columns are its own. Null for any other list. */
  #refusedBefore: number | null = null;
  #total = 0;
  readonly #refused = { invalid: 0, duplicate: 0, doNotCall: 0 };
  readonly #zones = new Map<string, number>();
  #batch: { contact: Contact; cells: readonly string[] }[] = [];

  constructor(plan: ImportPlan, ports: ContactPorts, encoding: FileEncoding, mostRows: number) {
    this.#plan = plan;
    this.#numbers = new NumberSet(mostRows);
    this.#ports = ports;
    this.#encoding = encoding;
  }

  async run(): Promise<void> {
    const decoder = new TextDecoder(this.#encoding.name);
    let readBytes = 0;
    let reported = 0;
    for await (const piece of this.#ports.pieces()) {
      for (const record of this.#push(decoder.decode(piece, { stream: true }))) {
        await this.#take(record);
        if (this.#total - reported >= PROGRESS_ROWS) {
          reported = this.#total;
          this.#ports.progress(readBytes, this.#total);
        }
      }
      readBytes += piece.length;
      this.#ports.progress(readBytes, this.#total);
    }
    for (const record of this.#push(decoder.decode())) await this.#take(record);
    for (const record of this.#reader?.end() ?? []) await this.#take(record);
    await this.#settle();
    if (this.#columns === null) throw refusal('is empty: its first row must be the header');
    if (this.#total === 0) throw refusal('has a header but no contacts');
  }

  *#push(text: string): Generator<CsvRecord, void, undefined> {
    if (text === '') return;
    let skip = 0;
    if (this.#reader === null) {
      const dialect = findDialect(text, this.#plan.columns);
      this.#delimiter = dialect.delimiter;
      this.#reader = new CsvReader(dialect.delimiter);
      skip = dialect.skip;
    }
    yield* this.#reader.push(text.slice(skip));
  }

  /** Drops the columns that the CSV of refused rows added. */
  #asListed(record: CsvRecord): CsvRecord {
    if (this.#columns === null) this.#refusedBefore = columnsBeforeRefusal(record.cells);
    const columns = this.#refusedBefore;
    if (columns === null) return record;
    const { cells } = record;
    const listed = this.#columns === null ? listedHeader(cells) : cellsBeforeRefusal(cells, columns);
    return { ...record, cells: listed };
  }

  async #take(read: CsvRecord): Promise<void> {
    const record = this.#asListed(read);
    if (record.malformed === null && record.cells.every((cell) => cell === '' || cell.trim() === '')) return;
    if (this.#columns === null) {
      const found = findColumns(record.cells, this.#plan.columns);
      if (!found.ok) throw new ListRefused(found.problems);
      this.#columns = found.columns;
      return;
    }
    this.#total += 1;
    if (this.#total > this.#plan.maxRows) throw refusal(`must have at most ${this.#plan.maxRows} rows`);
    const row = readContactRow(record, this.#columns, {
      ...this.#plan.numbers,
      template: this.#plan.template ?? null,
      needed: this.#plan.columns.neededVariables ?? [],
      // A CSV of refused rows holds U+FFFD in place of invalid bytes, so refuse that character again.
      encoding: this.#refusedBefore === null ? this.#encoding : { ...this.#encoding, hasBadBytes: true },
    });
    if ('problems' in row) return this.#refuse('invalid', record.cells, row.problems);
    const { contact } = row;
    const first = this.#numbers.add(contact.number, contact.row);
    if (first !== 0) {
      const problem = this.#problem(contact, `is the same number as in row ${first}`);
      return this.#refuse('duplicate', record.cells, [problem]);
    }
    this.#batch.push({ contact, cells: record.cells });
    if (this.#batch.length >= BATCH) await this.#settle();
  }

  /** Queues the batch's contacts, except numbers on the do-not-call list. */
  async #settle(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    const listed = new Set(await this.#ports.listed(batch.map(({ contact }) => contact.number)));
    for (const { contact, cells } of batch) {
      if (listed.has(contact.number)) {
        await this.#refuse('doNotCall', cells, [this.#problem(contact, 'is on the do-not-call list')]);
      } else if (this.#isStillWanted()) {
        const zones = zoneKey(contact.number);
        this.#zones.set(zones, (this.#zones.get(zones) ?? 0) + 1);
        await this.#ports.contact(contact);
      }
    }
  }

  /** False once a row was refused and `remove_invalid_rows` is off: the transaction will be rolled back. */
  #isStillWanted(): boolean {
    return this.#failed === 0 || this.#plan.removeInvalidRows;
  }

  #problem(contact: Contact, reason: string): RowProblem {
    const column = this.#columns?.header[this.#columns.number] ?? '';
    return { row: contact.row, column, value: contact.number, reason, suggestion: null };
  }

  get #failed(): number {
    const { invalid, duplicate, doNotCall } = this.#refused;
    return invalid + duplicate + doNotCall;
  }

  async #refuse(
    why: keyof RefusedCounts,
    cells: readonly string[],
    problems: readonly RowProblem[],
  ): Promise<void> {
    const header = this.#columns?.header ?? [];
    if (this.#failed === 0) await this.#ports.reject(rejectsHeader(header));
    this.#refused[why] += 1;
    this.#problems.add(problems);
    await this.#ports.reject(rejectsLine(header, cells, problems));
  }

  outcome(): ImportOutcome {
    const [total, failed] = [this.#total, this.#failed];
    return {
      failure: this.#failure(),
      totalRows: total,
      successfulRows: total - failed,
      failedRows: failed,
      hasRejects: failed > 0,
      report: this.#report(),
    };
  }

  #report(): ImportReport {
    const { name, hasBadBytes } = this.#encoding;
    return {
      encoding: hasBadBytes ? `${name} with invalid bytes` : name,
      delimiter: this.#delimiter,
      refused: { ...this.#refused },
      zones: Object.fromEntries(this.#zones),
      invalidRows: this.#problems.list(),
    };
  }

  #failure(): string | null {
    if (this.#failed === 0) return null;
    const [first] = this.#report().invalidRows;
    const example =
      first === undefined ? '' : `; row ${first.row}: ${JSON.stringify(first.column)} ${first.reason}`;
    const share = `${this.#failed} of ${this.#total} rows are invalid`;
    if (!this.#plan.removeInvalidRows) {
      return `${share}${example}. No contact was stored; send remove_invalid_rows=true to skip them`;
    }
    return this.#failed === this.#total ? `All ${this.#total} rows are invalid${example}` : null;
  }
}
