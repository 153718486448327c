import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** Tiny documents of every format, built by hand. */

/** A PDF with one page of these lines; `deflated` compresses the page. */
export function pdfOf(lines: readonly string[], deflated = true): Buffer {
  const text = lines.map((line, at) => `${at === 0 ? '' : '0 -20 Td '}(${escape(line)}) Tj`).join('\n');
  const content = Buffer.from(`BT /F1 12 Tf 50 750 Td\n${text}\nET`, 'latin1');
  return pdfWith(deflated ? deflateSync(content) : content, deflated ? '/Filter /FlateDecode' : '');
}

const escape = (line: string): string => line.replaceAll(/[\\()]/g, '\\$&');

/** A PDF with this content stream. */
export function pdfWith(stream: Buffer, filter: string): Buffer {
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    ),
    Buffer.concat([
      Buffer.from(`<< /Length ${stream.length} ${filter} >>\nstream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = 9;
  for (const [index, object] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(at);
    at += whole.length;
    parts.push(whole);
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** A ZIP archive of these entries; `says` overrides an entry's declared size. */
export function zipOf(parts: Record<string, Buffer | string>, says: Record<string, number> = {}): Buffer {
  const out: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data, { level: 9 });
    const label = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(says[name] ?? data.length, 18);
    fields.writeUInt16LE(label.length, 22);
    out.push(Buffer.from('PK\u0003\u0004', 'latin1'), fields, label, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.from([20, 0]), fields, tail, label);
    offset += 30 + label.length + packed.length;
  }
  const listed = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...out, listed, end]);
}

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const paragraph = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** The ZIP entries of a Word document with one heading and these paragraphs. */
export const docxParts = (heading: string, paragraphs: readonly string[]): Record<string, string> => ({
  '[Content_Types].xml':
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  '_rels/.rels':
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  'word/styles.xml': `<?xml version="1.0"?><w:styles ${W}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
  'word/document.xml': `<?xml version="1.0"?><w:document ${W}><w:body>${paragraph(heading, 'Heading1')}${paragraphs
    .map((text) => paragraph(text))
    .join('')}</w:body></w:document>`,
});
export const docxOf = (heading: string, paragraphs: readonly string[]): Buffer =>
  zipOf(docxParts(heading, paragraphs));
