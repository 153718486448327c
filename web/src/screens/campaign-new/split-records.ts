/** A cell of a list of contacts. */
export interface Cell {
  readonly text: string;
  /** Where it stands in the list, with its quotes: `to` is the first place after it. */
  readonly from: number;
  readonly to: number;
}

/** The records of CSV text (RFC 4180), blank lines included. A quote inside a bare cell is a character like any other. */
export function splitRecords(text: string, delimiter: string): Cell[][] {
  const records: Cell[][] = [];
  let cells: Cell[] = [];
  let [cell, from, isQuoted] = ['', 0, false];
  const end = (at: number, to = at): void => {
    cells.push({ text: cell, from, to });
    [cell, from] = ['', at + 1];
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && at === from) isQuoted = true;
    else if (char === delimiter) end(at);
    else if (char === '\n') {
      end(at, text[at - 1] === '\r' ? at - 1 : at);
      records.push(cells);
      cells = [];
    } else if (char !== '\r') cell += char;
  }
  if (from < text.length || cells.length > 0) end(text.length);
  return cells.length === 0 ? records : [...records, cells];
}

/** A cell as CSV text has it. */
export const quoted = (value: string, delimiter: string): string =>
  value.includes('"') || value.includes(delimiter) || /[\r\n]/.test(value)
    ? `"${value.replaceAll('"', '""')}"`
    : value;
