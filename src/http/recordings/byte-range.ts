export type ByteRange =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

/**
 * Parses a Range header for a file of `bytes` bytes (RFC 9110 section 14): one range, both ends inclusive. A
 * malformed header, another unit, or several ranges select the whole file.
 */
export function readByteRange(header: string | undefined, bytes: number): ByteRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return { kind: 'whole' };
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), bytes);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: bytes - length, end: bytes - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? bytes - 1 : Math.min(Number(match[2]), bytes - 1);
  if (match[2] !== '' && Number(match[2]) < start) return { kind: 'whole' };
  return start >= bytes ? { kind: 'unsatisfiable' } : { kind: 'part', start, end };
}
