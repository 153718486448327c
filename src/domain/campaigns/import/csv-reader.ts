/** One record of a CSV file, in the order of the file. */
export interface CsvRecord {
  /** Record index from 0, header and blank lines included, so that row numbers agree with a spreadsheet. */
  readonly index: number;
  readonly cells: readonly string[];
  /** The first malformed cell; null when all are well formed. */
  readonly malformed: MalformedCell | null;
}

/** A cell with misplaced quotes. */
export interface MalformedCell {
  /** Column index from 0. */
  readonly cell: number;
  readonly why: string;
}

/** Thrown when row boundaries are ambiguous: the whole file is refused. */
export class BrokenCsv extends Error {
  override readonly name = 'BrokenCsv';
  readonly index: number;
  readonly cell: number;
  constructor(index: number, cell: number, why: string) {
    super(why);
    this.index = index;
    this.cell = cell;
  }
}

export interface CsvLimits {
  readonly maxRecordChars: number;
  readonly maxCells: number;
}
const LIMITS: CsvLimits = { maxRecordChars: 262_144, maxCells: 1000 };

/** A quote after leading blanks. It may have been meant to open the cell, so the cell boundaries are uncertain. */
const LATE_QUOTE = /^\s+"/;
const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Incremental CSV parser (RFC 4180; any line ending). A quote inside an unquoted cell is an ordinary character. A
 * quote after leading blanks, and text after a closing quote, make the row malformed. Text after a closing quote that
 * ended a multi-line cell makes the following row boundaries ambiguous, so it throws BrokenCsv.
 */
export class CsvReader {
  readonly #delimiter: number;
  readonly #limits: CsvLimits;
  #text = '';
  #index = 0;

  constructor(delimiter: string, limits: Partial<CsvLimits> = {}) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Appends text and yields the records completed by it. */
  *push(text: string): Generator<CsvRecord, void, undefined> {
    yield* this.#take(this.#text + text, false);
  }

  /** Yields the last record when no line ending follows it. */
  *end(): Generator<CsvRecord, void, undefined> {
    yield* this.#take(this.#text, true);
  }

  *#take(text: string, isEnd: boolean): Generator<CsvRecord, void, undefined> {
    let from = 0;
    for (;;) {
      if (from >= text.length) break;
      const found = this.#record(text, from, isEnd);
      if (found === null) break;
      from = found.next;
      yield { index: this.#index, cells: found.cells, malformed: found.malformed };
      this.#index += 1;
    }
    this.#text = text.slice(from);
    if (this.#text.length > this.#limits.maxRecordChars) this.#broken(0, 'is longer than allowed');
  }

  /** Parses the record at `from`; null when the text ends before the record does. */
  #record(
    text: string,
    from: number,
    isEnd: boolean,
  ): { cells: string[]; malformed: MalformedCell | null; next: number } | null {
    const delimiter = this.#delimiter;
    const cells: string[] = [];
    let malformed: MalformedCell | null = null;
    let at = from;
    for (;;) {
      const start = at;
      let isQuoted = false;
      let cell = '';
      if (text.charCodeAt(at) === QUOTE) {
        const close = closingQuote(text, at + 1);
        // A quote at the end of the text may be the first half of an escaped quote.
        if (close === -1 || (close === text.length - 1 && !isEnd))
          return this.#unclosed(text, start, cells.length, isEnd);
        isQuoted = true;
        const inner = text.slice(at + 1, close);
        cell = inner.includes('"') ? inner.replaceAll('""', '"') : inner;
        at = close + 1;
      }
      const rest = at;
      let code = text.charCodeAt(at);
      while (code !== delimiter && code !== LF && code !== CR && at < text.length) {
        at += 1;
        code = text.charCodeAt(at);
      }
      if (at >= text.length && !isEnd) return null;
      if (!isQuoted) {
        cell = text.slice(start, at);
        if (LATE_QUOTE.test(cell))
          malformed ??= { cell: cells.length, why: 'has a blank before its opening quote' };
      } else if (at > rest) {
        if (/[\r\n]/.test(cell))
          this.#broken(cells.length, 'has text after a closing quote, and the quotes span lines');
        malformed ??= { cell: cells.length, why: 'has text after a closing quote' };
        cell = text.slice(start, at);
      }
      cells.push(cell);
      if (cells.length > this.#limits.maxCells)
        this.#broken(cells.length - 1, `has more than ${this.#limits.maxCells} cells`);
      if (at - from > this.#limits.maxRecordChars) this.#broken(cells.length - 1, 'is longer than allowed');
      if (at >= text.length) return { cells, malformed, next: at };
      if (code === delimiter) {
        at += 1;
        // The file ends with a delimiter: the last cell is blank.
        if (at >= text.length && isEnd) return { cells: [...cells, ''], malformed, next: at };
        if (at >= text.length) return null;
        continue;
      }
      if (code === CR) {
        if (at + 1 >= text.length && !isEnd) return null;
        if (text.charCodeAt(at + 1) === LF) at += 1;
      }
      return { cells, malformed, next: at + 1 };
    }
  }

  #unclosed(text: string, start: number, cell: number, isEnd: boolean): null {
    if (isEnd) this.#broken(cell, 'opens a quote that is never closed');
    if (text.length - start > this.#limits.maxRecordChars) {
      this.#broken(cell, 'opens a quote that is not closed within the longest row allowed');
    }
    return null;
  }

  #broken(cell: number, why: string): never {
    throw new BrokenCsv(this.#index, cell, why);
  }
}

/** Index of the quote that closes the cell beginning at `from` (the first quote that is not doubled), or -1. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
}

/** Upper bound of the number of line endings in bytes of any supported encoding: it may overcount, never undercount. */
export function lineEnds(bytes: Buffer): number {
  let found = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) found += 1;
  }
  return found;
}
