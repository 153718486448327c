import { appendFileSync, copyFileSync } from 'node:fs';

/** Field 14 of a model, an entry of its metadata, and the two fields of an entry (onnx.proto). */
const ENTRY = 0x72;
const KEY = 0x0a;
const VALUE = 0x12;

function field(tag: number, bytes: Buffer): Buffer {
  const head = [tag];
  let left = bytes.length;
  for (; left > 0x7f; left >>= 7) head.push((left & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...head, left]), bytes]);
}

/** Copies an ONNX file and adds entries to its metadata, which sherpa-onnx reads. */
export function copyWithMetadata(from: string, to: string, metadata: Readonly<Record<string, string>>): void {
  copyFileSync(from, to);
  const entries = Object.entries(metadata).map(([key, value]) =>
    field(ENTRY, Buffer.concat([field(KEY, Buffer.from(key)), field(VALUE, Buffer.from(value))])),
  );
  appendFileSync(to, Buffer.concat(entries));
}
