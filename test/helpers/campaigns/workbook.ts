import { storeZip } from '../../../src/jobs/ingest/zip-entries.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const DAY_MS = 86_400_000;
/** Excel counts days from here. */
const EPOCH = Date.UTC(1899, 11, 30);

type Cell = string | number | Date | null;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const column = (at: number): string => String.fromCharCode(65 + at);

function cellXml(cell: Cell, row: number, at: number): string {
  const ref = `r="${column(at)}${row}"`;
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c ${ref}><v>${cell}</v></c>`;
  if (cell instanceof Date) return `<c ${ref} s="1"><v>${(cell.getTime() - EPOCH) / DAY_MS}</v></c>`;
  return `<c ${ref} t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
}
const sheetXml = (rows: readonly (readonly Cell[])[]): string =>
  `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rows
    .map(
      (cells, at) => `<row r="${at + 1}">${cells.map((cell, i) => cellXml(cell, at + 1, i)).join('')}</row>`,
    )
    .join('')}</sheetData></worksheet>`;

/** An .xlsx file with these sheets. */
export function workbook(...sheets: readonly (readonly (readonly Cell[])[])[]): Buffer {
  const each = sheets.map((rows, at) => ({ id: at + 1, rows }));
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${RELS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each
      .map(({ id }) => `<sheet name="Sheet${id}" sheetId="${id}" r:id="rId${id}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${RELS}">${each
      .map(
        ({ id }) =>
          `<Relationship Id="rId${id}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${id}.xml"/>`,
      )
      .join('')}<Relationship Id="rId99" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(each.map(({ id, rows }) => [`xl/worksheets/sheet${id}.xml`, sheetXml(rows)])),
  };
  return storeZip(new Map(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])));
}
