import { crc32, inflateRawSync } from 'node:zlib';

/** A document that cannot be read. The message may be shown to the user; it follows the document's name. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_ENTRIES = 5000;
const MAX_PART_BYTES = 24 * 1024 * 1024;
const MAX_TOTAL_BYTES = 48 * 1024 * 1024;

/**
 * Inflates the wanted entries of a ZIP archive. The limits apply to the actual output, not to the declared sizes (zip
 * bombs). Throws UnreadableDocument for a malformed archive.
 */
export function readZip(bytes: Buffer, isWanted: (name: string) => boolean): Map<string, Buffer> {
  const parts = new Map<string, Buffer>();
  let bytesLeft = MAX_TOTAL_BYTES;
  for (const entry of directory(bytes)) {
    if (!isWanted(entry.name) || parts.has(entry.name)) continue;
    const part = inflate(bytes, entry, Math.min(bytesLeft, MAX_PART_BYTES));
    bytesLeft -= part.length;
    parts.set(entry.name, part);
  }
  return parts;
}

interface Entry {
  name: string;
  method: number;
  packedBytes: number;
  offset: number;
}

function* directory(bytes: Buffer): Generator<Entry> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0 || end + 22 > bytes.length || bytes.readUInt32LE(end) !== END) throw damaged();
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw new UnreadableDocument('holds too many parts');
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) throw damaged();
    const nameBytes = bytes.readUInt16LE(at + 28);
    if ((bytes.readUInt16LE(at + 8) & 1) === 1) throw new UnreadableDocument('is protected by a password');
    yield {
      name: bytes.toString('utf8', at + 46, at + 46 + nameBytes),
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    };
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}

function inflate(bytes: Buffer, entry: Entry, limit: number): Buffer {
  const { offset } = entry;
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL) throw damaged();
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const packed = bytes.subarray(start, start + entry.packedBytes);
  if (packed.length !== entry.packedBytes) throw damaged();
  if (entry.method === 0) {
    if (packed.length > limit) throw tooLarge();
    return packed;
  }
  if (entry.method !== 8 || limit <= 0) throw entry.method === 8 ? tooLarge() : damaged();
  try {
    return inflateRawSync(packed, { maxOutputLength: limit });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    throw code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged();
  }
}

const damaged = (): UnreadableDocument => new UnreadableDocument('is damaged');
const tooLarge = (): UnreadableDocument => new UnreadableDocument('unpacks to more than is allowed');

/** Builds an uncompressed archive, so that a library that unpacks it gets exactly the bytes counted above. */
export function storeZip(parts: ReadonlyMap<string, Buffer>): Buffer {
  const out: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, data] of parts) {
    const label = Buffer.from(name, 'utf8');
    const sum = crc32(data);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(LOCAL, 0);
    local.writeUInt16LE(20, 4);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(CENTRAL, 0);
    record.writeUInt16LE(20, 4);
    record.writeUInt16LE(20, 6);
    for (const [head, base] of [
      [local, 14],
      [record, 16],
    ] as const) {
      head.writeUInt32LE(sum, base);
      head.writeUInt32LE(data.length, base + 4);
      head.writeUInt32LE(data.length, base + 8);
      head.writeUInt16LE(label.length, base + 12);
    }
    record.writeUInt32LE(offset, 42);
    out.push(local, label, data);
    central.push(record, label);
    offset += local.length + label.length + data.length;
  }
  const listed = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(parts.size, 8);
  end.writeUInt16LE(parts.size, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...out, listed, end]);
}
