import { describe, expect, it } from 'vitest';
import { beginsAs, formatOfAnswer, formatOfName } from './document-format.ts';

describe('document formats', () => {
  it.each([
    ['a.PDF', 'pdf'],
    ['a.b.docx', 'docx'],
    ['readme.markdown', 'md'],
    ['x.htm', 'html'],
    ['x.exe', null],
    ['x.constructor', null],
    ['pdf', null],
  ])('%s is %s by extension', (name, format) => expect(formatOfName(name)).toBe(format));

  it.each([
    ['text/html; charset=utf-8', '/x', 'html'],
    ['text/plain', '/list.csv', 'csv'],
    ['text/plain', '/x', 'txt'],
    [null, '/x.pdf', 'pdf'],
    ['application/octet-stream', '/x.docx', 'docx'],
    ['image/png', '/x.html', null],
    ['toString', '/x', null],
  ])('a response of type %s at %s is %s', (type, path, format) => {
    expect(formatOfAnswer(type, path)).toBe(format);
  });

  it('a signature identifies PDF and DOCX', () => {
    expect(beginsAs('pdf', Buffer.from('\n%PDF-1.4'))).toBe(true);
    expect(beginsAs('docx', Buffer.from('%PDF'))).toBe(false);
    expect(beginsAs('docx', Buffer.from('PK\u0003\u0004'))).toBe(true);
  });
});
