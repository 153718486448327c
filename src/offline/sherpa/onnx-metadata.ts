import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The metadata of a network stands at the end of its file. */
const TAIL_BYTES = 262_144;
/** Field 14 of the model and its two fields, each a length and bytes. */
const ENTRY = 0x72;
const KEY = 0x0a;
const VALUE = 0x12;
const LONGEST = 100_000;

/** The metadata of an ONNX file, such as `model_type`; empty for a file without any. */
export function onnxMetadata(file: string): ReadonlyMap<string, string> {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    return entriesOf(bytes);
  } finally {
    closeSync(descriptor);
  }
}

function entriesOf(bytes: Buffer): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== ENTRY) continue;
    const entry = lengthAt(bytes, at + 1);
    if (entry === null || bytes[entry.next] !== KEY) continue;
    const key = textAt(bytes, entry.next + 1);
    if (key === null || bytes[key.end] !== VALUE) continue;
    const value = textAt(bytes, key.end + 1);
    // Bytes of a weight may look like an entry: only one whose lengths agree is.
    if (value === null || value.end !== entry.next + entry.length) continue;
    found.set(key.text, value.text);
    at = value.end - 1;
  }
  return found;
}

function lengthAt(bytes: Buffer, from: number): { readonly length: number; readonly next: number } | null {
  let length = 0;
  for (let i = 0; i < 3; i += 1) {
    const byte = bytes[from + i];
    if (byte === undefined) return null;
    length |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return length > LONGEST ? null : { length, next: from + i + 1 };
  }
  return null;
}

function textAt(bytes: Buffer, from: number): { readonly text: string; readonly end: number } | null {
  const found = lengthAt(bytes, from);
  if (found === null) return null;
  const end = found.next + found.length;
  return end > bytes.length ? null : { text: bytes.toString('utf8', found.next, end), end };
}
