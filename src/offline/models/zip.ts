import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { ModelError } from './model-error.ts';

/** A file in a zip archive (wheels and Android archives are zip files). */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: number;
  readonly isStored: boolean;
  readonly packedBytes: number;
  readonly headerAt: number;
}

const END = 0x06_05_4b_50;
const CENTRAL = 0x02_01_4b_50;
const LOCAL = 0x04_03_4b_50;
/** The end record, with the longest comment. */
const LONGEST_END = 22 + 65_535;
const STORED = 0;
const DEFLATED = 8;

const broken = (path: string): ModelError =>
  new ModelError('broken', `${path} is not a complete zip file`, 'get the model again');

/** The files of the archive, without its folders. */
export async function zipEntries(path: string): Promise<ZipEntry[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(LONGEST_END, size));
    await file.read(tail, 0, tail.length, size - tail.length);
    const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
    if (at === -1 || at + 22 > tail.length || tail.readUInt32LE(at) !== END) throw broken(path);
    const directory = Buffer.alloc(tail.readUInt32LE(at + 12));
    const from = tail.readUInt32LE(at + 16);
    if (from + directory.length > size) throw broken(path);
    await file.read(directory, 0, directory.length, from);
    return readDirectory(directory, path).filter(({ name }) => !name.endsWith('/'));
  } finally {
    await file.close();
  }
}

function readDirectory(directory: Buffer, path: string): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= directory.length;) {
    if (directory.readUInt32LE(at) !== CENTRAL) throw broken(path);
    const method = directory.readUInt16LE(at + 10);
    const isEncrypted = (directory.readUInt16LE(at + 8) & 1) === 1;
    if (isEncrypted || (method !== STORED && method !== DEFLATED)) throw broken(path);
    const nameBytes = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameBytes),
      bytes: directory.readUInt32LE(at + 24),
      packedBytes: directory.readUInt32LE(at + 20),
      isStored: method === STORED,
      headerAt: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** The content of a file of the archive. Errors of the stream are those of a broken archive. */
export async function zipStream(path: string, entry: ZipEntry): Promise<Readable> {
  const header = Buffer.alloc(30);
  const file = await open(path, 'r');
  try {
    await file.read(header, 0, 30, entry.headerAt);
  } finally {
    await file.close();
  }
  if (header.readUInt32LE(0) !== LOCAL) throw broken(path);
  const start = entry.headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = createReadStream(path, { start, end: Math.max(start, start + entry.packedBytes - 1) });
  if (entry.isStored) return packed;
  const inflate = createInflateRaw();
  packed.on('error', (error) => inflate.destroy(error));
  return packed.pipe(inflate);
}
