export type DocumentFormat = 'pdf' | 'docx' | 'txt' | 'md' | 'html' | 'csv';

const BY_EXTENSION: Readonly<Record<string, DocumentFormat>> = {
  pdf: 'pdf',
  docx: 'docx',
  txt: 'txt',
  text: 'txt',
  md: 'md',
  markdown: 'md',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  csv: 'csv',
};
const BY_TYPE: Readonly<Record<string, DocumentFormat>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/csv': 'csv',
};

/** The format by file extension; null: unsupported. */
export function formatOfName(name: string): DocumentFormat | null {
  const extension = /\.([a-z]{2,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? null) : null;
}

/** The format by Content-Type; for plain text the extension of the URL decides. */
export function formatOfAnswer(contentType: string | null, path: string): DocumentFormat | null {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const named = formatOfName(path);
  if (type === '' || type === 'application/octet-stream') return named;
  const format = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  return format === 'txt' && (named === 'md' || named === 'csv') ? named : (format ?? null);
}

/** Whether the bytes start with the format's signature; text formats have none. */
export function beginsAs(format: DocumentFormat, bytes: Uint8Array): boolean {
  if (format === 'pdf') return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
  if (format === 'docx') return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
  return true;
}
