import { createSocket } from 'node:dgram';

export interface NameServer {
  readonly address: string;
  /** Queried names, in order. */
  readonly queries: string[];
  close(): Promise<void>;
}

const A = 1;
const AAAA = 28;

/** A DNS server on loopback that answers every query with the result of `answer`. */
export async function startNameServer(
  answer: (name: string, nth: number) => readonly string[],
): Promise<NameServer> {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    while (query[at] !== 0 && at < query.length) {
      const length = query[at] ?? 0;
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = query.subarray(12, at + 5);
    const type = query.readUInt16BE(at + 1);
    const name = labels.join('.').toLowerCase();
    if (type === A) queries.push(name);
    const records = answer(name, queries.filter((each) => each === name).length)
      .map(recordBytes)
      .filter((record) => record.type === type);
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    const answers = records.map(({ bytes }) => {
      // Compression pointer to the queried name, class IN, TTL 0.
      const fixed = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
      return Buffer.concat([fixed, bytes]);
    });
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function recordBytes(address: string): { type: number; bytes: Buffer } {
  if (!address.includes(':')) return { type: A, bytes: Buffer.from(address.split('.').map(Number)) };
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((g) => parseInt(g, 16)));
  const [head, tail] = [groups(left), groups(right)];
  const all = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  return { type: AAAA, bytes: Buffer.from(all.flatMap((group) => [group >> 8, group & 255])) };
}
